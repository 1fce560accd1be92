"""Comparison of a few moves, each tried equally often in the same determinized worlds.

A search visits good moves often and others rarely, so the means of two moves can't be subtracted.
Here every world is played on after each move, and the differences within each world are averaged,
so that the luck of hidden cards cancels out.
"""

from collections.abc import Sequence
from math import inf, sqrt
from time import perf_counter
from typing import Final

from tabletop.bots.agent import Agent, Clock, Stop
from tabletop.bots.decision import Decision, Estimate, Question
from tabletop.bots.hard import Search, evaluator_deal, used_fraction
from tabletop.engine.model import Move
from tabletop.engine.scratch import FastRng
from tabletop.engine.sequential_halving import Deal, Try

LEARNING_TIME_SHARE: Final = 0.5
"""The initial fraction of the time, in which the tree explores replies and no try counts.

After that, every seat plays the best moves found.
"""
Z_95: Final = 1.96
"""The number of standard errors on each side of a mean in a 95% confidence interval."""


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
    search = Search(agent, question, rng, moves)
    deal = evaluator_deal(agent, question, moves, rng, margin=False) or _search_dealer(
        search, moves
    )
    leads = [Difference() for _ in moves]
    own = Difference()
    learning, tried = True, 0
    while True:
        share = deal()
        worths = [share(number) for number in range(len(moves))]
        tried += len(moves)
        own.add(worths[0])
        for lead, worth in zip(leads, worths, strict=True):
            lead.add(worth - worths[0])
        over = used_fraction(question, tried, started, stop, clock)
        if over >= 1:
            break
        if learning and over >= LEARNING_TIME_SHARE:
            search.exploration_weight = 0.0
            learning, own, leads = False, Difference(), [Difference() for _ in moves]
    counted = own.count
    estimates = [
        Estimate(move, own.mean + lead.mean, counted, lead.error)
        for move, lead in zip(moves, leads, strict=True)
    ]
    estimates.sort(key=lambda estimate: -estimate.worth)
    best = estimates[0].move
    reason = agent.heuristic.reason(question.view, question.ask, best)
    return Decision(best, question.level, tuple(estimates), reason, tried)


def _search_dealer(search: Search, moves: Sequence[Move]) -> Deal:
    """Return a function that deals a world in which `search` tries `moves`."""

    def deal() -> Try:
        world = search.deal_world()
        return lambda number: search.simulate(moves[number], world)

    return deal
