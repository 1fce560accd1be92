"""The result of a topic: a figure, measured once or more often, and its text."""

from collections.abc import Callable, Iterable
from math import isfinite
from statistics import median, quantiles
from time import process_time_ns

from msgspec import Struct


class Figure(Struct, frozen=True):
    """One quantity. Where it was measured often, the median counts: it bears a busy machine."""

    name: str
    unit: str
    samples: tuple[float, ...]
    most: float | None = None
    """The promise: at most so much."""
    least: float | None = None
    """The promise: at least so much."""
    note: str = ""
    """A further remark."""

    @property
    def promise(self) -> str:
        """ "at most 50", "at least 0.1", or nothing."""
        told = [f"at most {rounded(self.most)}"] if self.most is not None else []
        return ", ".join(
            [*told, f"at least {rounded(self.least)}"] if self.least is not None else told
        )

    @property
    def verdict(self) -> str:
        """Whether the promise is kept: "kept", "missed", or nothing without a promise."""
        measured = median(self.samples)
        missed = (self.most is not None and measured > self.most) or (
            self.least is not None and measured < self.least
        )
        return ("missed" if missed else "kept") if self.promise else ""

    def __str__(self) -> str:
        """ "drawn: 5.10 (4.98 to 5.33) ms, at most 10: kept; 12 seats"."""
        told = f"{self.name}: {spread(self.samples)} {self.unit}".rstrip()
        told += f", {self.promise}: {self.verdict}" if self.promise else ""
        return f"{told}; {self.note}" if self.note else told


def figure(
    name: str,
    unit: str,
    *samples: float,
    most: float | None = None,
    least: float | None = None,
    note: str = "",
) -> Figure:
    """A figure of these samples."""
    return Figure(name, unit, samples, most, least, note)


def percentile(samples: Iterable[float], percent: int) -> float:
    """The value that so many in a hundred do not exceed."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def tail(name: str, unit: str, samples: Iterable[float], most: float | None = None) -> Figure:
    """The value that 99 in 100 of the samples do not exceed."""
    return figure(f"{name}, 99 in 100", unit, percentile(samples, 99), most=most)


def microseconds(act: Callable[[], object], rounds: int = 40, calls: int = 500) -> list[float]:
    """CPU microseconds a call takes, once a round."""
    taken = []
    for _ in range(rounds):
        begun = process_time_ns()
        for _ in range(calls):
            act()
        taken.append((process_time_ns() - begun) / calls / 1000)
    return taken


def rounded(number: float) -> str:
    """Three digits that count: "127,000", "43.2", "5.1", "0.012"."""
    size = abs(number)
    if not isfinite(size):
        return "never"
    if size >= 1000:
        digits = 10 ** (len(str(int(size))) - 3)
        return f"{round(number / digits) * digits:,.0f}"
    if size == int(size):
        return f"{number:.0f}"
    return f"{number:.0f}" if size >= 100 else f"{number:.1f}" if size >= 10 else f"{number:.3g}"


def spread(samples: tuple[float, ...]) -> str:
    """ "5.1 (4.98 to 5.33)": the median and its quartiles; of a few the least and the most."""
    if len(samples) == 1:
        return rounded(samples[0])
    low, high = min(samples), max(samples)
    if len(samples) > 7:
        low, _, high = quantiles(samples, n=4)
    return f"{rounded(median(samples))} ({rounded(low)} to {rounded(high)})"
