"""The easy level: a sensible move drawn at random, better ones more often."""

from collections.abc import Sequence
from math import exp
from time import perf_counter
from typing import Final

from tabletop.bots import normal
from tabletop.bots.agent import Agent, Clock, Stop
from tabletop.bots.decision import TIME_LIMITS_S, Decision, Estimate, Question
from tabletop.engine.scratch import FastRng

TEMPERATURE: Final = 0.3
"""The difference in worth, as a share of the victory, that makes a move e times as likely."""
DRAW_STEPS: Final = 10_000
"""The number of steps in which moves are drawn."""


def think(
    agent: Agent, question: Question, luck: FastRng, stop: Stop, clock: Clock = perf_counter
) -> Decision:
    """A move drawn by a softmax over what each seems worth one step ahead; without time, any
    sensible move."""
    until = clock() + TIME_LIMITS_S["easy"]

    def enough() -> bool:
        return stop() or (not question.tries and clock() > until)

    moves = agent.heuristic.moves(question.view, question.ask, luck)
    if not question.seconds:
        return Decision(moves[luck.below(len(moves))], "easy")
    estimates = normal.evaluate(agent, question, moves, luck, enough)
    return Decision(draw_by_worth(estimates, luck).move, "easy")


def draw_by_worth(estimates: Sequence[Estimate], luck: FastRng) -> Estimate:
    """Return one of the estimates, best first: e times as likely for each `TEMPERATURE` more."""
    best = estimates[0].worth
    weights = [exp((estimate.worth - best) / TEMPERATURE) for estimate in estimates]
    at = sum(weights) * luck.below(DRAW_STEPS) / DRAW_STEPS
    for estimate, weight in zip(estimates, weights, strict=True):
        at -= weight
        if at < 0:
            return estimate
    return estimates[-1]
