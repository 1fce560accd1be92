"""Dry runs of a move on a copy of the table, so that a preview can describe the move's effects."""

from contextlib import suppress

from tabletop.engine.events import Said
from tabletop.engine.model import Ask, Move, Rng, State, TableReader, Value
from tabletop.engine.play import GameRules, proceed
from tabletop.engine.scratch import SimulationTable


class RandomnessNeeded(Exception):
    """Raised when a dry run reaches a random event, whose result can't be previewed."""


class NoRandomness(Rng):
    """The random number generator of a dry run.

    Every draw ends the dry run with `RandomnessNeeded`.
    """

    def below(self, limit: int) -> int:
        raise RandomnessNeeded

    def shuffled(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        raise RandomnessNeeded


class DryRunTable(SimulationTable):
    """A copy of a table for a dry run. It stores the lines that the rules log."""

    def __init__(self, table: TableReader) -> None:
        assert isinstance(table, State | SimulationTable)
        super().__init__(table, NoRandomness())
        self.said: list[Said] = []

    def say(self, text: str, *cards: int, tag: str = "", **args: Value) -> None:
        self.said.append(Said(text, cards, args, tag))


def tried(
    game: GameRules, state: TableReader, ask: Ask, move: Move, *, further: bool = True
) -> DryRunTable:
    """Return a copy of the table after `move`, run up to the next question or random event.

    With `further` False, stop before any planned step. `state` is the player's own view, in which a
    hidden card is moved by the number of its back. Therefore a move can be tried only if its effect
    doesn't depend on hidden cards.

    >>> state = mask(start(game, 2, "seed", backs).state, 0)
    >>> after = tried(game, state, state.asks[0], Move(0, "take", (3,)))
    >>> after.cards["hand/0"], after.asks[0].seat
    ((3,), 1)
    """
    trial = DryRunTable(state)
    with suppress(RandomnessNeeded):
        trial.withdraw(ask.id)
        game.play(trial, ask.seat, move)
        if further:
            proceed(game, trial)
    return trial
