"""Check of drawings that appear on no card: box sides, table background, printed extras, ornament
and rulebook symbols.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tabletop.catalogue.catalogue import GameKit
from tabletop.catalogue.illustrations import read_illustrations
from tabletop.catalogue.printed_box import read_print_config
from tabletop.games.typed_toml import BrokenFile
from tabletop.language.languages import LANGUAGES
from tabletop.language.words import Words
from ui.pictures.shot import ensure_application
from ui.style.art import Art
from ui.style.table_look import SLOT_DRAWING, TABLE_DRAWING
from ui.style.theme import load_theme
from ui.table.items.card_pixmaps import CardPixmaps
from ui.widgets.box_sides import FRONT, SPINE

TEST_SIZE_PX = 32.0
"""The width and height of each test drawing, in pixels."""


def find_broken_drawings(kit: GameKit) -> Iterator[str]:
    """Yield a message for each drawing that is missing or broken."""
    ensure_application()
    prints = CardPixmaps(kit, Art(), Words(LANGUAGES[0], kit), load_theme("light"))
    try:
        wanted = list(_drawings_to_try(kit, prints))
    except BrokenFile as error:
        yield str(error)
        return
    for name, variables in wanted:
        try:
            prints.drawing_pixmap(name, TEST_SIZE_PX, TEST_SIZE_PX, **variables)
        except BrokenFile as error:
            yield str(error)


def _drawings_to_try(
    kit: GameKit, prints: CardPixmaps
) -> Iterator[tuple[str, Mapping[str, object]]]:
    for side in (FRONT, SPINE):
        if (prints.art.picture_folder(kit.id) / f"{side}.svg").is_file():
            yield f"{side}.svg", {}
    for name in (TABLE_DRAWING, SLOT_DRAWING):
        if (prints.art.picture_folder(kit.id) / name).is_file():
            yield name, {}
    for card in read_print_config(kit).card:
        yield card.drawing, card.front
        yield card.drawing, card.back
    for symbol in read_illustrations(kit).symbol:
        yield symbol.drawing, symbol.given
    if (prints.art.picture_folder(kit.id) / "ornament.svg").is_file():
        yield "ornament.svg", {"share": 0.5, "colour": prints.theme.accent}
