"""What a host counts, and how it tells a Prometheus server."""

from bisect import bisect_left
from collections.abc import Mapping

BOUNDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0)
"""Upper bounds of the latency's buckets, in seconds."""


class Metrics:
    """Counts since the host began."""

    def __init__(self) -> None:
        self.moves = 0
        self.refusals = 0
        self.connections = 0
        self.cut = 0
        """Guests that were cut off: too many messages, none read, or nonsense."""
        self._buckets = [0] * (len(BOUNDS) + 1)
        self._seconds = 0.0

    def answered(self, seconds: float) -> None:
        """A move was taken, written down and told within so many seconds."""
        self.moves += 1
        self._seconds += seconds
        self._buckets[bisect_left(BOUNDS, seconds)] += 1

    def text(self, gauges: Mapping[str, tuple[str, float]]) -> str:
        """All figures as Prometheus reads them; `gauges` are what stands now, with its help."""
        lines = []
        for name, (help_, value) in gauges.items():
            lines += _figure(name, "gauge", help_, value)
        lines += _figure("moves_total", "counter", "Moves played.", self.moves)
        lines += _figure("refusals_total", "counter", "Messages refused.", self.refusals)
        lines += _figure("connections_total", "counter", "Connections made.", self.connections)
        lines += _figure("cut_total", "counter", "Guests cut off.", self.cut)
        name = "tabletop_move_seconds"
        lines += [
            f"# HELP {name} From a move's arrival until it is on disk and told.",
            f"# TYPE {name} histogram",
        ]
        count = 0
        for bound, here in zip((*map(str, BOUNDS), "+Inf"), self._buckets, strict=True):
            count += here
            lines.append(f'{name}_bucket{{le="{bound}"}} {count}')
        lines += [f"{name}_sum {self._seconds:.6f}", f"{name}_count {count}"]
        return "\n".join(lines) + "\n"


def _figure(name: str, kind: str, help_: str, value: float) -> list[str]:
    full = f"tabletop_{name}"
    return [f"# HELP {full} {help_}", f"# TYPE {full} {kind}", f"{full} {value:g}"]
