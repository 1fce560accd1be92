"""Configuration of print-and-play sheets: the print.toml of a game.

unprinted = ["needle"]          # names of backs; their cards are needed only by the program

[sizes]                         # width x height in mm of unusual cards, by the name of their back
tile = "44x63"

[[card]]                        # an additional card: a drawing with two sides
drawing = "sisters/condition.svg"
front = { side = "Close" }      # the variables of the drawing for each side
back = { side = "Far" }
copies = 4                      # by default 1
size = "70x120"                 # by default the usual size of cards
"""

import re
from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, Struct

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Value
from tabletop.games.toml_lines import TomlPath
from tabletop.games.typed_toml import TomlFile, unknown_word

MAX_COPIES = 100
"""The maximum number of copies of an additional card."""
MIN_SIDE_MM = 20.0
MAX_SIDE_MM = 200.0

SizeMm = tuple[float, float]
"""The width and height of a card, in millimetres."""


class DrawnCard(Struct, frozen=True, forbid_unknown_fields=True):
    """An additional card, printed from a drawing with different variables for each side."""

    drawing: str
    front: dict[str, Value] = {}
    back: dict[str, Value] = {}
    copies: Annotated[int, Meta(ge=1, le=MAX_COPIES)] = 1
    size: str = ""


class PrintConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of print.toml."""

    unprinted: tuple[str, ...] = ()
    """The names of card backs whose cards aren't printed."""
    sizes: dict[str, str] = {}
    """The sizes of cards that don't have the usual size, by the name of their back."""
    card: tuple[DrawnCard, ...] = ()

    def card_size_for(self, back: str) -> SizeMm | None:
        """Return the size of cards with this back; None if they have the usual size."""
        return parse_card_size(self.sizes[back]) if back in self.sizes else None


def read_print_config(kit: GameKit) -> PrintConfig:
    """Return the content of a game's print.toml; an empty configuration if there is no such file.

    Raises:
        BrokenFile: the file has an error.
    """
    file = TomlFile("print.toml", kit.read_text("print.toml"))
    box = file.read(PrintConfig)
    backs = dict.fromkeys(name for n, name in enumerate(kit.back_names) if n in kit.backs)
    for number, name in enumerate(box.unprinted):
        if name not in kit.back_names:
            raise file.entry_error(("unprinted", number), unknown_word(name, backs))
    for name in box.sizes:
        if name not in kit.back_names:
            raise file.entry_error(("sizes", name), unknown_word(name, backs))
    for path, size in _iter_sizes(box):
        try:
            parse_card_size(size)
        except ValueError as error:
            raise file.entry_error(path, str(error)) from error
    return box


def _iter_sizes(box: PrintConfig) -> Iterator[tuple[TomlPath, str]]:
    for name, size in box.sizes.items():
        yield ("sizes", name), size
    for number, card in enumerate(box.card):
        if card.size:
            yield ("card", number, "size"), card.size


def parse_card_size(text: str) -> SizeMm:
    """Parse a card size in millimetres, such as "63x88".

    Raises:
        ValueError: the text isn't a valid size; the message explains the format.
    """
    match = re.fullmatch(r"(\d{1,3}(?:\.\d+)?) ?[x×] ?(\d{1,3}(?:\.\d+)?)", text)
    size = (float(match[1]), float(match[2])) if match else (0.0, 0.0)
    if not all(MIN_SIDE_MM <= side <= MAX_SIDE_MM for side in size):
        limits = f"from {MIN_SIDE_MM:g} to {MAX_SIDE_MM:g}"
        raise ValueError(f'"{text}" isn\'t a card size; write millimetres like 63x88, {limits}.')
    return size
