"""Settings, statistics, rules, help and more are pages over a screen, and lead back to it."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QDialog, QLabel

from tests.ui.counted_matches import count
from tests.ui.window_driver import Open, begin, click, key, page, settle, sheet, table
from ui.settings.pages import PAGES
from ui.settings.statistics_screen import StatisticsScreen
from ui.widgets.game_box import GameBox


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("by_esc", [False, True])
def test_a_page_over_the_shelf_leads_back_to_it(opened: Open, name: str, by_esc: bool) -> None:
    window = opened()
    before = QApplication.focusWidget()
    assert isinstance(before, GameBox)
    shown = page(window, name)
    assert window.stack.currentWidget() is shown
    assert not [each for each in window.findChildren(QDialog) if each.isVisible()]
    focus = QApplication.focusWidget()
    assert focus is not None
    assert shown.isAncestorOf(focus)
    key(Qt.Key.Key_Escape) if by_esc else click(shown.done)
    assert window.stack.page is None
    assert window.stack.currentWidget() is window.shelf
    assert QApplication.focusWidget() is before


@pytest.mark.parametrize("name", ["settings", "statistics", "shortcuts"])
def test_a_match_goes_on_below_a_page(opened: Open, name: str) -> None:
    window = opened()
    screen = begin(window, 1)
    settle()
    focus, hint = QApplication.focusWidget(), window.menus.commands["hint"]
    assert hint.isEnabled()
    shown = page(window, name)
    assert not hint.isEnabled(), "no command acts on a table that nobody sees"
    screen.allowed_commands_changed.emit({"hint": True})
    assert not hint.isEnabled()
    assert window.table is screen
    window.run_command("rules")  # of the same game, over the table as well
    settle()
    assert window.stack.page is not shown
    assert window.stack.page is not None
    key(Qt.Key.Key_Escape)
    assert window.stack.currentWidget() is screen
    assert table(window) is screen
    assert hint.isEnabled()
    assert QApplication.focusWidget() is focus


def test_all_keys_are_side_by_side_where_there_is_room(opened: Open) -> None:
    window = opened((1280, 800))
    shown = page(window, "shortcuts")

    def columns() -> list[QLabel]:
        texts = window.context.words("In the menus"), window.context.words("Everywhere")
        return [next(w for w in shown.findChildren(QLabel) if w.text() == t) for t in texts]

    def below() -> int:
        settle()
        first, second = (w.mapTo(shown, QPoint()) for w in columns())
        return second.y() - first.y()

    assert below() == 0
    window.resize(960, 540)
    assert below() > 300
    window.resize(1280, 800)
    assert below() == 0


def test_another_screen_takes_the_page_away(opened: Open) -> None:
    window = opened()
    page(window, "settings")
    window.run_command("join")
    settle()
    assert window.stack.page is None
    page(window, "statistics")
    window.run_command("new")
    assert window.stack.page is None
    assert window.stack.currentWidget() is window.shelf


def test_statistics_show_each_box_and_what_was_won(opened: Open, home: object) -> None:
    window = opened()
    shown = page(window, "statistics")
    assert isinstance(shown, StatisticsScreen)
    assert {box.wins_text for box in shown.boxes.boxes} == {"not played yet"}
    shown.done.click()
    for number, winner in enumerate((0, 1, 0)):
        count(str(number), "sun", ("Hinata", "Mugi"), winner)
    shown = page(window, "statistics")
    assert isinstance(shown, StatisticsScreen)
    boxes = {box.kit.id: box for box in shown.boxes.boxes}
    assert boxes["sun"].wins_text == "won 2 of 3"
    assert boxes["sun"].accessibleDescription() == "won 2 of 3"
    click(boxes["sun"])
    assert shown.game.currentData() == "sun"
    assert boxes["sun"].isChecked()
    click(boxes["sun"])
    assert shown.game.currentData() == ""
    click(boxes["chains"])
    assert sheet(window).kit.id == "chains", "a game that was never played is set up"
