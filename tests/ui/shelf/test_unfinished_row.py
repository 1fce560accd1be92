"""Matches that wait: the last one over the boxes, all of them in a list."""

from collections.abc import Sequence
from concurrent.futures import Future
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tabletop.bots.decision import Decision
from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tabletop.home.known_hosts import RejoinableTable
from tabletop.match.match import Player
from tabletop.net.guest.join_attempt import Ticket
from tabletop.protocol.invitation import Address
from tabletop.storage import saved_matches
from tabletop.storage.saved_matches import picture_path
from tabletop.table import bot_driver
from tests.ui.window_driver import (
    Open,
    QuickMinds,
    begin,
    button,
    click,
    key,
    pass_on,
    settle,
    table,
)
from ui.app import Window
from ui.match.local_match import LocalMatch
from ui.shelf import shelf_screen, stored_matches
from ui.shelf.unfinished_card import UnfinishedCard
from ui.widgets.styled_widgets import ElidedLabel


def several(qtbot: QtBot, window: Window, count: int) -> None:
    for number in range(count):
        pass_on(qtbot, begin(window, names=(f"Mio {number}", "Ren")), FastRng(number), 3)
        window.run_command("leave")
        settle()


@pytest.mark.parametrize("size", [(960, 540), (2560, 1440)])
def test_one_row_opens_all_waiting_matches(
    opened: Open, size: tuple[int, int], qtbot: QtBot
) -> None:
    window = opened(size)
    several(qtbot, window, 6)
    window.context.change_settings(language="ja")
    settle()
    shelf = window.shelf
    assert [card.waiting.players[:5] for card in shelf.cards] == ["Mio 5"], "one row, and calm"
    assert all(not box.visibleRegion().isEmpty() for box in shelf.boxes)
    whole(shelf.cards[0])
    click(shelf.row.list_button)
    assert [card.waiting.players[:5] for card in shelf.cards] == [
        f"Mio {n}" for n in (5, 4, 3, 2, 1, 0)
    ]
    assert all(picture_path(card.waiting.file).is_file() for card in shelf.cards)
    for card in shelf.cards:
        whole(card)
    places = [card.geometry() for card in shelf.cards]
    for one, two in pairwise(places):
        assert one.bottom() < two.top() or (one.top() == two.top() and one.right() < two.left())
    columns = len({place.left() for place in places})
    assert columns == (2 if size[0] == 2560 else 1)
    assert all(card.height() == round(72 * shelf.growth) for card in shelf.cards), "no line is cut"
    click(button(shelf.cards[4], "続きから"))
    assert table(window).seated.players[0].name == "Mio 1"


@pytest.mark.parametrize("language", ["en", "ja"])
def test_boxes_need_no_scrolling_beside_waiting_matches(
    opened: Open, language: str, qtbot: QtBot
) -> None:
    window = opened((1024, 600))
    several(qtbot, window, 2)
    window.context.change_settings(language=language)
    settle()
    for each in window.shelf.board.tab_stops:
        assert each.visibleRegion().boundingRect().size() == each.size()


def whole(card: QWidget) -> None:
    """Every button of a sheet is there in full."""
    for each in card.findChildren(QPushButton):
        assert each.width() >= each.minimumSizeHint().width()
        assert card.rect().contains(each.geometry())


def test_the_list_is_left_by_its_button_and_by_esc(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    several(qtbot, window, 2)
    shelf = window.shelf
    for leave in (lambda: click(shelf.back_button), lambda: key(Qt.Key.Key_Escape)):
        click(shelf.row.list_button)
        assert not shelf.board.isVisible()
        assert shelf.cards[0].main_button.hasFocus()
        leave()
        assert shelf.board.isVisible()
        assert next(box for box in shelf.boxes if box.hasFocus()).game.id == "sun"


def test_a_match_put_away_comes_back_and_the_list_closes(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    several(qtbot, window, 2)
    shelf = window.shelf
    click(shelf.row.list_button)
    click(button(shelf.cards[1], "Move to trash"))
    assert [card.waiting.players[:5] for card in shelf.cards] == ["Mio 1"]
    assert not shelf.board.isVisible(), "one goes on tidying"
    click(button(shelf.cards[0], "Move to trash"))
    assert shelf.cards == []
    assert shelf.board.isVisible()
    click(button(window.banner, "Undo"))
    assert [card.waiting.players[:5] for card in shelf.cards] == ["Mio 1"]


def test_the_keyboard_goes_through_the_boxes_first(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    several(qtbot, window, 2)
    passed = []
    window.shelf.boxes[0].setFocus()
    for _ in range(2 * len(window.shelf.boxes) + 1):
        passed.append(QApplication.focusWidget())
        key(Qt.Key.Key_Tab)
    assert passed[:-1] == window.shelf.board.tab_stops
    assert passed[-1] is window.shelf.cards[0].main_button


def test_a_text_that_finds_no_room_is_told_when_it_is_pointed_at(opened: Open) -> None:
    opened()
    line = ElidedLabel()
    line.setText("A very long name of a match that was begun on a Friday")
    line.resize(80, 20)
    line.show()
    settle()
    assert line.toolTip() == line.text()
    line.resize(800, 20)
    settle()
    assert line.toolTip() == ""


class PendingMinds(QuickMinds):
    """Thinks until it's told to stop."""

    def __init__(self) -> None:
        super().__init__(catalogue.load_bot_parts)
        self.futures: list[Future[Decision]] = []

    def think(self, *question: object, **settings: object) -> Future[Decision]:
        self.futures.append(Future())
        return self.futures[-1]


def test_bots_do_not_think_on_at_a_table_that_was_left(opened: Open, qtbot: QtBot) -> None:
    window = opened(animation="fast", bot_pause=600_000)
    window.context.bot_pool = minds = PendingMinds()
    screen = begin(window, 0)
    record = screen.seated.record
    assert isinstance(record, LocalMatch)
    hosted = record.table.hosted.hosted_match
    record.set_resting(True)
    qtbot.waitUntil(lambda: hosted.bots.state == "thinking" and bool(minds.futures))
    assert hosted._timers.is_set(bot_driver.TIMER)
    window.run_command("leave")
    moves = len(record.match.record)
    record.set_resting(True)
    settle()
    assert hosted.bots.state == "closed"
    assert not hosted._timers._set
    assert all(future.cancelled() for future in minds.futures)
    assert len(record.match.record) == moves


def saved(names: Sequence[str]) -> None:
    """An unfinished match of each of these players."""
    for name in names:
        match = saved_matches.begin(catalogue.load("sun"), (Player(name), Player("Ren")))
        match.journal.close()


def test_the_menu_has_the_newest_and_leads_to_all(opened: Open) -> None:
    saved([f"Mio {n}" for n in range(13)])
    window = opened()
    menu = window.menus.submenus["continue"]
    menu.aboutToShow.emit()
    entries = [action for action in menu.actions() if not action.isSeparator()]
    assert len(entries) == 11
    assert entries[-1].text() == "All…"
    entries[-1].trigger()
    assert len(window.shelf.cards) == 13


def test_the_shelf_loads_no_game_of_what_is_not_seen(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved([f"Mio {n}" for n in range(5)])
    opened().close()
    described: list[str] = []
    usual = stored_matches.describe_match
    monkeypatch.setattr(
        shelf_screen,
        "describe_match",
        lambda context, each: described.append(each.path.name) or usual(context, each),
    )
    assert len(opened().shelf.cards) == 1
    assert len(set(described)) == 1


def test_what_was_left_last_is_before_an_old_way_back(opened: Open) -> None:
    saved(["Mio"])
    window = opened()
    place, ticket = Address(("a",), 18920, "ab"), Ticket("t", "K7MPQ2", "", {1: "secret"})
    for year, first in ((2026, UnfinishedCard), (2199, UnfinishedCard)):
        old = RejoinableTable(place, ticket, "Ann's", "sun", datetime(year, 1, 5, tzinfo=UTC))
        window.shelf.show_unfinished(saved_matches.unfinished_matches()[0], (old,))
        assert isinstance(window.shelf.cards[0], first)
