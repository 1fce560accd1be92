"""A first game in the window: begun from the sheet, taught in the dock, left and resumed."""

import pytest
from at_window import Open, click, home, opened, play, settle, sheet, sun_box, table
from patience import until
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tabletop import lessons
from tabletop.engine.scratch import Luck
from tabletop.games import catalogue
from tabletop.games.catalogue import Kit
from ui.app import Window
from ui.screens import lesson_slip
from ui.screens.lesson_slip import LessonSlip
from ui.screens.table import TableScreen

__all__ = ["home", "opened"]


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
    written = lessons.first(sun())
    assert written is not None
    assert [player.kind for player in screen.sitting.players] == ["person", "bot"]
    assert screen.sitting.players[0].name == "Mio"
    assert screen.sitting.match is not None
    assert screen.sitting.match.seed == written.seed
    assert told(screen.dock.slip) == written.lesson[0].text
    assert screen.dock.slip.accessibleName() == f"First game: 1 of {len(written.lesson)}"


def test_a_used_rule_makes_room_for_the_next(opened: Open) -> None:
    screen = first_game(opened())
    before, luck = told(screen.dock.slip), Luck(2)
    seen = {before}
    for _ in range(300):
        settle(5)
        if screen.sitting.link and screen.sitting.link.offers:
            seen.add(told(screen.dock.slip))
            play(screen, luck)
        if len(seen) > 3:
            break
    assert len(seen) > 3
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


def test_left_and_resumed_it_goes_on_where_it_was(opened: Open) -> None:
    window = opened()
    screen = first_game(window)
    play(screen, Luck(2))
    until(lambda: screen.sitting.link and screen.sitting.link.offers, "the bot's move")
    now = told(screen.dock.slip)
    assert now
    file = screen.sitting.file
    assert file is not None
    window.do("leave")
    window.continue_match(file)
    settle()
    assert told(table(window).dock.slip) == now


def test_a_used_rule_fades_before_the_next_is_told(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lesson_slip, "FADES", 60)
    screen = first_game(opened(animation="fast"))
    slip = screen.dock.slip
    before = told(slip)
    play(screen, Luck(2))
    until(lambda: slip.fading, "the lesson that was used fades")
    assert told(slip) == before
    until(lambda: not slip.fading and told(slip) not in ("", before), "the next lesson")
    assert not slip._ink.isEnabled()


def test_an_ordinary_game_has_no_slip(opened: Open) -> None:
    window = opened()
    click(sun_box(window))
    click(sheet(window).places.cards[1].bot)
    click(sheet(window).start)
    assert table(window).dock.slip.isHidden()


def test_f1_opens_the_rules_where_the_question_rests(opened: Open) -> None:
    window = opened()
    screen = first_game(window)
    turned: list[str] = []
    screen.dock.rules.turn_to = turned.append  # type: ignore[method-assign]
    QTest.keyClick(screen.view, Qt.Key.Key_F1)
    window.do("rules")
    assert turned[-1] == sun().layout["asks"]["place"]["paragraph"]
    assert screen.dock.tabs.currentWidget() is screen.dock.rules


def test_the_rules_come_to_the_front_where_the_question_rests(opened: Open) -> None:
    screen = first_game(opened())
    turned: list[str] = []
    screen.dock.rules.turn_to = turned.append  # type: ignore[method-assign]
    tabs = screen.dock.tabs
    bar, number = tabs.tabBar(), tabs.indexOf(screen.dock.rules)
    click(bar, bar.tabRect(number).center())
    assert turned == [sun().layout["asks"]["place"]["paragraph"]]
    click(bar, bar.tabRect(0).center())
    click(bar, bar.tabRect(number).center())
    assert len(turned) == 1  # the same question: who comes back reads on
