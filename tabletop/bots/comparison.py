"""Comparison of a few moves, each tried equally often in the same determinized worlds.

A search visits good moves often and others rarely, so the means of two moves can't be subtracted.
Here every world is played on after each move, and the differences within each world are averaged,
so that the luck of hidden cards cancels out.

All simulations of one tree share the replies that it has learned, and another tree learns others.
The tries are therefore divided among several independent trees, and the interval includes the
differences between trees.
"""

from collections.abc import Callable, Sequence
from math import hypot, inf, sqrt
from statistics import fmean, stdev
from time import perf_counter
from typing import Final

from tabletop.bots.agent import Agent, Clock, Stop
from tabletop.bots.decision import Decision, Estimate, Question
from tabletop.bots.hard import Search, evaluator_deal, try_equally, used_fraction
from tabletop.engine.scratch import FastRng
from tabletop.engine.sequential_halving import Deal

TREES: Final = 4
"""The number of independent trees in a comparison by the general search."""
Z_95: Final = 1.96
"""The number of standard errors on each side of a mean in a 95% confidence interval."""
T_95_OF_TREES: Final = 3.182
"""`Z_95` for a standard error that is estimated from `TREES` values (Student's t)."""


Sample = list[list[float]]
"""The results of the moves in the same worlds: a list per world, in the order of the moves."""


class Difference:
    """The mean and error of a move's lead over the first move, measured in the same worlds."""

    def __init__(self) -> None:
        self.count = 0
        self._sum = 0.0
        self._squares = 0.0

    def add(self, lead: float) -> None:
        """Add the lead in another world."""
        self.count += 1
        self._sum += lead
        self._squares += lead * lead

    @property
    def mean(self) -> float:
        return self._sum / self.count

    @property
    def error(self) -> float:
        """Half the width of the 95% confidence interval of the mean."""
        count = self.count
        if count < 2:
            return inf
        spread = max(0.0, self._squares / count - self.mean**2)
        return Z_95 * sqrt(spread / (count - 1))


def think(
    agent: Agent, question: Question, rng: FastRng, stop: Stop, clock: Clock = perf_counter
) -> Decision:
    """Compare the moves in `question.compared`.

    The error of each estimate is that of the move's lead over the first move.
    """
    moves, started = question.compared, clock()

    def used(tried: int) -> float:
        return used_fraction(question, tried, started, stop, clock)

    deal = evaluator_deal(agent, question, moves, rng, margin=False)
    if deal is not None:
        sample, tried = _sample_by_evaluator(deal, len(moves), used)
        samples = [sample]
    else:
        samples, tried = _sample_by_trees(agent, question, rng, used)
    counted = sum([len(sample) for sample in samples])
    own = fmean([fmean([result[0] for result in sample]) for sample in samples])
    estimates = []
    for number, move in enumerate(moves):
        leads = [_lead(sample, number) for sample in samples]
        error = leads[0].error if deal is not None else error_of_trees(leads)
        worth = own + fmean([lead.mean for lead in leads])
        estimates.append(Estimate(move, worth, counted, error))
    estimates.sort(key=lambda estimate: -estimate.worth)
    best = estimates[0].move
    reason = agent.heuristic.reason(question.view, question.ask, best)
    return Decision(best, question.level, tuple(estimates), reason, tried)


def _sample_by_evaluator(
    deal: Deal, moves: int, used: Callable[[int], float]
) -> tuple[Sample, int]:
    """Return the results of so many moves by the game's own evaluation, and the number of tries."""
    sample: Sample = []
    while not sample or used(len(sample) * moves) < 1:
        share = deal()
        sample.append([share(number) for number in range(moves)])
    return sample, len(sample) * moves


def _sample_by_trees(
    agent: Agent, question: Question, rng: FastRng, used: Callable[[int], float]
) -> tuple[list[Sample], int]:
    """Return the results in each tree, and the number of tries.

    If the search is stopped, there are fewer than `TREES`.
    """
    moves = question.compared
    samples: list[Sample] = []
    tried = 0
    while len(samples) < TREES and (not samples or used(tried) < 1):
        search = Search(agent, question, rng, moves)
        earlier = tried

        def used_so_far(search: Search = search, earlier: int = earlier) -> float:
            return used(earlier + search.simulations)

        until = (len(samples) + 1) / TREES
        samples.append(try_equally(search, moves, used_so_far, until, margin=False))
        tried += search.simulations
    return samples, tried


def _lead(sample: Sample, number: int) -> Difference:
    """Return the lead of a move over the first one."""
    lead = Difference()
    for result in sample:
        lead.add(result[number] - result[0])
    return lead


def error_of_trees(leads: Sequence[Difference]) -> float:
    """Return half the width of the 95% confidence interval of the mean of `leads`, one per tree.

    It is never narrower than the differences between worlds imply, because a few trees may agree by
    chance.
    """
    if len(leads) < TREES:
        return inf
    between_trees = T_95_OF_TREES * stdev([lead.mean for lead in leads]) / sqrt(len(leads))
    between_worlds = hypot(*[lead.error for lead in leads]) / len(leads)
    return max(between_trees, between_worlds)
