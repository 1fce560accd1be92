"""The normal level: the worth of the table right after each move, over some determinizations."""

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
"""The number of tables considered in all, and the fewest determinizations for each move."""
MAX_NEVER_OVERLOOKED: Final = 5
"""The number of moves up to which a person overlooks none."""
OVERLOOK_SCALE: Final = 0.05
"""The lead of a move over the next one, as a share of the victory, at which it is overlooked 1/e
times as often as one that is no better."""
ERROR_STEPS: Final = 1000
"""The number of steps in which errors are drawn."""


def think(
    agent: Agent, question: Question, luck: FastRng, stop: Stop, clock: Clock = perf_counter
) -> Decision:
    """The move with the best table right after it, among those considered in time."""
    until = clock() + TIME_LIMITS_S["normal"]

    def enough() -> bool:
        return stop() or (not question.tries and clock() > until)

    moves = agent.heuristic.moves(question.view, question.ask, luck)
    estimates = add_errors(
        evaluate(agent, question, moves, luck, enough), agent.heuristic.blur, luck
    )
    if len(moves) > MAX_NEVER_OVERLOOKED:
        estimates = overlook_some(estimates, luck)
    reason = agent.heuristic.reason(question.view, question.ask, estimates[0].move)
    return Decision(estimates[0].move, "normal", estimates, reason, estimates[0].tried)


def add_errors(estimates: Sequence[Estimate], blur: float, luck: FastRng) -> tuple[Estimate, ...]:
    """The estimates of a player who errs by up to this much, best first."""
    if not blur:
        return tuple(estimates)
    noisy = []
    for estimate in estimates:
        error = blur * (2 * luck.below(ERROR_STEPS) / ERROR_STEPS - 1)
        noisy.append(replace(estimate, worth=estimate.worth + error))
    return tuple(sorted(noisy, key=lambda estimate: -estimate.worth))


def overlook_some(estimates: Sequence[Estimate], luck: FastRng) -> tuple[Estimate, ...]:
    """The estimates, best first, of a player who overlooks moves: one that is no better than the
    next every other time, one that stands out seldom."""
    for number, (estimate, following) in enumerate(pairwise(estimates)):
        lead = estimate.worth - following.worth
        if luck.below(ERROR_STEPS) >= ERROR_STEPS / 2 * exp(-lead / OVERLOOK_SCALE):
            return tuple(estimates[number:])
    return tuple(estimates[-1:])


def evaluate(
    agent: Agent, question: Question, moves: Sequence[Move], luck: FastRng, stop: Stop
) -> tuple[Estimate, ...]:
    """The moves, best first, by the worth of the table after them: one step ahead, no further.

    All are tried in the same determinized worlds, so that none is lucky with its guesses. Of more
    moves than there is time for the first ones are tried, in one world; the others are left out.
    """
    if len(moves) == 1:
        return (Estimate(moves[0], 0.0, 0),)
    sums: list[float] = []
    tried = 0
    guesses = max(MAX_EVALUATIONS // len(moves), MIN_WORLDS)
    while tried < guesses and not (tried and stop()):
        world = SimulationTable(
            agent.heuristic.determinize(question.view, question.past, luck), luck
        )
        worths: list[float] = []
        for move in moves:
            if worths and stop():
                break
            table = world.clone()
            play(agent, table, question.ask, move, luck)
            worths.append(play_out(agent, table, luck, agent.heuristic.quiet)[question.ask.seat])
        if tried and len(worths) < len(moves):
            break  # only some moves were tried in this world
        tried += 1
        sums = [s + f for s, f in zip(sums, worths, strict=True)] if sums else worths
        if len(worths) < len(moves):
            break
    estimates = [Estimate(m, s / tried, tried) for m, s in zip(moves, sums, strict=False)]
    return tuple(sorted(estimates, key=lambda estimate: -estimate.worth))


def play(agent: Agent, table: SimulationTable, ask: Ask, move: Move, chance: Rng) -> None:
    """Play a move in a determinized world; where it is sealed, the others answer by the
    heuristic."""
    if ask.sealed:
        for other in [a for a in open_questions(table) if a.sealed and a.id != ask.id]:
            answer(agent.game, table, other, agent.heuristic.answer(table, other, chance))
    answer(agent.game, table, ask, move)
