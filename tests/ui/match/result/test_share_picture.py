"""The picture of a finished match: the part of the table that is used, and the box."""

from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QPoint, QRectF, QSize
from PySide6.QtGui import QImage

from tabletop.catalogue import catalogue
from tabletop.commands import match_source
from tabletop.engine.model import AUDIENCE
from tabletop.match.match import Match
from tabletop.match.seat import Seat
from tests.ui.table_driver import Table
from tests.ui.window_driver import Open
from ui.match.result.share_picture import (
    LAYOUT_SIZE_PX,
    MARGIN_PX,
    MAX_TABLE_HEIGHT_PX,
    WIDTH_PX,
    SharePicture,
)
from ui.shelf import table_picture
from ui.shelf.table_picture import render_used_part

GAMES = [("sun", 2), ("sisters", 3), ("chains", 3), ("awss", 3), ("royale", 4)]


def ended(game: str, seats: int) -> Match:
    return match_source.play_random_match(catalogue.load(game), seats, "the end")


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_the_used_part_holds_all_that_lies_there(game: str, seats: int) -> None:
    kit = catalogue.load(game)
    table = Table(
        ended(game, seats),
        AUDIENCE,
        kit=kit,
        size=(LAYOUT_SIZE_PX.width(), LAYOUT_SIZE_PX.height()),
    )
    used = table_picture._used_rect(table.scene)
    for item in table.scene.stage.items:
        if item.isVisible():
            seen = item.mapRectToScene(item.card_rect) & table.scene.sceneRect()
            assert used.contains(seen.adjusted(0.5, 0.5, -0.5, -0.5))
    assert QRectF(table.scene.sceneRect()).contains(used)


def test_a_table_is_cropped_to_what_is_used(opened: Open) -> None:
    context, kit = opened().context, catalogue.load("sun")
    most = QSize(WIDTH_PX - 2 * MARGIN_PX, MAX_TABLE_HEIGHT_PX)
    laid = QSize(1400, 500)
    picture = render_used_part(context, kit, Seat.at_table(ended("sun", 2)), most, laid)
    assert picture.width() == most.width() or picture.height() == most.height()
    whole = laid.width() / laid.height()
    assert picture.width() / picture.height() != pytest.approx(whole, rel=0.02)


def test_the_box_is_at_the_top_left(opened: Open) -> None:
    context, kit, match = opened().context, catalogue.load("chains"), ended("chains", 3)
    view = Seat.at_table(match).view
    picture = SharePicture(context, kit, view, match.players).draw(datetime.now(UTC))
    assert colours(picture, QPoint(MARGIN_PX + 4, MARGIN_PX // 2 + 4)) > 20


def colours(picture: QImage, corner: QPoint) -> int:
    """How many colours there are in a place that a box is as large as."""
    wide = range(corner.x(), corner.x() + 60, 2)
    return len({picture.pixel(x, y) for x in wide for y in range(corner.y(), corner.y() + 120, 2)})
