"""The list of legal actions: their differences are always legible, and found at once."""

import random

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible, QFontMetrics
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.model import Move
from tabletop.language.words import Words
from tabletop.match import offer_matching as offered
from tabletop.match.choice import MAX_LEGAL_MOVES
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from tabletop.storage.settings import Settings
from tests.ui.table_driver import asked, some_move
from tests.ui.window_driver import settle
from ui.match import actions_panel
from ui.match.actions_panel import (
    GROUP_ROLE,
    HEADING_ROLE,
    MIN_GROUPED_ACTIONS,
    MOVE_ROLE,
    ActionsPanel,
)
from ui.shell.app_context import AppContext
from ui.widgets.announcer import ScreenReaderAnnouncer

WIDTHS = (240, 300, 420)
MOVES = 90


def panel(qtbot: QtBot, language: str, width: int = 300) -> ActionsPanel:
    made = ActionsPanel(AppContext(Settings(language=language)))
    qtbot.addWidget(made)
    made.resize(width, 500)
    made.show()
    return made


def new_match(game: str, seats: int) -> Match:
    kit = catalogue.load(game)
    players = [Player(f"Player {n}") for n in range(seats)]
    return Match(kit, players, catalogue.options(kit), "actions")


def fill(shown: ActionsPanel, game: str, match: Match, language: str) -> list[Move]:
    """Show who is asked first what may be done."""
    seat = Seat.at_table(match, asked(match))
    moves = offered.list_moves(seat.offers, MAX_LEGAL_MOVES)
    shown.show_moves(moves, Words(language, catalogue.load(game), match.players), seat.view)
    seat.close()
    return moves


@pytest.fixture
def siege(qtbot: QtBot) -> ActionsPanel:
    """The first question of Children of the Sun, and the first line is the current one."""
    shown = panel(qtbot, "en")
    fill(shown, "sun", new_match("sun", 2), "en")
    shown.action_list.setFocus()
    shown.action_list.setCurrentRow(0)
    return shown


def seen(shown: ActionsPanel) -> list[str]:
    return [item.text() for item in shown.action_list.all_items()]


def open_all(shown: ActionsPanel) -> None:
    for item in list(shown.action_list.all_items()):
        if item.data(HEADING_ROLE) is not None:
            shown.action_list.expansion_requested.emit(item, True)


def press(shown: ActionsPanel, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(shown.action_list, key)
    settle()


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("game", catalogue.names())
def test_no_line_is_cut_and_no_two_say_the_same(game: str, language: str, qtbot: QtBot) -> None:
    match, luck = new_match(game, catalogue.load(game).box.seats[-1]), random.Random(game)
    shown = panel(qtbot, language)
    for turn in range(MOVES):
        if match.state.result is not None:
            break
        fill(shown, game, match, language)
        shown.resize(WIDTHS[turn % len(WIDTHS)], 500)
        under: dict[object, str] = {}
        for item in list(shown.action_list.all_items()):
            if item.data(HEADING_ROLE) is not None:
                shown.action_list.expansion_requested.emit(item, True)
                under[item.data(GROUP_ROLE)] = item.data(HEADING_ROLE)
        settle()
        for item in shown.action_list.all_items():
            place = shown.action_list.visualItemRect(item)
            inner = (
                place.width() - (18 if item.data(MOVE_ROLE) and item.data(GROUP_ROLE) else 0) - 24
            )
            needed = QFontMetrics(item.font()).boundingRect(
                QRect(0, 0, inner, 10_000), Qt.TextFlag.TextWordWrap, item.text()
            )
            assert place.height() >= needed.height() - 2, (item.text(), place, needed)
            assert item.data(MOVE_ROLE) is None or "…" not in item.text()
        match.submit(seat := asked(match), some_move(match, seat, luck))


def test_the_siege_stands_in_a_line_for_each_card(siege: ActionsPanel) -> None:
    closed = seen(siege)
    assert all(text.startswith("▸ Place ") and "…" in text for text in closed)
    open_all(siege)
    moves = [
        item.data(MOVE_ROLE)
        for item in siege.action_list.all_items()
        if item.data(MOVE_ROLE) is not None
    ]
    assert len(moves) >= MIN_GROUPED_ACTIONS
    assert len(closed) == len({move.cards for move in moves})


def test_a_heading_opens_and_closes_by_keys(siege: ActionsPanel) -> None:
    closed = seen(siege)
    press(siege, Qt.Key.Key_Return)
    opened = seen(siege)
    first = siege.action_list.item(0)
    count = (
        sum(
            item.data(GROUP_ROLE) == first.data(GROUP_ROLE)
            for item in siege.action_list.all_items()
        )
        - 1
    )
    assert opened[0] == closed[0].replace("▸", "▾")
    assert opened[1 + count :] == closed[1:]
    assert all(not text.startswith("Place") for text in opened[1 : 1 + count])
    press(siege, Qt.Key.Key_Down, Qt.Key.Key_Left)
    assert siege.action_list.currentItem() is first
    press(siege, Qt.Key.Key_Left)
    assert seen(siege) == closed
    press(siege, Qt.Key.Key_Right)
    assert seen(siege) == opened


def test_a_line_under_a_heading_is_lit_and_played(siege: ActionsPanel, qtbot: QtBot) -> None:
    lit: list[Move] = []
    played: list[Move] = []
    siege.move_focused.connect(lit.append)
    siege.move_chosen.connect(played.append)
    press(siege, Qt.Key.Key_Return)
    assert not played
    press(siege, Qt.Key.Key_Down, Qt.Key.Key_Return)
    assert played == lit == [siege.action_list.item(1).data(MOVE_ROLE)]


def test_what_is_open_stays_open_when_the_same_is_said_anew(qtbot: QtBot) -> None:
    shown, match = panel(qtbot, "en"), new_match("sun", 2)
    fill(shown, "sun", match, "en")
    shown.action_list.setFocus()
    shown.action_list.setCurrentRow(0)
    press(shown, Qt.Key.Key_Return, Qt.Key.Key_Down)
    before, stood = seen(shown), shown.action_list.currentRow()
    fill(shown, "sun", match, "en")
    assert seen(shown) == before
    assert shown.action_list.currentRow() == stood
    shown.clear()
    fill(shown, "sun", match, "en")
    assert all(text.startswith("▸") for text in seen(shown))


def test_what_is_spoken_is_what_enter_plays(siege: ActionsPanel) -> None:
    spoken = QAccessible.queryAccessibleInterface(siege.action_list)
    press(siege, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right)
    for _ in range(siege.action_list.count()):
        item = siege.action_list.currentItem()
        said = item.data(Qt.ItemDataRole.AccessibleTextRole)
        assert spoken.focusChild().text(QAccessible.Text.Name) == said
        assert spoken.childCount() == siege.action_list.count()
        press(siege, Qt.Key.Key_Down)
    assert siege.action_list.currentRow() == siege.action_list.count() - 1


def test_a_group_goes_on_on_the_next_page(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions_panel, "PAGE_SIZE", 20)  # the third card's actions are on two pages
    shown, match = panel(qtbot, "en"), new_match("sun", 2)
    moves = fill(shown, "sun", match, "en")
    shown.action_list.setFocus()
    while shown.action_list.item(shown.action_list.count() - 1).text() == "More actions…":
        shown.action_list.setCurrentRow(shown.action_list.count() - 1)
        press(shown, Qt.Key.Key_Return)
    open_all(shown)
    listed = [
        item.data(MOVE_ROLE)
        for item in shown.action_list.all_items()
        if item.data(MOVE_ROLE) is not None
    ]
    assert listed == moves


def test_opening_and_closing_is_said(siege: ActionsPanel, listening: None) -> None:
    heard: list[str] = []
    siege.findChild(ScreenReaderAnnouncer).spoken.connect(heard.append)
    press(siege, Qt.Key.Key_Right, Qt.Key.Key_Left)
    assert heard == ["open", "closed"]


def test_a_screen_reader_hears_the_whole_sentence(siege: ActionsPanel) -> None:
    role = Qt.ItemDataRole.AccessibleTextRole
    shared = siege.action_list.item(0).data(HEADING_ROLE).replace(" · ", " ")  # without signs
    assert siege.action_list.item(0).data(role) == f"{shared}, closed"
    press(siege, Qt.Key.Key_Right)
    heading, line = siege.action_list.item(0), siege.action_list.item(1)
    assert heading.data(role) == f"{shared}, open"
    assert line.data(role).startswith("Place ")
    assert line.text() in line.data(role)
