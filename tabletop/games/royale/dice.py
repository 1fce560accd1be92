"""Dice rolls that may be rerolled, and the sums that they are part of (rulebook 6.7, S17).

Public values show who rolled, for which purpose, and with what result.
"""

from typing import Final

from tabletop.engine.model import Move, Pen, Value
from tabletop.games.royale import reaction_windows
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.items import use_card
from tabletop.games.royale.places import (
    DAMAGE,
    DICE,
    DIE,
    MODIFIER,
    NEED,
    OUTCOME,
    OWN,
    THROW,
    THROWER,
)
from tabletop.games.royale.steps import OwnRoll

BOTH: Final = 0
ROLL_VALUES: Final = (
    *(value.name for value in (THROW, THROWER, OWN, MODIFIER, NEED, OUTCOME, DAMAGE)),
    DICE[1],
    DICE[2],
)
"""The names of all public values that a roll sets. Many of them often stay the same."""


def roll_dice(
    table: Pen,
    purpose: str,
    seat: int,
    count: int = 2,
    *,
    own: int = 0,
    modifier: int = 0,
    need: int = 0,
) -> tuple[int, ...]:
    """Roll dice for `purpose`, publish the roll and its sum, and return what the dice show.

    `own` and `modifier` are added to the dice; `need` is the target number.
    """
    faces = table.roll(purpose, 6, 6) if count > 1 else table.roll(purpose, 6)
    second = faces[1] if count > 1 else 0
    values = table.state.values
    said: tuple[Value, ...] = (purpose, seat, own, modifier, need, "", 0, faces[0], second)
    for name, value in zip(ROLL_VALUES, said, strict=True):
        if values[name] != value:
            table.set(name, value)
    return faces


def clear_dice(table: Pen) -> None:
    """Remove the dice of the previous action from the table."""
    if THROW.of(table.state) or OUTCOME.of(table.state):
        THROW.set(table, "")
        OUTCOME.set(table, "")


def offer_reroll(deck: Deck, table: Pen, step: OwnRoll) -> None:
    """Offer the player who has rolled a reroll, even after a reroll."""
    if reaction_windows.may_reroll(deck, table.state, step.seat, step.purpose):
        DIE.set(table, step.die)
        table.ask(step.seat, "own_roll", step.purpose)


def reroll_dice(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Reroll the dice, whatever they show."""
    (card,) = move.cards
    use_card(deck, table, seat, card)
    look = table.state
    purpose, die = THROW.of(look), DIE.of(look)
    faces = table.roll(purpose, 6, 6) if die == BOTH else table.roll(purpose, 6)
    for place, face in enumerate(faces):
        DICE.set(table, die or place + 1, face)
    table.say(
        "{seat} rolls again with {card}: {dice}.",
        card,
        seat=seat,
        dice=", ".join([str(face) for face in faces]),
    )
    table.then(OwnRoll(purpose, seat, die))
