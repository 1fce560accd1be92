"""The card that introduces a game over its first table."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tabletop.catalogue import catalogue
from tests.ui.window_driver import Open, click, key, settle, sun_box
from ui.app import Window
from ui.match.introduction import Introduction


def introduction(window: Window) -> Introduction | None:
    assert window.table is not None
    shown = window.table.table_area.findChildren(Introduction)
    return next((each for each in shown if each.isVisible()), None)


def play_now(window: Window) -> Introduction | None:
    click(sun_box(window).play_button)
    settle()
    return introduction(window)


def test_first_match_of_a_game_begins_with_its_introduction(opened: Open) -> None:
    window = opened()
    card = play_now(window)
    assert card is not None
    words = catalogue.load("sun").words
    assert words.aim in card.spoken_text
    assert all(step in card.spoken_text for step in words.turn)
    assert card.accessibleDescription() == card.spoken_text
    assert QApplication.focusWidget() is card.learn_button
    click(card.play_button)
    assert introduction(window) is None
    assert window.table.view.isEnabled()
    assert window.table.tutor.current is None
    window.run_command("leave")
    assert play_now(window) is None


def test_default_button_starts_lessons(opened: Open) -> None:
    window = opened()
    play_now(window)
    first = window.table
    file = first.seated.record.file
    key(Qt.Key.Key_Return)
    settle()
    assert window.table is not first
    assert window.table.tutor.current is not None
    assert not file.exists()
    assert introduction(window) is None


def test_keys_stay_on_the_introduction(opened: Open) -> None:
    window = opened()
    card = play_now(window)
    key(Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is card.play_button
    key(Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is card.learn_button
    QTest.keyClick(card, Qt.Key.Key_Escape)
    assert introduction(window) is None
    assert QApplication.focusWidget() is window.table.view


def test_help_menu_starts_lessons(opened: Open) -> None:
    window = opened()
    window.show_new_game(catalogue.load("chains"))
    window.menus.commands["learn"].trigger()
    settle()
    assert window.table.kit.id == "chains"
    assert window.table.tutor.current is not None
