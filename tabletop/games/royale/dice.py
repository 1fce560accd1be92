"""Dice on the table with the sum they are part of (rulebook 6.7, S17), which may be thrown again.

The table's values show who threw them, for what, and with which result.
"""

from typing import Final

from tabletop.engine.model import Move, Pen, as_number
from tabletop.games.royale import windows
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.items import use

BOTH: Final = 0


def throw(
    table: Pen,
    purpose: str,
    seat: int,
    count: int = 2,
    *,
    own: int = 0,
    modifier: int = 0,
    need: int = 0,
) -> tuple[int, ...]:
    """Dice for a sum, with the modifiers before them and the number to reach."""
    faces = table.roll(purpose, 6, 6) if count > 1 else table.roll(purpose, 6)
    second = faces[1] if count > 1 else 0
    values = table.state.values
    for key, value in (
        ("throw", purpose),
        ("thrower", seat),
        ("own", own),
        ("modifier", modifier),
        ("need", need),
        ("outcome", ""),
        ("damage", 0),
        ("dice/1", faces[0]),
        ("dice/2", second),
    ):
        if values[key] != value:
            table.set(key, value)
    return faces


def clear(table: Pen) -> None:
    """Take up the dice of the last action before the next one."""
    if table.state.values["throw"] or table.state.values["outcome"]:
        table.set("throw", "")
        table.set("outcome", "")


def own_roll(deck: Deck, table: Pen, purpose: str, seat: int, die: int) -> None:
    """Opens after every throw, also after one that was thrown again. `die`: 1, 2 or both."""
    if windows.may_reroll(deck, table.state, seat, purpose):
        table.set("die", die)
        table.ask(seat, "own_roll", purpose)


def reroll(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """All of them, whatever they show, a fumble too."""
    (card,) = move.cards
    use(deck, table, seat, card)
    look = table.state
    purpose, die = str(look.values["throw"]), as_number(look.values["die"])
    faces = table.roll(purpose, 6, 6) if die == BOTH else table.roll(purpose, 6)
    for place, face in enumerate(faces):
        table.set(f"dice/{die or place + 1}", face)
    table.say(
        "{seat} rolls again with {card}: {dice}.",
        card,
        seat=seat,
        dice=" ".join([str(face) for face in faces]),
    )
    table.then("own_roll", purpose, seat, die)
