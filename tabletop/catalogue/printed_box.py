"""Parts of a printed game besides its cards and board: its `print.toml`.

unprinted = ["needle"]          # backs of cards that only the program needs

[sizes]                         # cards of another size, by their back; width x height in mm
tile = "44x63"

[[card]]                        # a card that is not among the cards: a drawing with two sides
drawing = "sisters/condition.svg"
front = { side = "Close" }      # the variables of the drawing for each side
back = { side = "Far" }
size = "70x120"                 # by default that of the other cards
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Value
from tabletop.games.toml_lines import TomlPath
from tabletop.games.typed_toml import TomlFile, unknown_word

LEAST_SIDE, MOST_SIDE = 20.0, 200.0
"""The limits of a card's sides, in millimetres."""

Size = tuple[float, float]
"""Width and height of a card, in millimetres."""


class DrawnCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A card with a drawing for both of its sides."""

    drawing: str
    front: dict[str, Value] = {}
    back: dict[str, Value] = {}
    size: str = ""


class PrintedBox(Struct, frozen=True, forbid_unknown_fields=True):
    """Parts that are printed in another way than cards, board and pieces."""

    unprinted: tuple[str, ...] = ()
    sizes: dict[str, str] = {}
    """The size of the cards with each back, by the back's name."""
    card: tuple[DrawnCard, ...] = ()

    def size_of(self, back: str) -> Size | None:
        """The size of the cards with this back; None for the usual one."""
        return card_size(self.sizes[back]) if back in self.sizes else None


def printed_box(kit: GameKit) -> PrintedBox:
    """Return the game's entries for print.

    Raises:
        BrokenFile: the file has an error.
    """
    file = TomlFile("print.toml", kit.read_text("print.toml"))
    box = file.read(PrintedBox)
    backs = dict.fromkeys(name for n, name in enumerate(kit.back_names) if n in kit.backs)
    for number, name in enumerate(box.unprinted):
        if name not in kit.back_names:
            raise file.entry_error(("unprinted", number), unknown_word(name, backs))
    for name in box.sizes:
        if name not in kit.back_names:
            raise file.entry_error(("sizes", name), unknown_word(name, backs))
    for path, size in _sizes(box):
        try:
            card_size(size)
        except ValueError as error:
            raise file.entry_error(path, str(error)) from error
    return box


def _sizes(box: PrintedBox) -> Iterator[tuple[TomlPath, str]]:
    for name, size in box.sizes.items():
        yield ("sizes", name), size
    for number, card in enumerate(box.card):
        if card.size:
            yield ("card", number, "size"), card.size


def card_size(text: str) -> Size:
    """Width and height of a card, of a text like "63x88".

    Raises:
        ValueError: it is none; says how to write one.
    """
    match = re.fullmatch(r"(\d{1,3}(?:\.\d+)?) ?[x×] ?(\d{1,3}(?:\.\d+)?)", text)
    size = (float(match[1]), float(match[2])) if match else (0.0, 0.0)
    if not all(LEAST_SIDE <= side <= MOST_SIDE for side in size):
        limits = f"from {LEAST_SIDE:g} to {MOST_SIDE:g}"
        raise ValueError(f'"{text}" isn\'t a card size; write millimetres like 63x88, {limits}.')
    return size
