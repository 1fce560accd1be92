"""The public table is read from three metres: no letters under 22 pixels on a screen
of 1920 x 1080."""

import pytest
from PySide6.QtWidgets import QGraphicsSimpleTextItem

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_random_match
from tabletop.engine.model import AUDIENCE
from tabletop.language.words import Words
from tabletop.match.seat import Seat
from tests.ui.table_driver import light_art
from ui.public.public_table import LINE_HEIGHT_SHARES
from ui.public.race_column import WIDTH_SHARE
from ui.style.theme import load_theme
from ui.table.scene import TableScene

SCREEN = (1920, 1080)
TABLES = [
    (kit.id, seats) for kit in catalogue.shelf() for seats in (kit.box.seats[0], kit.box.seats[-1])
]


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_letters_are_read_from_the_sofa(name: str, seats: int, language: str, qapp: object) -> None:
    kit = catalogue.load(name)
    seat = Seat.at_table(play_random_match(kit, seats, "5", 8, {}), AUDIENCE)
    scene = TableScene(kit, light_art(), Words(language, kit, seat.players), load_theme("light"))
    scene.stage.is_public = True
    scene.set_size(
        SCREEN[0] * (1 - WIDTH_SHARE), SCREEN[1] * (1 - sum(LINE_HEIGHT_SHARES))
    )  # beside the race
    scene.show_seat(seat)
    texts = [item for item in scene.items() if isinstance(item, QGraphicsSimpleTextItem)]
    assert len(texts) > seats
    for item in texts:
        if item.text():
            assert item.font().pixelSize() >= 22, item.text()
    scene.clear_seat()
