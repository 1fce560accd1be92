"""Sequential halving (Karnin, Koren, Somekh 2013): all candidates are tried in the same
determinized worlds, then the better half in more of them, until one is left.

So no candidate is lucky with its worlds: the difference between worlds is often far larger than
that between candidates.
"""

from collections.abc import Callable

Try = Callable[[int], float]
"""Tries the candidate of this number in a world; returns the share of the victory."""
Deal = Callable[[], Try]
"""Deals a world to try candidates in."""
RankedCandidate = tuple[int, float, int]
"""A candidate's number, its mean share of the victory, and the number of worlds it was tried in."""


def sequential_halving(
    count: int, deal: Deal, gone: Callable[[int], float], most: int
) -> list[RankedCandidate]:
    """The candidates, numbered from 0, best first. `gone` maps a number of tries to the part of the
    time used, 1 where all of it is; at most `most` tries are made, whatever time is left.

    The worse half is dropped each time that an equal part of the time has passed.
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
        over = max(gone(tried), tried / most)
        while done < halvings and over * halvings >= done + 1:
            done += 1
            left.sort(key=lambda number: -sums[number])
            del left[(len(left) + 1) // 2 :]
    order = sorted(range(count), key=lambda number: (-tries[number], -sums[number]))
    return [(number, sums[number] / tries[number], tries[number]) for number in order]
