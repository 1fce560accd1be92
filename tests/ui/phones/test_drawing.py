"""Pictures for phones: their content, its places, and that an equal one is drawn once."""

import asyncio
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE, State, is_face
from tabletop.web.drawer import CELL_PX, DrawnTable, FaceOrder
from tests.game_folders import begun as begun_game
from tests.ui.phones.asked_pictures import begun, image, order
from ui.phones import drawing
from ui.phones.drawing import ArtCache, QtDrawer
from ui.phones.packing import (
    CELLS_QUALITY,
    DENSE_PICTURE_QUALITY,
    WHOLE_PICTURE_QUALITY,
    encode_image,
)
from ui.phones.table_pictures import MAX_SIDE_PX, TableRenderer

LARGEST = 60_000
"""Bytes of a picture of 780 x 500 pixels."""
GAMES = [kit.id for kit in catalogue.shelf()]


@pytest.fixture
def drawer(qapp: QApplication) -> QtDrawer:
    return QtDrawer()


@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_drawn_with_its_places(drawer: QtDrawer, game: str) -> None:
    seats = catalogue.load(game).box.seats
    for count in {min(seats), max(seats)}:
        match = begun(game, count)
        asked = order(match, game, count - 1)
        drawn = asyncio.run(drawer.picture(asked))
        picture = image(drawn.content)
        shown = drawn.shown
        assert (picture.width(), picture.height()) == (shown.width, shown.height)
        assert shown.width <= 780
        assert shown.height <= 540
        assert len(drawn.content) <= LARGEST
        assert drawn.mime == "image/webp"
        for x, y, w, h, *_ in (*drawn.zones.values(), *drawn.cards.values()):
            assert w > 0
            assert h > 0
            assert -w < x < shown.width
            assert -h < y < shown.height
        assert drawn.cards
        assert drawn.cards.keys() <= seen(asked.view)


def test_cards_of_a_fan_are_framed_turned_and_side_by_side(drawer: QtDrawer) -> None:
    """Upright frames of whole cards ran across two cards each."""
    match = begun("sun", 2, 0)
    asked = order(match, "sun", match.state.asks[0].seat)
    drawn = asyncio.run(drawer.picture(asked))
    hand = next(
        cards
        for name, cards in asked.view.cards.items()
        if len(cards) == 6 and set(cards) <= drawn.cards.keys() and name
    )
    frames = sorted(drawn.cards[card] for card in hand)
    angles = [angle for *_, angle in frames]
    assert angles == sorted(angles)
    assert angles[0] < 0 < angles[-1]
    ends = [x + width for x, _, width, *_ in frames]
    assert all(end <= x + 3 for end, (x, *_) in zip(ends, frames[1:], strict=False))
    assert frames[-1][2] > frames[0][2]


def test_a_box_is_drawn_as_wide_as_ordered(drawer: QtDrawer) -> None:
    picture = asyncio.run(drawer.face(FaceOrder("sun", -1, -1, "en", "light", 256)))
    assert picture is not None
    front = image(picture.content)
    assert front.width() == 256
    assert 1.2 < front.height() / front.width() < 2


def seen(view: State) -> set[int]:
    return {card for cards in view.cards.values() for card in cards if is_face(card)}


def test_equal_orders_are_drawn_once_and_others_anew(drawer: QtDrawer) -> None:
    match = begun("sun", 2, 5)

    async def draw() -> None:
        first, second = await asyncio.gather(
            drawer.picture(order(match, "sun")), drawer.picture(order(match, "sun"))
        )
        assert first is second
        assert await drawer.picture(order(match, "sun")) is first
        dark = await drawer.picture(order(match, "sun", theme="dark"))
        assert dark.content != first.content
        other = await drawer.picture(order(match, "sun", 1))
        assert other.content != first.content
        again = await drawer.picture(order(match, "sun"))
        assert again is first

    asyncio.run(draw())


def test_nothing_of_another_seat_s_table_is_left_in_a_picture(qapp: QApplication) -> None:
    """One scene draws for all. Shadows that overlap may lie in another order, which is not seen."""
    match, kit = begun("royale", 3), catalogue.load("royale")
    art = ArtCache()
    alone = TableRenderer(art).render(kit, order(match, "royale", 2)).image
    shared = TableRenderer(art)
    for seat in (0, 1, AUDIENCE):
        shared.render(kit, order(match, "royale", seat))
    shared.render(kit, order(match, "royale", 0, width=360, height=240))
    after = shared.render(kit, order(match, "royale", 2)).image
    assert after.size() == alone.size()
    apart = zip(bytes(alone.constBits()), bytes(after.constBits()), strict=True)
    assert max(abs(one - other) for one, other in apart) <= 2


@pytest.mark.parametrize("game", GAMES)
def test_changed_cells_update_a_picture(drawer: QtDrawer, game: str) -> None:
    """As near to the scene's own picture as one that is packed whole, and much smaller."""
    kit, seats = catalogue.load(game), catalogue.load(game).box.seats[-1]
    before = order(begun(game, seats, 10), game)
    after = order(begun(game, seats, 11), game)

    async def draw() -> tuple[DrawnTable, DrawnTable, DrawnTable]:
        first = await drawer.picture(before)
        return first, await drawer.picture(after, first.shown), await drawer.picture(after)

    first, part, whole = asyncio.run(draw())
    assert part.shown == whole.shown
    assert part.changed
    assert len(part.content) < len(whole.content)
    drawn = TableRenderer(ArtCache()).render(kit, after).image
    composed = laid_over(image(first.content), part)
    assert composed.size() == drawn.size()
    # shadows that overlap may lie in another order in each of the three
    assert mean_difference(composed, drawn) < 1.25 * mean_difference(image(whole.content), drawn)


def laid_over(picture: QImage, part: DrawnTable) -> QImage:
    """The picture of a page that draws the changed cells over its old one."""
    cells = image(part.content)
    with QPainter(picture) as painter:
        for number, (x, y) in enumerate(part.changed or ()):
            painter.drawImage(x, y, cells, 0, number * CELL_PX, CELL_PX, CELL_PX)
    return picture


def mean_difference(one: QImage, other: QImage) -> float:
    """The mean difference of two pictures, from 0 to 255; of every seventh byte."""
    plain = [each.convertToFormat(QImage.Format.Format_RGB888) for each in (one, other)]
    bits = [bytes(each.constBits())[::7] for each in plain]
    return sum(abs(a - b) for a, b in zip(*bits, strict=True)) / len(bits[0])


def test_a_table_that_looks_as_before_is_not_packed_again(drawer: QtDrawer) -> None:
    asked = order(begun("sun", 2, 5), "sun")

    async def draw() -> tuple[DrawnTable, DrawnTable, DrawnTable]:
        first = await drawer.picture(asked)
        again = await drawer.picture(asked, first.shown)
        other = await drawer.picture(replace(asked, width=600, height=400), first.shown)
        return first, again, other

    first, again, other = asyncio.run(draw())
    assert (again.content, again.changed, again.shown) == (b"", (), first.shown)
    assert other.changed is None
    assert image(other.content).width() == other.shown.width


def test_no_size_is_too_large(drawer: QtDrawer) -> None:
    match = begun("chains", 2, 3)
    drawn = asyncio.run(drawer.picture(order(match, "chains", width=99_999, height=99_999)))
    assert max(drawn.shown.width, drawn.shown.height) <= MAX_SIDE_PX


def test_faces_fill_their_pictures(drawer: QtDrawer) -> None:
    face = asyncio.run(drawer.face(FaceOrder("sun", 3, -1, "ja", "light", 256)))
    picture = image(face.content)
    assert (picture.width(), picture.height()) == (256, 358)
    edge = picture.pixelColor(128, 2)
    assert edge.alpha() == 255
    back = asyncio.run(drawer.face(FaceOrder("sun", -1, 0, "ja", "light", 256)))
    assert back.content != face.content
    english = asyncio.run(drawer.face(FaceOrder("royale", 60, -1, "en", "light", 512)))
    japanese = asyncio.run(drawer.face(FaceOrder("royale", 60, -1, "ja", "light", 512)))
    assert english.content != japanese.content


def test_there_is_no_face_of_a_card_that_is_not_there(drawer: QtDrawer) -> None:
    assert asyncio.run(drawer.face(FaceOrder("sun", 9999, -1, "en", "light", 256))) is None
    assert asyncio.run(drawer.face(FaceOrder("sun", -1, 99, "en", "light", 256))) is None


def test_only_a_dense_picture_is_packed_coarser(qapp: QApplication) -> None:
    plain = QImage(260, 170, QImage.Format.Format_RGB32)
    plain.fill(Qt.GlobalColor.darkGreen)
    dense = QImage(Random(1).randbytes(260 * 170 * 4), 260, 170, QImage.Format.Format_RGB32)
    assert encode_image(plain) == encode_image(plain, WHOLE_PICTURE_QUALITY)
    assert encode_image(dense) == encode_image(dense, DENSE_PICTURE_QUALITY)
    assert len(encode_image(dense, CELLS_QUALITY)[0]) > len(encode_image(dense)[0]), (
        "cells keep their quality"
    )


def test_a_sheet_for_a_broken_drawing_is_in_the_phones_language(
    drawer: QtDrawer, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit = begun_game(tmp_path / "pond", "tricks", "Pond Night")
    (tmp_path / "pond" / "assets").mkdir()
    (tmp_path / "pond" / "assets" / "face.svg").write_text("<svg>{{ card.nme }}</svg>", "utf-8")
    said: list[str] = []
    monkeypatch.setattr(
        "ui.style.drawn_templates.paint_error_placeholder",
        lambda _painter, _place, why, _theme: said.append(why),
    )

    async def draw() -> None:
        for language in ("en", "ja", "en"):
            asked = FaceOrder(kit.id, 0, -1, language, "light", 256)
            await drawer.face(asked)

    asyncio.run(draw())
    english, japanese = dict.fromkeys(said)
    assert english.startswith("assets/face.svg line 1")
    assert japanese.isascii() is False


def test_the_art_of_the_latest_looks_is_kept(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "MAX_ART_CACHES", 2)
    arts = ArtCache()
    latest = [arts["light", language] for language in ("en", "ja", "de")][-1]
    assert list(arts) == [("light", "ja"), ("light", "de")]
    assert arts["light", "de"] is latest
