"""A first game in the window: started from the sheet, taught beside the table, left and resumed."""

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tabletop.bots.personas import CHARACTERS
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.scratch import FastRng
from tabletop.match import tutorial
from tests.ui.window_driver import (
    Open,
    click,
    key,
    lit_on,
    play,
    settle,
    sheet,
    sun_box,
    tab_to,
    table,
    until_asked,
)
from ui.app import Window
from ui.match import tutor as tutor_module
from ui.match.lesson.subject import Pointer
from ui.match.screen.table_screen import TableScreen
from ui.match.tutor import Tutor
from ui.widgets.announcer import ScreenReaderAnnouncer

SIEGE = "5.1"
"""The paragraph of Children of the Sun about placing a card in the siege."""


def sun() -> GameKit:
    return catalogue.load("sun")


def first_game(window: Window) -> TableScreen:
    click(sun_box(window))
    sheet(window).seats.rows[0].field.setText("Mio")
    click(sheet(window).tutorial_button)
    return table(window)


def told(tutor: Tutor) -> str:
    return tutor.page.text if tutor.page.isVisible() else ""


def test_it_is_a_real_game_against_bots_with_the_first_lesson(opened: Open) -> None:
    screen = first_game(opened())
    written = tutorial.load_first_game(sun())
    assert [player.kind for player in screen.seated.players] == ["person", "bot"]
    assert screen.seated.players[0].name == "Mio"
    names = {character.name for character in CHARACTERS}
    assert screen.seated.players[1].name in names, "the opponent is somebody"
    assert screen.seated.match.seed == written.seed
    assert told(screen.tutor) == written.lesson[0].text
    assert screen.tutor.page._heading.text() == "Learn to play"


def test_a_used_rule_makes_room_for_the_next(opened: Open, qtbot: QtBot) -> None:
    screen = first_game(opened())
    before, luck = told(screen.tutor), FastRng(2)
    seen = {before}
    while len(seen) <= 3:
        assert until_asked(qtbot, screen)
        seen.add(told(screen.tutor))
        play(screen, luck)
    assert told(screen.tutor) != before


def test_each_is_linked_to_its_paragraph(opened: Open) -> None:
    screen = first_game(opened())
    screen.tutor.page.rule_requested.emit("5.1")
    assert screen.dock.tabs.currentWidget() is screen.dock.rules


def test_lessons_can_be_put_aside_one_by_one_or_all(opened: Open) -> None:
    screen = first_game(opened())
    tutor = screen.tutor
    first = told(tutor)
    click(tutor.page.dismiss_button)
    assert told(tutor) != first
    click(tutor.page.dismiss_all_button)
    assert told(tutor) == ""
    assert lit_on(screen) == []


def test_left_and_resumed_it_goes_on_where_it_was(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = first_game(window)
    play(screen, FastRng(2))
    qtbot.waitUntil(lambda: bool(screen.switch.shown_seat and screen.switch.shown_seat.offers))
    qtbot.waitUntil(lambda: bool(told(screen.tutor)))
    now = told(screen.tutor)
    file = screen.seated.record.file
    assert file is not None
    window.run_command("leave")
    window.continue_match(file)
    settle()
    assert told(table(window).tutor) == now


def test_a_used_rule_fades_before_the_next_is_told(
    opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(tutor_module, "FADE_MS", 60)
    screen = first_game(opened(animation="fast"))
    tutor = screen.tutor
    before = told(tutor)
    play(screen, FastRng(2))
    qtbot.waitUntil(lambda: bool(tutor.is_fading))
    assert told(tutor) == before
    qtbot.waitUntil(lambda: not tutor.is_fading and told(tutor) not in ("", before))
    assert tutor.lesson_slip.graphicsEffect() is None


def test_an_ordinary_game_has_no_lessons(opened: Open) -> None:
    window = opened()
    click(sun_box(window))
    click(sheet(window).start_button)
    assert told(table(window).tutor) == ""


def test_f1_opens_the_rules_where_the_question_rests(opened: Open) -> None:
    window = opened()
    screen = first_game(window)
    turned: list[str] = []
    screen.dock.rules.open_paragraph = turned.append
    QTest.keyClick(screen.view, Qt.Key.Key_F1)
    window.run_command("rules")
    assert turned[-1] == SIEGE
    assert screen.dock.tabs.currentWidget() is screen.dock.rules


def test_the_rules_come_to_the_front_where_the_question_rests(opened: Open) -> None:
    screen = first_game(opened())
    turned: list[str] = []
    screen.dock.rules.open_paragraph = turned.append
    tabs = screen.dock.tabs
    bar, number = tabs.tabBar(), tabs.indexOf(screen.dock.rules)
    click(bar, bar.tabRect(number).center())
    assert turned == [SIEGE]
    click(bar, bar.tabRect(0).center())
    click(bar, bar.tabRect(number).center())
    assert len(turned) == 1  # the same question: who comes back reads on


# Beside what it speaks of


def hand_cards(screen: TableScreen) -> list[int]:
    return [item.card for item in screen.scene.stage.zones["hand/0"]]


NARROW = (1024, 600)
"""A window in which the sidebar is closed."""


def test_it_is_at_the_foot_of_the_sidebar_and_lit_on_the_table(opened: Open) -> None:
    screen = first_game(opened())
    tutor, slip = screen.tutor, screen.dock.lesson_slip
    assert not tutor.bubble.isVisible()
    assert slip.isVisible()
    assert slip.geometry().bottom() == slip.parentWidget().rect().bottom()
    assert slip.geometry().top() > screen.dock.tabs.geometry().top()
    (lit,) = lit_on(screen)
    for card in hand_cards(screen):
        item = screen.scene.stage.item_of(card)
        assert lit.contains(item.sceneBoundingRect().center()), "the first one speaks of the hand"


def test_where_the_sidebar_is_closed_a_line_points_there(opened: Open) -> None:
    screen = first_game(opened(NARROW))
    tutor, view = screen.tutor, screen.view
    assert tutor.bubble.isVisible()
    (lit,) = lit_on(screen)
    bubble = QRectF(tutor.bubble.geometry().translated(-view.pos()))
    assert not bubble.intersects(lit)
    (line,) = (each for each in screen.scene.items() if isinstance(each, Pointer))
    assert bubble.adjusted(-4, -4, 4, 4).contains(line.foot)
    assert lit.adjusted(-4, -4, 4, 4).contains(line.tip)


def test_closed_by_hand_it_leaves_the_lesson_over_the_table(opened: Open) -> None:
    screen = first_game(opened())
    text = told(screen.tutor)
    screen.dock.close()
    settle()
    assert screen.tutor.bubble.isVisible()
    assert told(screen.tutor) == text
    screen.dock.show()
    settle()
    assert not screen.tutor.bubble.isVisible()
    assert told(screen.tutor) == text


def test_where_there_is_no_room_the_button_of_the_tab_is_marked(opened: Open) -> None:
    screen = first_game(opened(NARROW))
    tutor = screen.tutor
    everywhere = QRectF(0, 0, *screen.scene.stage.size)
    tutor._needed_rects = lambda: [everywhere]
    before = screen.side_sheet._actions["now"].icon().cacheKey()
    tutor.update_place()
    assert not tutor.bubble.isVisible()
    assert tutor.crowded
    assert screen.side_sheet._actions["now"].icon().cacheKey() != before
    screen.run_command("now")
    assert told(tutor)
    assert not tutor.crowded


def test_nothing_is_over_the_table_while_cards_fly(opened: Open, qtbot: QtBot) -> None:
    window = opened(NARROW, animation="slow")
    screen = first_game(window)
    tutor, scene = screen.tutor, screen.scene
    scene.skip_animations()
    settle()
    assert tutor.bubble.isVisible()
    play(screen, FastRng(2))
    assert scene.animator.is_running
    assert not tutor.bubble.isVisible()
    assert lit_on(screen) == []
    tutor.update_place()
    screen.view.sharpened.emit()
    assert not tutor.bubble.isVisible(), "not even when the window changes meanwhile"
    scene.skip_animations()
    qtbot.waitUntil(lambda: bool(told(tutor)) and not scene.animator.is_running)


def test_it_follows_the_window_the_prompt_and_the_zoom(opened: Open) -> None:
    window = opened((1090, 700))
    screen = first_game(window)
    tutor = screen.tutor
    before = tutor.bubble.geometry()
    window.resize(1024, 600)
    settle()
    screen.view.sharpen()
    assert tutor.bubble.geometry() != before
    assert not tutor.bubble.geometry().intersects(screen.prompt.geometry())
    lit = lit_on(screen)
    screen.view.zoom_in()
    screen.view.sharpen()
    settle()
    shown = screen.view.mapFromScene(lit_on(screen)[0]).boundingRect().translated(screen.view.pos())
    assert lit_on(screen) == lit
    assert tutor.crowded or not tutor.bubble.geometry().intersects(shown)


def test_tab_comes_to_it_and_esc_puts_it_aside(opened: Open) -> None:
    window = opened()
    screen = first_game(window)
    window.activateWindow()
    screen.view.setFocus()
    first = told(screen.tutor)
    tab_to(lambda focus: focus is screen.tutor.page.dismiss_button)
    key(Qt.Key.Key_Escape)
    assert told(screen.tutor) != first
    if told(screen.tutor):
        tab_to(lambda focus: focus is screen.tutor.page.dismiss_all_button)
        key(Qt.Key.Key_Return)
    assert told(screen.tutor) == ""
    assert QApplication.focusWidget() is screen.view


def test_without_motion_nothing_fades(opened: Open, qtbot: QtBot) -> None:
    screen = first_game(opened(animation="fast", reduced_motion=True))
    before = told(screen.tutor)
    play(screen, FastRng(2))
    assert not screen.tutor.is_fading
    assert told(screen.tutor) != before


def test_it_speaks_the_language_that_is_chosen_meanwhile(opened: Open) -> None:
    window = opened()
    screen = first_game(window)
    window.context.change_settings(language="ja")
    settle()
    assert "勝ちです" in told(screen.tutor)
    assert screen.tutor.page._heading.text() == "はじめてのゲーム"


@pytest.mark.parametrize(("size", "language"), [((1024, 600), "ja"), ((2560, 1440), "en")])
@pytest.mark.parametrize("game", ["chains", "awss"])
def test_words_and_buttons_of_a_bubble_are_whole(
    opened: Open, game: str, size: tuple[int, int], language: str
) -> None:
    window = opened(size=size, language=language)
    window.show_new_game(catalogue.load(game))
    click(sheet(window).tutorial_button)
    page = table(window).tutor.page
    assert page.isVisible()
    for each in (*page.findChildren(QLabel), *page.buttons):
        assert each.width() >= each.minimumSizeHint().width(), each.text()
        assert each.height() >= each.heightForWidth(each.width()), each.text()


def test_a_bubble_is_as_wide_as_its_heading_in_another_language(opened: Open) -> None:
    window = opened(size=(1024, 600), language="en")
    window.show_new_game(catalogue.load("awss"))
    click(sheet(window).tutorial_button)
    window.context.change_settings(language="ja")
    settle()
    tutor = table(window).tutor
    assert tutor.bubble.isVisible()
    for each in tutor.page.findChildren(QLabel):
        assert each.width() >= each.minimumSizeHint().width(), each.text()


def test_a_lesson_is_spoken_when_it_comes_and_again_by_a_key(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    monkeypatch.setattr(ScreenReaderAnnouncer, "say", lambda _, text, *more: heard.append(text))
    screen = first_game(opened())
    lesson = tutorial.load_first_game(sun()).lesson[0]
    qtbot.waitUntil(lambda: any(lesson.text in each for each in heard))
    assert heard[-1] == screen.tutor.spoken_text == f"Learn to play: {lesson.text}"
    settle()
    screen.refresh()
    settle()
    assert sum(lesson.text in each for each in heard) == 1
    QTest.keyClick(screen.view, Qt.Key.Key_F8)
    assert heard[-1].startswith(screen.prompt.text)
    assert heard[-1].endswith(lesson.text)
