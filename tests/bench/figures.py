"""Medians and quartiles of repeated measurements."""

from collections.abc import Callable, Sequence
from statistics import median, quantiles
from time import process_time_ns


def microseconds(act: Callable[[], object], rounds: int = 40, calls: int = 500) -> list[float]:
    """CPU microseconds a call takes, once a round."""
    taken = []
    for _ in range(rounds):
        begun = process_time_ns()
        for _ in range(calls):
            act()
        taken.append((process_time_ns() - begun) / calls / 1000)
    return taken


def spread(figures: Sequence[float], form: str = ".2f") -> str:
    """ "5.10 (4.98 to 5.33)": the median, and the quartiles about it."""
    low, _, high = quantiles(figures, n=4)
    return f"{median(figures):{form}} ({low:{form}} to {high:{form}})"
