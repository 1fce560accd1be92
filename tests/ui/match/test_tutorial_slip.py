"""A first game in the window: begun from the sheet, taught in the dock, left and resumed."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui.match.tutorial_slip import LessonSlip

from tabletop import tutorial
from tabletop.engine.scratch import Luck
from tabletop.games import catalogue
from tabletop.games.catalogue import Kit
from tests.ui.window_driver import (
    Open,
    click,
    play,
    settle,
    sheet,
    sun_box,
    table,
    until_asked,
)
from ui.app import Window
from ui.match import tutorial_slip
from ui.match.table_screen import TableScreen

SIEGE = "5.1"
"""Where the rulebook of Children of the Sun tells of placing a card in the siege."""


def sun() -> Kit:
    return catalogue.load("sun")


def first_game(window: Window) -> TableScreen:
    click(sun_box(window))
    sheet(window).places.cards[0].name.setText("Mio")
    click(sheet(window).learn)
    return table(window)


def told(slip: LessonSlip) -> str:
    return "" if slip.isHidden() else slip.accessibleDescription()


def test_it_is_a_real_game_against_bots_with_the_first_lesson(opened: Open) -> None:
    screen = first_game(opened())
    written = tutorial.first(sun())
    assert written is not None
    assert [player.kind for player in screen.seats_here.players] == ["person", "bot"]
    assert screen.seats_here.players[0].name == "Mio"
    assert screen.seats_here.match is not None
    assert screen.seats_here.match.seed == written.seed
    assert told(screen.dock.slip) == written.lesson[0].text
    assert screen.dock.slip.accessibleName() == f"First game: 1 of {len(written.lesson)}"


def test_a_used_rule_makes_room_for_the_next(opened: Open, qtbot: QtBot) -> None:
    screen = first_game(opened())
    before, luck = told(screen.dock.slip), Luck(2)
    seen = {before}
    while len(seen) <= 3:
        assert until_asked(qtbot, screen)
        seen.add(told(screen.dock.slip))
        play(screen, luck)
    assert told(screen.dock.slip) != before


def test_each_is_linked_to_its_paragraph(opened: Open) -> None:
    screen = first_game(opened())
    screen.dock.slip.asked.emit("5.1")
    assert screen.dock.tabs.currentWidget() is screen.dock.rules


def test_lessons_can_be_put_aside_one_by_one_or_all(opened: Open) -> None:
    screen = first_game(opened())
    slip = screen.dock.slip
    first = told(slip)
    click(slip.understood)
    assert told(slip) != first
    click(slip.enough)
    assert slip.isHidden()


def test_left_and_resumed_it_goes_on_where_it_was(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = first_game(window)
    play(screen, Luck(2))
    qtbot.waitUntil(lambda: bool(screen.seats_here.link and screen.seats_here.link.offers))
    qtbot.waitUntil(lambda: bool(told(screen.dock.slip)))
    now = told(screen.dock.slip)
    file = screen.seats_here.file
    assert file is not None
    window.do("leave")
    window.continue_match(file)
    settle()
    assert told(table(window).dock.slip) == now


def test_a_used_rule_fades_before_the_next_is_told(
    opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(tutorial_slip, "FADES", 60)
    screen = first_game(opened(animation="fast"))
    slip = screen.dock.slip
    before = told(slip)
    play(screen, Luck(2))
    qtbot.waitUntil(lambda: bool(slip.fading))
    assert told(slip) == before
    qtbot.waitUntil(lambda: not slip.fading and told(slip) not in ("", before))
    assert not slip._ink.isEnabled()


def test_an_ordinary_game_has_no_slip(opened: Open) -> None:
    window = opened()
    click(sun_box(window))
    click(sheet(window).start)
    assert table(window).dock.slip.isHidden()


def test_f1_opens_the_rules_where_the_question_rests(opened: Open) -> None:
    window = opened()
    screen = first_game(window)
    turned: list[str] = []
    screen.dock.rules.turn_to = turned.append  # type: ignore[method-assign]
    QTest.keyClick(screen.view, Qt.Key.Key_F1)
    window.do("rules")
    assert turned[-1] == SIEGE
    assert screen.dock.tabs.currentWidget() is screen.dock.rules


def test_the_rules_come_to_the_front_where_the_question_rests(opened: Open) -> None:
    screen = first_game(opened())
    turned: list[str] = []
    screen.dock.rules.turn_to = turned.append  # type: ignore[method-assign]
    tabs = screen.dock.tabs
    bar, number = tabs.tabBar(), tabs.indexOf(screen.dock.rules)
    click(bar, bar.tabRect(number).center())
    assert turned == [SIEGE]
    click(bar, bar.tabRect(0).center())
    click(bar, bar.tabRect(number).center())
    assert len(turned) == 1  # the same question: who comes back reads on
