"""The normal level: of every move, how good the table looks right after it, over some guesses."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from tabletop.bots.mind import Mind, Stop, play_on, waiting
from tabletop.bots.thought import Estimate, Question, Thought
from tabletop.engine.model import Ask, Chance, Move
from tabletop.engine.play import answer
from tabletop.engine.scratch import Luck, Scratch

LOOKS, FEWEST = 90, 5
"""So many tables are looked at in all, and each move in so many guesses at the least."""
FEW: Final = 5
"""Of so many moves all come to this player's mind, of more every other one: she is no machine."""
GRAINS: Final = 1000
"""So finely errors are drawn."""


def think(mind: Mind, question: Question, luck: Luck, stop: Stop) -> Thought:
    """The move after which the table looks best, of those that come to mind."""
    moves = mind.instinct.moves(question.view, question.ask, luck)
    some = [move for move in moves if luck.below(2)] if len(moves) > FEW else moves
    noticed = some or moves
    found = blurred(weigh(mind, question, noticed, luck, stop), mind.instinct.blur, luck)
    reason = mind.instinct.reason(question.view, question.ask, found[0].move)
    return Thought(found[0].move, "normal", found, reason, found[0].tried)


def blurred(estimates: Sequence[Estimate], blur: float, luck: Luck) -> tuple[Estimate, ...]:
    """The estimates of somebody who errs by so much at most, the best first."""
    if not blur:
        return tuple(estimates)
    found = []
    for estimate in estimates:
        error = blur * (2 * luck.below(GRAINS) / GRAINS - 1)
        found.append(replace(estimate, worth=estimate.worth + error))
    return tuple(sorted(found, key=lambda estimate: -estimate.worth))


def weigh(
    mind: Mind, question: Question, moves: Sequence[Move], luck: Luck, stop: Stop
) -> tuple[Estimate, ...]:
    """The moves, best first, by the worth of the table after them: one step ahead, no further.

    All are tried in the same guessed worlds, so that none is lucky with its guesses.
    """
    if len(moves) == 1:
        return (Estimate(moves[0], 0.0, 0),)
    sums = [0.0] * len(moves)
    tried = 0
    guesses = max(LOOKS // len(moves), FEWEST)
    while tried < guesses and not (tried and stop()):
        tried += 1
        world = Scratch(mind.instinct.guess(question.view, question.past, luck), luck)
        for place, move in enumerate(moves):
            table = world.clone()
            play(mind, table, question.ask, move, luck)
            sums[place] += play_on(mind, table, luck, mind.instinct.quiet)[question.ask.seat]
    estimates = [Estimate(m, s / tried, tried) for m, s in zip(moves, sums, strict=True)]
    return tuple(sorted(estimates, key=lambda estimate: -estimate.worth))


def play(mind: Mind, table: Scratch, ask: Ask, move: Move, chance: Chance) -> None:
    """Play a move in a guessed world; where it is sealed, the others answer by instinct."""
    if ask.sealed:
        for other in [a for a in waiting(table) if a.sealed and a.id != ask.id]:
            answer(mind.game, table, other, mind.instinct.answer(table, other, chance))
    answer(mind.game, table, ask, move)
