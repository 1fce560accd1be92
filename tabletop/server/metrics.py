"""Counters of a server; `tabletop.server.operator` publishes them.

Players wait while it counts, so these are plain numbers. Reasons are counted by their codes.
"""

from bisect import bisect_left
from collections import Counter
from threading import Lock

from tabletop.engine.model import Reason
from tabletop.net.host.observer import CONNECTION_BROKE, HostObserver

BOUNDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds of the buckets of what takes time, in seconds."""
RULES = "rules"
"""Counted where a reason has no code: the rules of a game do not admit a move."""


class Durations:
    """Durations; may be noted from any thread."""

    def __init__(self) -> None:
        self.total = 0.0
        """Seconds, all together."""
        self._buckets = [0] * (len(BOUNDS) + 1)
        self._lock = Lock()

    def note(self, seconds: float) -> None:
        with self._lock:
            self.total += seconds
            self._buckets[bisect_left(BOUNDS, seconds)] += 1

    @property
    def count(self) -> int:
        return sum(self._buckets)

    def up_to(self) -> list[tuple[str, float]]:
        """The counts up to each of the `BOUNDS`, and of all, as Prometheus names them."""
        count, counts = 0, []
        for bound, here in zip((*map(str, BOUNDS), "+Inf"), self._buckets, strict=True):
            count += here
            counts.append((bound, float(count)))
        return counts


class Metrics(HostObserver):
    """Counts since the server began."""

    def __init__(self) -> None:
        self.answers = Durations()
        """The time from the arrival of a person's move until it is on disk and sent."""
        self.writes = Durations()
        """The time until a move is safe on the disk."""
        self.moves = 0
        """Answers of persons and bots that are safe on the disk."""
        self.connections = 0
        self.turned_away = 0
        """Lines that found no room."""
        self.refused: Counter[tuple[str, str]] = Counter()
        """Messages that were not obeyed, by their tag and the reason's code; "write" is what the
        disk refused later."""
        self.cut_lines: Counter[str] = Counter()
        """Lines that ended without a goodbye, by the reason's code, or `CONNECTION_BROKE` or
        `NOT_READING`; `cut` leaves out `CONNECTION_BROKE`, which the host did not end."""

    @property
    def refusals(self) -> int:
        return self.refused.total()

    @property
    def cut(self) -> int:
        return self.cut_lines.total() - self.cut_lines[CONNECTION_BROKE]

    def on_connected(self) -> None:
        self.connections += 1

    def on_turned_away(self) -> None:
        self.turned_away += 1

    def on_move_saved(self) -> None:
        self.moves += 1

    def on_write(self, seconds: float) -> None:
        self.writes.note(seconds)

    def on_move_answered(self, seconds: float) -> None:
        self.answers.note(seconds)

    def on_refused(self, of: str, reason: Reason) -> None:
        self.refused[of, reason.code or RULES] += 1

    def on_cut_off(self, why: str) -> None:
        self.cut_lines[why] += 1
