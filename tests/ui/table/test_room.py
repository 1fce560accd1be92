"""Room at the table: however many play, everything can be read and nothing is cut."""

import random
from collections.abc import Iterator
from itertools import combinations, product

import pytest
from PySide6.QtCore import QRectF

from tabletop.catalogue import catalogue
from tabletop.language.words import Words
from tabletop.match.match import SYMBOLS, Match, Player
from tabletop.match.seat import Seat
from tests.net.loopback import LONG
from tests.ui.table.lettering_seen import ALMOST, Lettering, on_drawings, on_items
from tests.ui.table_driver import asked, light_art, some_move
from ui.style.theme import load_theme
from ui.table.items.lettering import MIN_STRETCH
from ui.table.items.plaque_item import PlaqueItem
from ui.table.layout.placed_table import MIN_TEXT_PX
from ui.table.scene import TableScene

pytestmark = pytest.mark.usefixtures("qapp")

VIEWS = {
    "1024x600": (971, 563),
    "1280x800": (972, 763),
    "without the dock": (1280, 763),
    "1080x1920": (1080, 1350),
}
"""Room for the table in a window of this size."""
NAMES = {
    "en": ("Hinata", "Kaname", "Shizuku", "Tsubasa", "Alexandra", "Montgomery", "Yoshinobu",
           "Kate", "Bartholomew", "Sakura", "Ichiro", "Nanami"),
    "ja": ("ひなた", "かなめ", "しずく", "つばさ", "アレクサンドラ", "モンゴメリ", "よしのぶ",
           "けいと", "五十嵐亮太郎", "さくら", "いちろう", "ななみ"),
}  # fmt: skip
TABLES = [
    (kit.id, seats)
    for kit in (catalogue.load(name) for name in catalogue.names())
    for seats in kit.box.seats
]
NARROWEST = ("1024x600", "en")
LOOKS = (
    [*product(VIEWS, NAMES)]
    if LONG
    else [NARROWEST, ("1024x600", "ja"), ("without the dock", "en")]
)
CASES = [
    (game, seats, window, language)
    for (game, seats), (window, language) in product(TABLES, LOOKS)
    if LONG
    or (window, language) == NARROWEST
    or seats in (catalogue.load(game).box.seats[0], catalogue.load(game).box.seats[-1])
]
"""Between the fewest and the most who can play, the narrowest window alone."""
MOVES = 60
TOUCH = 1.5
"""Pixels that two rectangles of letters may share: what surrounds a letter is mostly empty."""


def tables(game: str, seats: int, language: str, size: tuple[int, int]) -> Iterator[TableScene]:
    """A table at its beginning, and after some moves."""
    kit = catalogue.load(game)
    players = [Player(NAMES[language][n], SYMBOLS[n]) for n in range(seats)]
    match = Match(kit, players, catalogue.options(kit), "room")
    scene = TableScene(kit, light_art(), Words(language, kit, players), load_theme("light"))
    scene.set_speed("off")
    scene.set_size(*size)
    luck = random.Random(seats)
    for _ in range(2):
        seat = Seat.at_table(match, 0)
        scene.show_seat(seat)
        yield scene
        seat.close()
        for _ in range(MOVES):
            if match.state.result is None:
                match.submit(number := asked(match), some_move(match, number, luck))
    scene.clear_seat()


@pytest.mark.parametrize(("game", "seats", "window", "language"), CASES)
def test_everything_can_be_read(game: str, seats: int, window: str, language: str) -> None:
    for scene in tables(game, seats, language, VIEWS[window]):
        labels, drawn = list(on_items(scene)), list(on_drawings(scene))
        for one in labels + drawn:
            assert one.size >= MIN_TEXT_PX * ALMOST, one
            assert one.stretch >= MIN_STRETCH, one
            assert not one.text.endswith("…"), one
            assert scene.sceneRect().adjusted(-1, -1, 1, 1).contains(one.rect), one
        assert_apart(labels)
        for where in {one.where for one in drawn}:
            assert_apart([one for one in drawn if one.where == where])
        plaques = [item for item in scene.items() if isinstance(item, PlaqueItem)]
        assert len(plaques) >= seats
        for plaque in plaques:
            for child in plaque.childItems():
                assert (
                    plaque.path()
                    .boundingRect()
                    .adjusted(-5, -5, 5, 5)
                    .contains(child.mapRectToParent(child.boundingRect()))
                )


def assert_apart(written: list[Lettering]) -> None:
    for one, other in combinations(written, 2):
        shared = core(one).intersected(core(other))
        assert shared.width() < TOUCH or shared.height() < TOUCH, (one, other)


def core(one: Lettering) -> QRectF:
    """Return the rectangle of its letters: that of a line is higher."""
    spare = max(0.0, one.rect.height() - 1.05 * one.size) / 2
    return one.rect.adjusted(0, spare, 0, -spare)


@pytest.mark.parametrize("window", VIEWS)
def test_the_plan_of_the_festival_has_two_fifths_of_the_width(window: str) -> None:
    width, height = VIEWS[window]
    for scene in tables("royale", 4, "en", (width, height)):
        corners = [scene.stage.zone_rect(zone) for zone in ("area/3,1", "area/3,5")]
        left, right = (rect for rect in corners if rect is not None)
        assert right.right() - left.left() >= 0.4 * width
