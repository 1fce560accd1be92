"""The normal level: evaluates the table after each move, averaged over determinized worlds."""

from collections.abc import Sequence
from itertools import pairwise
from math import exp
from time import perf_counter
from typing import Final

from msgspec.structs import replace

from tabletop.bots.agent import Agent, Clock, Stop, open_questions, play_out
from tabletop.bots.decision import TIME_LIMITS_S, Decision, Estimate, Question
from tabletop.engine.model import Ask, Move, Rng
from tabletop.engine.play import answer
from tabletop.engine.scratch import FastRng, SimulationTable

MAX_EVALUATIONS, MIN_WORLDS = 90, 5
"""The maximum number of tables evaluated in total, and the minimum number of worlds per move."""
MAX_NEVER_OVERLOOKED: Final = 5
"""With this many moves or fewer, a human overlooks none of them."""
OVERLOOK_SCALE: Final = 0.05
"""The lead over the next move, as a share of the victory, that makes overlooking e times rarer."""
ERROR_STEPS: Final = 1000
"""The number of possible values of a random error."""


def think(
    agent: Agent, question: Question, rng: FastRng, stop: Stop, clock: Clock = perf_counter
) -> Decision:
    """Return the move that leads to the best table one step ahead, with simulated human errors."""
    until = clock() + TIME_LIMITS_S["normal"]

    def enough() -> bool:
        return stop() or (not question.tries and clock() > until)

    moves = agent.heuristic.moves(question.view, question.ask, rng)
    estimates = add_errors(evaluate(agent, question, moves, rng, enough), agent.heuristic.blur, rng)
    if len(moves) > MAX_NEVER_OVERLOOKED:
        estimates = overlook_some(estimates, rng)
    reason = agent.heuristic.reason(question.view, question.ask, estimates[0].move)
    return Decision(estimates[0].move, "normal", estimates, reason, estimates[0].tried)


def add_errors(estimates: Sequence[Estimate], blur: float, rng: FastRng) -> tuple[Estimate, ...]:
    """Return `estimates` with random errors of up to `blur`, best first."""
    if not blur:
        return tuple(estimates)
    noisy = []
    for estimate in estimates:
        error = blur * (2 * rng.below(ERROR_STEPS) / ERROR_STEPS - 1)
        noisy.append(replace(estimate, worth=estimate.worth + error))
    return tuple(sorted(noisy, key=lambda estimate: -estimate.worth))


def overlook_some(estimates: Sequence[Estimate], rng: FastRng) -> tuple[Estimate, ...]:
    """Return `estimates`, best first, without the leading moves that a human would overlook.

    A move that is no better than the next is overlooked half the time, one that stands out rarely.
    """
    for number, (estimate, following) in enumerate(pairwise(estimates)):
        lead = estimate.worth - following.worth
        if rng.below(ERROR_STEPS) >= ERROR_STEPS / 2 * exp(-lead / OVERLOOK_SCALE):
            return tuple(estimates[number:])
    return tuple(estimates[-1:])


def evaluate(
    agent: Agent, question: Question, moves: Sequence[Move], rng: FastRng, stop: Stop
) -> tuple[Estimate, ...]:
    """Return the moves, best first, with the share of the victory one step ahead.

    All moves are tried in the same determinized worlds, so that hidden cards favour none of them.
    If time runs out in the first world, moves that weren't tried are omitted.
    """
    if len(moves) == 1:
        return (Estimate(moves[0], 0.0, 0),)
    sums: list[float] = []
    tried = 0
    guesses = max(MAX_EVALUATIONS // len(moves), MIN_WORLDS)
    while tried < guesses and not (tried and stop()):
        world = SimulationTable(agent.heuristic.determinize(question.view, question.past, rng), rng)
        worths: list[float] = []
        for move in moves:
            if worths and stop():
                break
            table = world.clone()
            play(agent, table, question.ask, move, rng)
            worths.append(play_out(agent, table, rng, agent.heuristic.quiet)[question.ask.seat])
        if tried and len(worths) < len(moves):
            break  # discard an incomplete world
        tried += 1
        sums = [s + f for s, f in zip(sums, worths, strict=True)] if sums else worths
        if len(worths) < len(moves):
            break
    estimates = [Estimate(m, s / tried, tried) for m, s in zip(moves, sums, strict=False)]
    return tuple(sorted(estimates, key=lambda estimate: -estimate.worth))


def play(agent: Agent, table: SimulationTable, ask: Ask, move: Move, chance: Rng) -> None:
    """Play `move` in a determinized world.

    If the answer is sealed, the heuristic answers for the other seats.
    """
    if ask.sealed:
        for other in [a for a in open_questions(table) if a.sealed and a.id != ask.id]:
            answer(agent.game, table, other, agent.heuristic.answer(table, other, chance))
    answer(agent.game, table, ask, move)
