"""More boxes than the window shows at once, and boxes that nobody has finished."""

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.games.received_games import ReceivedNote
from tabletop.storage.settings import LastTable
from tests.ui.window_driver import Open, key
from ui.shelf.shelf_board import INITIAL_BOXES, ShelfBoard
from ui.shell.shelf_order import order_games
from ui.widgets.box_sides import FRONT, side_picture

BLANK = catalogue.load("_blank")


@pytest.fixture
def crowded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put seven boxes on the shelf."""
    listing = catalogue.list_entries()
    drafts = [
        replace(BLANK, id=name, box=replace(BLANK.box, title=title, hidden=False))
        for name, title in (
            ("draft_pond", "Pond Night"),
            ("draft_harbour", "The long way to the harbour"),
        )
    ]
    with_drafts = replace(listing, games=(*listing.games, *drafts))
    monkeypatch.setattr(catalogue, "list_entries", lambda: with_drafts)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_keyboard_brings_every_box_into_the_window(
    crowded: None, opened: Open, language: str
) -> None:
    window = opened(size=(1024, 600), language=language)
    shelf = window.shelf
    assert (window.width(), window.height()) == (1024, 600)
    assert len(shelf.boxes) == 7
    assert shelf.boxes[-1].visibleRegion().boundingRect().size() != shelf.boxes[-1].size()
    shelf.boxes[0].setFocus()
    for stop in shelf.board.tab_stops:
        assert QApplication.focusWidget() is stop
        assert stop.visibleRegion().boundingRect() == stop.rect()
        key(Qt.Key.Key_Tab)
    places = [box.geometry() for box in shelf.boxes]
    assert all(box.rect().contains(box.play_button.geometry()) for box in shelf.boxes)
    assert not any(a.intersects(b) for n, a in enumerate(places) for b in places[:n])


def test_an_unfinished_box_says_it_is_a_draft(crowded: None, opened: Open) -> None:
    window = opened()
    pond, harbour = window.shelf.boxes[-2:]
    assert pond.game.is_draft
    assert pond.status_line.startswith("Draft")
    assert "Draft" in pond.accessibleDescription()
    assert not any("Draft" in box.status_line for box in window.shelf.boxes[:-2])
    fronts = [side_picture(window.context, box.game, FRONT, 224, 340, 1) for box in (pond, harbour)]
    assert fronts[0].toImage() != fronts[1].toImage()
    svg = window.context.art.render_svg("common/box-front.svg", title="Pond Night", hue=1).decode()
    assert ">Pond Night<" in svg


def test_received_games_out_of_sight_come_after_the_others(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = [
        replace(
            BLANK,
            id=f"pond-{number:012x}",
            box=replace(BLANK.box, title=f"Pond {number}", hidden=False),
            received=ReceivedNote(
                f"{number:012x}", "Ann", datetime(2026, 1, 31 - number, tzinfo=UTC)
            ),
        )
        for number in range(30)
    ]
    window = opened(tables={given[-1].id: LastTable(())})
    listing = catalogue.list_entries()
    kits = [*listing.shelf_entries, *given]
    monkeypatch.setattr(
        catalogue, "list_entries", lambda: replace(listing, games=(*listing.games, *given))
    )
    wanted = [kit.id for kit in order_games(kits, ())]
    board = ShelfBoard(window.context, kits)
    qtbot.addWidget(board)
    at_first = [box.game.id for box in board.boxes]
    assert at_first == [*wanted[:INITIAL_BOXES], given[-1].id], "and the one that was played last"
    board.resize(900, 700)
    board.set_visible_height(700)
    before = board.minimumHeight()
    board.show()
    qtbot.waitUntil(lambda: len(board.boxes) == len(kits))
    assert [box.game.id for box in board.boxes] == wanted
    assert board.minimumHeight() == before, "there was room for them"
    given.pop()
    board.sync_games()
    assert len(board.boxes) == len(kits) - 1
