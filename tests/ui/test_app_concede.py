"""Giving a match up, and laying the own hand in order, from the Play menu."""

import pytest
from at_window import (
    Open,
    begin,
    button,
    click,
    drag_to,
    hold,
    home,
    opened,
    pass_on,
    point_on,
    settle,
    table,
)
from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from tabletop.engine.scratch import Luck
from tabletop.games import catalogue
from tabletop.match import Entry, Player
from tabletop.storage import matches
from tabletop.storage.record import read
from ui.app import Window
from ui.screens.new_game import Agreed

__all__ = ["home", "opened"]

asked: list[str] = []


@pytest.fixture(autouse=True)
def nothing_asked_yet() -> None:
    asked.clear()


def concede(window: Window, press: str, again: bool = True) -> None:
    """Choose the command, and answer the question with this button."""

    def answer() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        asked.append(box.text())
        box.checkBox().setChecked(not again)
        next(each for each in box.buttons() if each.text() == press).click()

    QTimer.singleShot(0, answer)
    window.menus.commands["concede"].trigger()
    settle()


def test_who_concedes_is_asked_first_and_may_think_better_of_it(opened: Open) -> None:
    window = opened()
    screen = begin(window)
    assert not window.menus.commands["concede"].isEnabled(), "nobody looks yet"
    hold(screen)
    concede(window, "Cancel")
    assert "Hinata concedes" in asked[0]
    assert not screen.sitting.over
    assert screen.sitting.match.record == []


def test_a_concession_ends_the_match_with_a_sheet_that_names_it(opened: Open) -> None:
    window = opened()
    screen = begin(window)
    pass_on(screen, Luck(4), 3)
    if screen.curtain.drawn:
        hold(screen)
    seat = screen.sitting.looking
    concede(window, "Concede")
    assert screen.sitting.over
    assert screen.sheet.isVisible()
    winner = screen.sitting.players[1 - seat].name
    assert screen.sheet.title.text() == f"{winner} wins"
    texts = [label.text() for label in screen.sheet.findChildren(type(screen.sheet.title))]
    assert f"{screen.sitting.players[seat].name} conceded." in texts
    assert "Total" not in texts, "nothing was counted"
    assert not window.menus.commands["concede"].isEnabled()
    assert not window.menus.commands["undo"].isEnabled()
    file = screen.sitting.file
    assert file is not None
    assert read(file).entries[-1] == Entry(seat, concede=True)
    click(button(screen.sheet, "Back to the shelf"))
    assert len(matches.finished()) == 1


def test_who_does_not_want_to_be_asked_again_is_not(opened: Open) -> None:
    window = opened()
    hold(begin(window))
    concede(window, "Concede", again=False)
    click(button(table(window).sheet, "Rematch"))
    again = table(window)
    hold(again)
    window.menus.commands["concede"].trigger()
    settle()
    assert len(asked) == 1
    assert again.sitting.over


def test_alone_one_gives_up(opened: Open) -> None:
    window = opened()
    kit = catalogue.load("chains")
    window.playing.begin(Agreed(kit, (Player("Hinata", "sun"),), catalogue.options(kit)))
    settle()
    concede(window, "Concede")
    assert "Give this game up" in asked[0]
    assert table(window).sheet.title.text() == "Not won this time"


def test_the_hand_is_sorted_again(opened: Open) -> None:
    window = opened()
    screen = begin(window)
    hold(screen)
    zone = screen.scene.stage.zones["hand/0"]
    usual = [item.card for item in zone]
    state = screen.sitting.match.state
    drag_to(screen, usual[0], point_on(screen, usual[-1]) + QPoint(30, 0))
    assert [item.card for item in screen.scene.stage.zones["hand/0"]] != usual
    window.menus.commands["sort_hand"].trigger()
    assert [item.card for item in screen.scene.stage.zones["hand/0"]] == usual
    assert screen.sitting.match.state is state
