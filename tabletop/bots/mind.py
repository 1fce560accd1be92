"""A game as a mind holds it, and how it plays on in a guessed world."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from tabletop.engine.instinct import Instinct
from tabletop.engine.model import Ask, Chance, Look
from tabletop.engine.play import Game, answer
from tabletop.engine.scratch import Scratch
from tabletop.engine.teams import shared

Stop = Callable[[], bool]
"""Whether to stop thinking now; asked often."""

Clock = Callable[[], float]
"""Seconds, from any moment on: those of the wall, or those that this thread alone has used."""

RESTLESS: Final = 30
"""So many moves more at most a restless table is played on."""


class Mind(NamedTuple):
    """The rules of a game, and the instinct to play it with."""

    game: Game
    instinct: Instinct

    def worth(self, table: Look) -> Sequence[float]:
        """Each seat's share of the victory, 0 to 1; of partners the same, that of their team."""
        return shared(table, self.instinct.worth(table))


def waiting(table: Scratch) -> list[Ask]:
    """The questions that must still be answered; what need not be, bots leave alone."""
    given, asks = table.answers, table.asks
    if len(asks) == 1 and not given and not asks[0].optional:
        return asks  # mostly it is so
    return [ask for ask in asks if not ask.optional and ask.id not in given]


def next_question(table: Scratch) -> Ask | None:
    """The first of the questions that must still be answered."""
    given = table.answers
    for ask in table.asks:
        if not ask.optional and ask.id not in given:
            return ask
    return None


def play_on(mind: Mind, table: Scratch, chance: Chance, moves: int) -> Sequence[float]:
    """Play a table on by instinct for so many moves, and on while it is restless, or to the end;
    gives what it is worth then."""
    game, instinct = mind
    left = moves
    # of a `Restless` one; `isinstance` would take a twentieth of a simulation to tell
    restless: Callable[[Look], bool] | None = getattr(instinct, "restless", None)
    while table.result is None:
        if left <= 0 and (restless is None or left <= -RESTLESS or not restless(table)):
            break
        left -= 1
        ask = next_question(table)
        if ask is None:
            break
        answer(game, table, ask, instinct.answer(table, ask, chance))
    return mind.worth(table)
