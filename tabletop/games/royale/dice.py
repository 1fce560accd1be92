"""Own dice lie on the table: the roller may throw them again (rulebook 6.7, S17)."""

from tabletop.engine.model import Pen
from tabletop.games.royale import windows
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.items import use

BOTH = 0


def own_roll(deck: Deck, table: Pen, throw: str, seat: int, die: int) -> None:
    """Opens after every throw, also after one that was thrown again. `die`: 1, 2 or both."""
    if windows.may_reroll(deck, table.state, seat, throw):
        table.set("throw", throw)
        table.set("die", die)
        table.ask(seat, "own_roll", throw)


def reroll(deck: Deck, table: Pen, seat: int, card: int) -> None:
    """All of them, whatever they show, a fumble too."""
    use(deck, table, seat, card)
    look = table.state
    throw, die = str(look.values["throw"]), int(look.values["die"])
    faces = table.roll(throw, 6, 6) if die == BOTH else table.roll(throw, 6)
    for place, face in enumerate(faces):
        table.set(f"dice/{die or place + 1}", face)
    table.say(
        "{seat} rolls again with {card}: {dice}.",
        card,
        seat=seat,
        dice=" ".join([str(face) for face in faces]),
    )
    table.then("own_roll", throw, seat, die)
