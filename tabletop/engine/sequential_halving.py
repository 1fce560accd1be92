"""Sequential halving (Karnin, Koren, Somekh 2013), a best-arm search under a fixed budget.

All candidates are tried in the same determinized worlds, then the better half in more of them,
until one is left. Shared worlds matter because the worlds often differ more than the candidates do.
"""

from collections.abc import Callable

Try = Callable[[int], float]
"""Tries the candidate at an index in a world. Returns the share of the victory, from 0 to 1."""
Deal = Callable[[], Try]
"""Deals a random world and returns the function that tries candidates in it."""
RankedCandidate = tuple[int, float, int]
"""A candidate's index, its mean share of the victory, and the number of worlds it was tried in."""


def sequential_halving(
    count: int, deal: Deal, used_fraction: Callable[[int], float], max_tries: int
) -> list[RankedCandidate]:
    """Return `count` candidates ranked best first.

    `used_fraction` maps the number of tries so far to the used fraction of the time, 1 at the end.
    About `max_tries` tries are made at most, even if time is left. The worse half of the candidates
    is dropped after each equal part of the budget.
    """
    left = list(range(count))
    sums, tries = [0.0] * count, [0] * count
    halvings = (count - 1).bit_length()
    done, tried = 0, 0
    while len(left) > 1:
        share = deal()
        for number in left:
            sums[number] += share(number)
            tries[number] += 1
        tried += len(left)
        used = max(used_fraction(tried), tried / max_tries)
        while done < halvings and used * halvings >= done + 1:
            done += 1
            left.sort(key=lambda number: -sums[number])
            del left[(len(left) + 1) // 2 :]
    order = sorted(range(count), key=lambda number: (-tries[number], -sums[number]))
    return [(number, sums[number] / tries[number], tries[number]) for number in order]
