"""Limits of one guest at a host, so that no guest blocks the others."""

from collections import deque
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from time import monotonic

from msgspec import Struct

from tabletop.caches.lru_cache import LruCache
from tabletop.engine.model import Reason
from tabletop.protocol.table_transfer import MAX_MOVED_GAME_BYTES

SAY_HELLO = Reason("The first message must be a greeting.", code="say_hello")
COME_IN = Reason("The host closed the connection because you aren't at a table.", code="come_in")
TOO_FAST = Reason("Too many messages at once.", code="too_fast")
PING_INTERVAL, PING_TIMEOUT = 2.5, 5.0
"""Seconds between two pings of a connection, and until one must be answered. With the seconds in
which it is closed then, a cut line is noticed within ten."""


class Limits(Struct, frozen=True):
    """A host's limits."""

    tables: int = 200
    tables_per_address: int = 16
    openings_a_minute: int = 120
    """Tables that one `origin` may open in a minute, closed ones included."""
    connections: int = 4000
    connections_per_address: int = 64
    """Connections that one `origin` may have. It may open `ARRIVALS` times as many at once, and
    then as many again in each `ARRIVALS_WINDOW_S`."""
    guests_per_table: int = 64
    messages_a_second: float = 50
    burst: int = 200
    """Messages that may come at once."""
    drawn_a_second: int = 1024 * 1024
    """Bytes a second that one `origin` may cause, to itself and to others at its tables, by all its
    requests but moves; further requests wait."""
    drawn_at_once: int = 16 * 1024 * 1024
    """Bytes that may be caused at once: a whole club that comes back to a long match."""
    unread: int = 4 * 1024 * 1024
    """Bytes that wait for a guest who does not read, before it is cut off."""
    codes_per_address: int = 10
    """Wrong codes from one `origin`, in `code_window`. They are not counted by table, or a guesser
    would lock out everybody else."""
    codes_per_site: int = 60
    """Wrong codes from one `site`, in `code_window`."""
    code_window: float = 300
    guesses_at_once: int = 30
    """Wrong codes from one `network` until each further one waits for its turn."""
    guesses_a_second: float = 0.5
    """Wrong codes from one `network` after that."""
    all_guesses_at_once: int = 120
    """Wrong codes from everywhere until each further one waits for its turn."""
    all_guesses_a_second: float = 1
    """Wrong codes from everywhere after that."""
    codes_per_table: int = 30
    """Wrong codes at one table, in `code_window`, until its owner is warned."""
    greeting: float = 15
    """Seconds until a guest must have said hello, and again until it must be at a table."""
    ping_interval: float = PING_INTERVAL
    ping_timeout: float = PING_TIMEOUT
    disk_free: int = 256 * 1024 * 1024
    """Bytes that should be free on the disk of the tables: with less, the host is unhealthy."""
    empty: float = 3600
    """Seconds that a table without a match lasts when nobody is there."""
    awake: float = 60
    """Seconds that a table stays in memory when nobody is there; then it sleeps on disk."""
    waiting: float = 7 * 86400
    """Seconds that a table with an unfinished match, or one that needs no host, lasts when nobody
    is there."""
    doubt: float = 3600
    """Seconds after which a host reads the clock once more before it closes a table for its age."""
    open_records: bool = True
    """Whether tables may open the records of their matches to anyone with the link."""
    takes_games: bool = False
    """Whether a game without Python is taken along with a table that moves here."""

    def make_arrival_limit(self) -> "LeakyBuckets":
        """Return buckets for the connections that each origin opens, closed ones included."""
        most = ARRIVALS * self.connections_per_address
        return LeakyBuckets(most / ARRIVALS_WINDOW_S, most - 1)

    @property
    def largest_moved_table(self) -> int:
        """Bytes of a table that moves here, all its pieces together."""
        return LARGEST_MOVED_TABLE + (MAX_MOVED_GAME_BYTES * 4 // 3 if self.takes_games else 0)


ARRIVALS, ARRIVALS_WINDOW_S = 4, 40.0
"""How many times as many connections an origin may open as it may have, and the seconds until it
may open as many again."""
LARGEST_MOVED_TABLE = 16 * 1024 * 1024
"""Bytes of a table that moves to another computer, all its pieces together, without its game."""
PIECE = 16 * 1024
"""Bytes of one piece of it."""


class LeakyBuckets:
    """Recent use by each address (leaky buckets, as meters): an amount leaks away each second.

    Remembers the latest few: an address may come from a network of millions.
    """

    MOST = 10_000

    def __init__(self, rate: float, burst: float) -> None:
        """`burst`: as much may be in a bucket before its owner must wait."""
        self._rate = rate
        self._burst = burst
        self._levels: dict[str, tuple[float, float]] = {}
        """The level, and its time; the latest used is last."""

    def wait(self, key: str) -> float:
        """The seconds until it may have more."""
        return max(0.0, self.level(key) - self._burst) / self._rate

    def take(self, key: str = "", amount: float = 1) -> bool:
        """Add this much if it may have more now; return whether it may."""
        if self.wait(key):
            return False
        self.fill(key, amount)
        return True

    def fill(self, key: str, amount: float) -> None:
        """Add this much to its bucket."""
        levels, now = self._levels, monotonic()
        level, at = levels.pop(key, (0.0, now))
        levels[key] = max(0.0, level - (now - at) * self._rate) + amount, now
        first, (level, at) = next(iter(levels.items()))
        if level <= (now - at) * self._rate or len(levels) > self.MOST:
            del levels[first]

    def level(self, key: str) -> float:
        """The level of its bucket now."""
        level, at = self._levels.get(key, (0.0, 0.0))
        return max(0.0, level - (monotonic() - at) * self._rate)


class FailureLimiter:
    """Counts failures by what they belong to, within a window of time; remembers the latest few."""

    MOST = 10_000

    def __init__(self, allowed: int, window: float) -> None:
        self._allowed = allowed
        self._window = window
        self._failures: LruCache[str, deque[float]] = LruCache(self.MOST)

    def is_exhausted(self, key: str) -> bool:
        """Whether there were too many lately."""
        failures = self._failures.get(key)
        if failures is None:
            return False
        now = monotonic()
        while failures and failures[0] < now - self._window:
            failures.popleft()
        if not failures:
            self._failures.drop(key)
        return len(failures) >= self._allowed

    def fail(self, key: str) -> None:
        """Count one more."""
        failures = self._failures.get(key)
        if failures is None:
            failures = deque(maxlen=self._allowed)
            self._failures.put(key, failures)
        failures.append(monotonic())


def origin(address: str) -> str:
    """The part of an address by which somebody is counted.

    A house has a whole network of public IPv6 addresses, all of its own. Addresses of the local
    network are counted one by one: there, neighbours share their network with each other.
    """
    return _network_of(address, 64)


def site(address: str) -> str:
    """The site of a public IPv6 address, as its owner has all its networks.

    Everywhere else it is the `origin`.
    """
    return _network_of(address, 48)


def network(address: str) -> str:
    """The network of an address, for what anybody can try from new addresses of it.

    Link-local addresses share that of their interface, IPv4 addresses their /24, all others of IPv6
    the /48 of their site, and this computer's own are one network.
    """
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    if ip.is_loopback:
        return "loopback"
    if isinstance(ip, IPv4Address):
        return str(IPv4Network((int(ip) >> 8 << 8, 24)))
    if ip.is_link_local:
        return f"fe80::/10%{ip.scope_id or ''}"
    return str(IPv6Network((int(ip) >> 80 << 80, 48)))


def _network_of(address: str, length: int) -> str:
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return address
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    if ip.is_loopback or ip.is_link_local or ip in _HOME:
        return address
    rest = 128 - length
    return str(IPv6Network((int(ip) >> rest << rest, length)))


_HOME = IPv6Network("fc00::/7")
"""The unique local addresses of a home, beside the public ones."""
