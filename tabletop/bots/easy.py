"""The easy level: plays a random sensible move, a better one with a higher probability."""

from collections.abc import Sequence
from math import exp
from time import perf_counter
from typing import Final

from tabletop.bots import normal
from tabletop.bots.agent import Agent, Clock, Stop
from tabletop.bots.decision import TIME_LIMITS_S, Decision, Estimate, Question
from tabletop.engine.scratch import FastRng

TEMPERATURE: Final = 0.3
"""The difference in the share of the victory that makes a move e times as likely."""
DRAW_STEPS: Final = 10_000
"""The number of possible values of the random draw."""


def think(
    agent: Agent, question: Question, rng: FastRng, stop: Stop, clock: Clock = perf_counter
) -> Decision:
    """Return a move drawn by softmax over the share of the victory one step ahead.

    If there is no time, all sensible moves are equally likely.
    """
    until = clock() + TIME_LIMITS_S["easy"]

    def enough() -> bool:
        return stop() or (not question.tries and clock() > until)

    moves = agent.heuristic.moves(question.view, question.ask, rng)
    if not question.seconds:
        return Decision(moves[rng.below(len(moves))], "easy")
    estimates = normal.evaluate(agent, question, moves, rng, enough)
    return Decision(draw_by_worth(estimates, rng).move, "easy")


def draw_by_worth(estimates: Sequence[Estimate], rng: FastRng) -> Estimate:
    """Return a random estimate by softmax with `TEMPERATURE`. `estimates` are best first."""
    best = estimates[0].worth
    weights = [exp((estimate.worth - best) / TEMPERATURE) for estimate in estimates]
    at = sum(weights) * rng.below(DRAW_STEPS) / DRAW_STEPS
    for estimate, weight in zip(estimates, weights, strict=True):
        at -= weight
        if at < 0:
            return estimate
    return estimates[-1]
