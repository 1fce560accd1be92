"""Giving a match up, and laying the own hand in order, from the Play menu."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tabletop.match.history import Entry
from tabletop.match.match import Player
from tabletop.storage import saved_matches
from tabletop.storage.record import read
from tests.ui.window_driver import (
    Open,
    begin,
    button,
    click,
    drag_to,
    hold,
    pass_on,
    point_on,
    settle,
    table,
)
from ui.app import Window
from ui.setup.lineup import MatchSetup

asked: list[str] = []


@pytest.fixture(autouse=True)
def nothing_asked_yet() -> None:
    asked.clear()


def concede(window: Window, press: str, again: bool = True) -> None:
    """Choose the command, and answer the question with this button."""

    def answer() -> None:
        box = QApplication.activeModalWidget()
        asked.append(box.text())
        box.checkBox().setChecked(not again)
        next(each for each in box.buttons() if each.text() == press).click()

    QTimer.singleShot(0, window, answer)
    window.menus.commands["concede"].trigger()
    settle()


def test_who_concedes_is_asked_first_and_may_think_better_of_it(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    assert not window.menus.commands["concede"].isEnabled(), "nobody looks yet"
    hold(qtbot, screen)
    concede(window, "Cancel")
    assert f"{screen.seated.match.players[1].name} wins." in asked[0]
    assert not screen.seated.is_over
    assert screen.seated.match.record == []


def ask_while(window: Window, happens: Callable[[QMessageBox], object]) -> None:
    """Choose the command; something happens once the question is shown."""

    def go_on() -> None:
        box = QApplication.activeModalWidget()
        asked.append(box.text())
        happens(box)

    QTimer.singleShot(0, window, go_on)
    window.menus.commands["concede"].trigger()
    settle()


def test_a_match_that_ends_meanwhile_is_not_conceded(opened: Open) -> None:
    window = opened()
    match = begin(window, 1).seated.match

    def end(box: QMessageBox) -> None:
        match.concede(1)
        next(each for each in box.buttons() if each.text() == "Concede").click()

    ask_while(window, end)
    assert len(asked) == 1
    assert match.state.result.winners == (0,)


def test_a_table_that_goes_takes_the_question_with_it(opened: Open) -> None:
    """As when the others of a shared table begin the next match."""
    window = opened()
    gone: list[bool] = []
    begin(window, 1).destroyed.connect(lambda: gone.append(True))
    ask_while(window, lambda box: window.show_shelf())
    assert (len(asked), gone) == (1, [True])
    assert QApplication.activeModalWidget() is None
    assert window.table is None


def test_a_concession_ends_the_match_with_a_sheet_that_names_it(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    pass_on(qtbot, screen, FastRng(4), 3)
    if screen.curtain.is_drawn:
        hold(qtbot, screen)
    seat = screen.switch.active_viewer
    concede(window, "Concede")
    assert screen.seated.is_over
    assert screen.ending.sheet.isVisible()
    winner = screen.seated.players[1 - seat].name
    assert screen.ending.sheet.winner_band.title.text() == f"{winner} wins"
    texts = [
        label.text()
        for label in screen.ending.sheet.findChildren(type(screen.ending.sheet.winner_band.title))
    ]
    assert f"{screen.seated.players[seat].name} conceded." in texts
    assert "Total" not in texts, "nothing was counted"
    assert not window.menus.commands["concede"].isEnabled()
    assert not window.menus.commands["undo"].isEnabled()
    file = screen.seated.record.file
    assert file is not None
    assert read(file).entries[-1] == Entry(seat, concede=True)
    click(button(screen.ending.sheet, "Back to the shelf"))
    assert len(saved_matches.finished_matches()[0]) == 1


def test_who_does_not_want_to_be_asked_again_is_not(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    hold(qtbot, begin(window))
    concede(window, "Concede", again=False)
    click(button(table(window).ending.sheet, "Play again"))
    again = table(window)
    hold(qtbot, again)
    window.menus.commands["concede"].trigger()
    settle()
    assert len(asked) == 1
    assert again.seated.is_over


def test_alone_one_gives_up(opened: Open) -> None:
    window = opened()
    kit = catalogue.load("chains")
    window.matches.start_match(MatchSetup(kit, (Player("Hinata", "sun"),), catalogue.options(kit)))
    settle()
    concede(window, "Concede")
    assert "Give this game up" in asked[0]
    assert table(window).ending.sheet.winner_band.title.text() == "Not won this time"


def test_the_hand_is_sorted_again(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    hold(qtbot, screen)
    zone = screen.scene.stage.zones["hand/0"]
    usual = [item.card for item in zone]
    state = screen.seated.match.state
    drag_to(screen, usual[0], point_on(screen, usual[-1]) + QPoint(30, 0))
    assert [item.card for item in screen.scene.stage.zones["hand/0"]] != usual
    window.menus.commands["sort_hand"].trigger()
    assert [item.card for item in screen.scene.stage.zones["hand/0"]] == usual
    assert screen.seated.match.state is state
