"""Broken drawings of a game that no card and no table shows: the sides of its box, its ornament,
what is printed besides its cards, the signs of its rulebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tabletop.catalogue.catalogue import GameKit
from tabletop.catalogue.illustrations import read_illustrations
from tabletop.catalogue.printed_box import read_print_config
from tabletop.games.typed_toml import BrokenFile
from tabletop.language.languages import LANGUAGES
from tabletop.language.words import Words
from ui.pictures.shot import application
from ui.style.art import Art
from ui.style.table_look import SLOT, TABLE
from ui.style.theme import theme
from ui.table.items.card_pixmaps import CardPixmaps
from ui.widgets.box_sides import FRONT, SPINE

SIDE = 32.0
"""Pixels across of what is drawn."""


def broken_drawings(kit: GameKit) -> Iterator[str]:
    """Yield a sentence for each drawing that is missing or broken."""
    application()
    prints = CardPixmaps(kit, Art(), Words(LANGUAGES[0], kit), theme("light"))
    try:
        wanted = list(_drawings_to_try(kit, prints))
    except BrokenFile as error:
        yield str(error)
        return
    for name, variables in wanted:
        try:
            prints.drawing(name, SIDE, SIDE, **variables)
        except BrokenFile as error:
            yield str(error)


def _drawings_to_try(
    kit: GameKit, prints: CardPixmaps
) -> Iterator[tuple[str, Mapping[str, object]]]:
    for side in (FRONT, SPINE):
        if (prints.art.folder(kit.id) / f"{side}.svg").is_file():
            yield f"{side}.svg", {}
    for name in (TABLE, SLOT):
        if (prints.art.folder(kit.id) / name).is_file():
            yield name, {}
    for card in read_print_config(kit).card:
        yield card.drawing, card.front
        yield card.drawing, card.back
    for symbol in read_illustrations(kit).symbol:
        yield symbol.drawing, symbol.given
    if (prints.art.folder(kit.id) / "ornament.svg").is_file():
        yield "ornament.svg", {"share": 0.5, "colour": prints.theme.accent}
