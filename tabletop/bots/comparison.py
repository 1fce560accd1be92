"""Comparison of a few moves by as many tries each, in the same determinized worlds.

A search for the best move tries good moves often and others seldom, so the means of two moves can't
be subtracted. Here every world is played on after each of the moves, and the differences within a
world are averaged: luck with the hidden cards falls on all of them alike.
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

LEARNING: Final = 0.5
"""The part of the time whose tries don't count: the tree still explores what follows each move.
After that everybody plays what has proved best."""
NORMAL_95: Final = 1.96
"""Standard errors on each side of a mean that make an interval of 95%."""


class Difference:
    """The mean of a move's leads over the first move, world by world, and its error."""

    def __init__(self) -> None:
        self.count = 0
        self._sum = 0.0
        self._squares = 0.0

    def add(self, lead: float) -> None:
        """Count the lead in one more world."""
        self.count += 1
        self._sum += lead
        self._squares += lead * lead

    @property
    def mean(self) -> float:
        return self._sum / self.count

    @property
    def error(self) -> float:
        """Half the 95% interval of the mean."""
        count = self.count
        if count < 2:
            return inf
        spread = max(0.0, self._squares / count - self.mean**2)
        return NORMAL_95 * sqrt(spread / (count - 1))


def think(
    agent: Agent, question: Question, luck: FastRng, stop: Stop, clock: Clock = perf_counter
) -> Decision:
    """Compare `question.compared`; each estimate has the error of its lead over the first move."""
    moves, started = question.compared, clock()
    search = Search(agent, question, luck, moves)
    deal = evaluator_deal(agent, question, moves, luck, margin=False) or _search_dealer(
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
        if learning and over >= LEARNING:
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
    """Return a function that deals a world in which the search tries these moves."""

    def deal() -> Try:
        world = search.deal_world()
        return lambda number: search.simulate(moves[number], world)

    return deal
