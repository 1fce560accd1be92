"""Counters of a server, which `tabletop.server.operator` publishes.

They are plain numbers, because players wait while the server counts. Reasons are counted by code.
"""

from bisect import bisect_left
from collections import Counter
from threading import Lock

from tabletop.engine.model import Reason
from tabletop.net.host.observer import CONNECTION_BROKE, HostObserver

BUCKET_BOUNDS_S = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""The upper bounds of the histogram buckets, in seconds."""
ILLEGAL_MOVE = "rules"
"""The label for refusals without a reason code, where a game's rules refused a move."""


class DurationHistogram:
    """A thread-safe histogram of durations."""

    def __init__(self) -> None:
        self.total = 0.0
        """The sum of all durations in seconds."""
        self._buckets = [0] * (len(BUCKET_BOUNDS_S) + 1)
        self._lock = Lock()

    def note(self, seconds: float) -> None:
        with self._lock:
            self.total += seconds
            self._buckets[bisect_left(BUCKET_BOUNDS_S, seconds)] += 1

    @property
    def count(self) -> int:
        return sum(self._buckets)

    def up_to(self) -> list[tuple[str, float]]:
        """Return the cumulative count of each bucket, labelled as Prometheus expects."""
        count, counts = 0, []
        for bound, here in zip((*map(str, BUCKET_BOUNDS_S), "+Inf"), self._buckets, strict=True):
            count += here
            counts.append((bound, float(count)))
        return counts


class Metrics(HostObserver):
    """The counters since the server started."""

    def __init__(self) -> None:
        self.answers = DurationHistogram()
        """How long it takes from receiving a person's move until it is stored and sent."""
        self.writes = DurationHistogram()
        """How long it takes to store a move on disk."""
        self.moves = 0
        """The number of stored moves, of people and bots together."""
        self.connections = 0
        self.turned_away = 0
        """The number of connections refused because the server was full."""
        self.refused: Counter[tuple[str, str]] = Counter()
        """The number of refused messages, by tag and reason code; "write" counts moves that the
        disk refused.
        """
        self.cut_lines: Counter[str] = Counter()
        """The connections that ended without a farewell, by reason code, `CONNECTION_BROKE` or
        `NOT_READING`. `cut` excludes `CONNECTION_BROKE`, which the host didn't cause.
        """

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
        self.refused[of, reason.code or ILLEGAL_MOVE] += 1

    def on_cut_off(self, why: str) -> None:
        self.cut_lines[why] += 1
