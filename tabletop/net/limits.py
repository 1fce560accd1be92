"""How much one guest may ask of a host, so that none can stand in the others' way."""

from collections import OrderedDict, deque
from time import monotonic

from msgspec import Struct


class Limits(Struct, frozen=True):
    """What a host allows."""

    tables: int = 200
    tables_per_address: int = 16
    connections: int = 4000
    connections_per_address: int = 64
    guests_per_table: int = 64
    messages_a_second: float = 50
    burst: int = 200
    """How many messages may come at once."""
    unread: int = 4 * 1024 * 1024
    """Bytes that wait for a guest who does not read, before it is cut off."""
    codes_per_address: int = 10
    """Wrong codes from one address, in `code_window`."""
    codes_per_table: int = 60
    """Wrong codes for one table (or for none by name), in `code_window`."""
    code_window: float = 300
    greeting: float = 15
    """Seconds until a guest must have said hello, and again until it must be at a table."""
    ping: float = 15
    """Seconds between two signs of life, and until one must be answered."""
    empty: float = 3600
    """Seconds that a table without a match lasts when nobody is there."""
    waiting: float = 7 * 86400
    """Seconds that a table with an unfinished match lasts when nobody is there."""


class Bucket:
    """So many messages a second, and a few more at once."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._left = float(burst)
        self._seen = monotonic()

    def take(self) -> bool:
        """Whether one more is allowed."""
        now = monotonic()
        self._left = min(self._burst, self._left + (now - self._seen) * self._rate)
        self._seen = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Tries:
    """Counts failures by what they belong to, within a window of time; remembers the latest few."""

    MOST = 10_000

    def __init__(self, allowed: int, window: float) -> None:
        self._allowed = allowed
        self._window = window
        self._failures: OrderedDict[str, deque[float]] = OrderedDict()

    def exhausted(self, what: str) -> bool:
        """Whether there were too many lately."""
        failures = self._failures.get(what)
        if failures is None:
            return False
        now = monotonic()
        while failures and failures[0] < now - self._window:
            failures.popleft()
        if not failures:
            del self._failures[what]
        return len(failures) >= self._allowed

    def fail(self, what: str) -> None:
        """Count one more."""
        failures = self._failures.setdefault(what, deque(maxlen=self._allowed))
        failures.append(monotonic())
        self._failures.move_to_end(what)
        while len(self._failures) > self.MOST:
            self._failures.popitem(last=False)
