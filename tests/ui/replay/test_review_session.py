"""A match reviewed in the program's window: its costliest moves are listed, shown, and played
on."""

import shutil
from concurrent.futures import Future
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tabletop.bots.decision import Decision, Question
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Player
from tests.storage.corpus import LATEST
from tests.ui.late_matches import TWO, near_its_end
from tests.ui.window_driver import Open, button, click, pass_on, settle
from ui.app import Window
from ui.replay.replay_screen import ReplayScreen
from ui.replay.timeline import REVIEW
from ui.setup.lineup import DEFAULT_LEVEL
from ui.setup.play_on_dialog import PlayOnDialog


@pytest.fixture
def window(opened: Open, tmp_path: Path) -> Window:
    """The window, with a replay of Children of the Sun among two persons."""
    window = opened()
    film = Path(shutil.copy(LATEST / "sun-2.tabletop", tmp_path / "film.tabletop"))
    window.open_file(film)
    settle()
    return window


def screen_of(window: Window) -> ReplayScreen:
    assert window.replays.screen is not None
    return window.replays.screen


def reviewed(window: Window, qtbot: QtBot) -> ReplayScreen:
    """The replay's screen once the review has come to its end."""
    screen = screen_of(window)
    qtbot.waitUntil(lambda: bool(screen.reviewer.findings))
    settle()
    return screen


def key(window: Window, pressed: Qt.Key) -> None:
    QTest.keyClick(QApplication.focusWidget() or window, pressed)
    settle()


def chosen_cards(screen: ReplayScreen) -> set[int]:
    """The cards that are lit as chosen."""
    return {item.card for item in screen.scene.stage.items if item.is_selected}


def test_with_the_mouse_from_the_list_of_moves_to_playing_on(window: Window, qtbot: QtBot) -> None:
    screen = screen_of(window)
    screen.set_viewer(1)
    click(screen.playback_bar.buttons["review"])
    reviewed(window, qtbot)
    panel, findings = screen.reviewer.panel, screen.reviewer.findings
    assert len(panel.entries) == len(findings) <= 3
    assert "Player 2" in panel.text.text()
    assert [pin.at for pin in screen.timeline.marks if pin.kind == REVIEW] == [
        screen.playback.beat_after_ply(finding.ply - 1) for finding in findings
    ]
    click(panel.entries[0].show_it)
    assert chosen_cards(screen) == set(findings[0].better.cards) != set()
    finding = findings[-1]
    click(panel.entries[-1].show_it)
    assert screen.at == screen.playback.beat_after_ply(finding.ply - 1)
    assert screen.seat.view == finding.view
    assert chosen_cards(screen) == set(finding.better.cards)
    assert panel.entries[-1].property("marked")
    click(button(panel.entries[-1], "Play on from here…"))
    (dialog,) = screen.findChildren(PlayOnDialog)
    assert [player.kind for player in dialog.players] == ["bot", "person"]
    assert dialog.players[0].level == DEFAULT_LEVEL  # the bot that it was had no level of these
    click(dialog.start_button)
    table = window.table
    assert table.seated.people == (1,)
    assert table.seated.match.view(1).cards == finding.view.cards


def test_a_review_is_read_with_keys_alone(window: Window, qtbot: QtBot) -> None:
    screen = screen_of(window)
    key(window, Qt.Key.Key_V)  # all cards open
    key(window, Qt.Key.Key_V)  # the first player's eyes
    assert screen.seat.viewer == 0
    key(window, Qt.Key.Key_R)
    reviewed(window, qtbot)
    panel = screen.reviewer.panel
    for _ in range(60):
        if QApplication.focusWidget() is panel.entries[0].show_it:
            break
        key(window, Qt.Key.Key_Tab)
    key(window, Qt.Key.Key_Return)
    finding = screen.reviewer.findings[0]
    assert screen.seat.view == finding.view
    key(window, Qt.Key.Key_Tab)
    key(window, Qt.Key.Key_Return)
    (dialog,) = screen.findChildren(PlayOnDialog)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    settle()
    assert window.replays.screen is screen


def test_where_several_have_played_it_asks_whose_moves(window: Window, qtbot: QtBot) -> None:
    screen = screen_of(window)
    assert screen.seat.viewer is not None
    assert screen.seat.viewer < 0
    click(screen.playback_bar.buttons["review"])
    menu = QApplication.activePopupWidget()
    assert [action.text() for action in menu.actions()] == ["Player 1", "Player 2"]
    menu.actions()[1].trigger()
    menu.close()
    reviewed(window, qtbot)
    assert screen.reviewer.seat == 1


def test_it_can_be_stopped_and_left_while_it_thinks(window: Window) -> None:
    asked: list[Future[Decision]] = []

    def never(question: Question) -> "Future[Decision]":
        asked.append(Future())
        return asked[-1]

    window.context.bot_pool.submit = never
    screen = screen_of(window)
    screen.reviewer.review_seat(0)
    panel = screen.reviewer.panel
    click(panel.stop_button)
    assert asked
    assert all(future.cancelled() for future in asked)
    assert panel.text.text() == "The review was stopped."
    assert panel.bar.isHidden()
    asked.clear()
    screen.reviewer.review_seat(1)
    screen.do("leave")
    settle()
    assert window.replays.screen is None
    assert all(future.cancelled() for future in asked)


def test_the_score_sheet_leads_to_the_review(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    table = near_its_end(window, "sun", (TWO[0], Player("Kaname", "moon", "bot", "easy")))
    pass_on(qtbot, table, FastRng("review"), 200)
    qtbot.waitUntil(table.ending.sheet.isVisible)
    click(button(table.ending.sheet, "Review"))
    screen = reviewed(window, qtbot)
    assert screen.reviewer.seat == 0
    assert screen.viewers[:1] == (0,)


def test_what_was_found_speaks_the_other_language_too(window: Window, qtbot: QtBot) -> None:
    screen = screen_of(window)
    screen.reviewer.review_seat(0)
    reviewed(window, qtbot)
    window.context.change_settings(language="ja")
    settle()
    panel = screen.reviewer.panel
    assert "よりよい手" in panel.entries[0].accessibleDescription()
    assert screen.dock.tabs.tabText(screen.dock.tabs.indexOf(panel)) == "振り返り"


def test_every_move_is_in_the_graph_and_in_the_list(window: Window, qtbot: QtBot) -> None:
    screen = screen_of(window)
    screen.set_viewer(1)
    click(screen.playback_bar.buttons["review"])
    reviewed(window, qtbot)
    panel, chances = screen.reviewer.panel, screen.reviewer.chances
    assert panel.graph.isVisible()
    assert panel.moves.count() == len(chances) > 5
    listed = [panel.moves.item(n).text() for n in range(len(chances))]
    assert {text.index("%") for text in listed} == {3}, "the figures end below one another"
    plies = [chance.ply for chance in chances]
    assert plies == sorted(plies)
    assert {finding.ply for finding in screen.reviewer.findings} <= set(plies)
    assert all(0 <= chance.worth <= 1 for chance in chances)
    heights = {panel.graph.point_of(place).y() for place in range(len(chances))}
    assert len(heights) > 1, "the line goes up and down"
    last = len(chances) - 1
    click(panel.graph, panel.graph.point_of(last).toPoint())
    assert screen.at == screen.playback.beat_after_ply(chances[last].ply - 1)
    assert panel.moves.currentRow() == last
    panel.moves.scrollToItem(panel.moves.item(0))
    click(panel.moves.viewport(), panel.moves.visualItemRect(panel.moves.item(0)).center())
    assert screen.at == screen.playback.beat_after_ply(chances[0].ply - 1) != 0
    assert screen.seat.view == chances[0].view
    panel.moves.setCurrentRow(2)
    panel.moves.setFocus()
    key(window, Qt.Key.Key_Return)
    assert screen.at == screen.playback.beat_after_ply(chances[2].ply - 1)
