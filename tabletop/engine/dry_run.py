"""A move tried on a copy of the table, so that a preview can describe what the rules make of it."""

from contextlib import suppress

from tabletop.engine.events import Said
from tabletop.engine.model import Ask, Move, Rng, State, TableReader, Value
from tabletop.engine.play import GameRules, proceed
from tabletop.engine.scratch import SimulationTable


class RandomnessNeeded(Exception):
    """Chance, which no preview foresees."""


class NoRandomness(Rng):
    """The chance of a trial: whatever asks for it ends the trial."""

    def below(self, limit: int) -> int:
        raise RandomnessNeeded

    def shuffled(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        raise RandomnessNeeded


class DryRunTable(SimulationTable):
    """A copy of a table to try rules on; it keeps what they say."""

    def __init__(self, table: TableReader) -> None:
        assert isinstance(table, State | SimulationTable)
        super().__init__(table, NoRandomness())
        self.said: list[Said] = []

    def say(self, text: str, *cards: int, tag: str = "", **args: Value) -> None:
        self.said.append(Said(text, cards, args, tag))


def tried(
    game: GameRules, state: TableReader, ask: Ask, move: Move, *, further: bool = True
) -> DryRunTable:
    """Return a copy of the table after a move, up to the next question or throw of dice; not
    `further` than the move itself, before any planned step.

    `state` is the mover's own view: a hidden card moves there as its back, so only a move whose
    effect depends on cards that its player sees can be tried.

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
