"""Parts of a printed game besides its cards and board: its `print.toml`.

unprinted = ["needle"]          # backs of cards that only the program needs

[[card]]                        # a card that is not among the cards: a drawing with two sides
drawing = "sisters/condition.svg"
front = { side = "Close" }      # the variables of the drawing for each side
back = { side = "Far" }
"""

from msgspec import Struct

from tabletop.catalogue.catalogue import Kit
from tabletop.engine.model import Value
from tabletop.games.typed_toml import TomlFile


class DrawnCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A card with a drawing for both of its sides."""

    drawing: str
    front: dict[str, Value] = {}
    back: dict[str, Value] = {}


class PrintedBox(Struct, frozen=True, forbid_unknown_fields=True):
    """Parts that are printed in another way than cards, board and pieces."""

    unprinted: tuple[str, ...] = ()
    card: tuple[DrawnCard, ...] = ()


def printed_box(kit: Kit) -> PrintedBox:
    """Return the game's entries for print.

    Raises:
        BrokenFile: the file has an error.
    """
    return TomlFile("print.toml", kit.text("print.toml")).read(PrintedBox)
