"""The dock: how wide it is, and how it folds."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFontMetrics
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.logging import _QtMessageCapture as QtLog
from pytestqt.qtbot import QtBot

from tabletop.engine.scratch import FastRng
from tests.ui.late_matches import near_its_end
from tests.ui.window_driver import Open, begin, click, hold, pass_on, settle
from ui.match.dock import ChatTab
from ui.match.screen.table_screen import TableScreen
from ui.widgets.styled_widgets import scaled_font


def test_a_dock_from_a_small_window_shows_all_tabs(opened: Open) -> None:
    window = opened(language="ja")
    begin(window, 1)
    window.run_command("new")
    settle()
    assert window.context.settings.docks
    window.resize(2560, 1440)
    screen = begin(window, 1)
    settle()
    assert screen.growth > 1
    assert screen.dock.tabs.tabBar().sizeHint().width() <= screen.dock.tabs.width()


def test_all_of_the_dock_has_its_colour_and_its_line(opened: Open) -> None:
    screen = begin(opened((1280, 800)), 1)
    settle()
    dock = screen.dock
    picture, bar = dock.grab().toImage(), dock.tabs.tabBar()
    beside_tabs = bar.mapTo(dock, QPoint(bar.width(), 2)) + QPoint(8, 0)
    below = QPoint(dock.width() // 2, dock.height() - 12)
    assert picture.pixelColor(beside_tabs) == picture.pixelColor(below)
    line = dock._inside.mapTo(dock, QPoint(0, 0)).x()
    colour = QColor(screen.context.theme.line)
    assert all(picture.pixelColor(line, y) == colour for y in range(10, dock.height() - 10, 40))


def test_the_table_goes_on_as_far_as_the_dock(opened: Open) -> None:
    screen = begin(opened((1280, 800)), 1)
    settle()
    picture = screen.grab().toImage()
    ends, begins = screen.centralWidget().geometry().right(), screen.dock.x()
    assert begins - ends > 4
    night = QColor(screen.context.table_theme(screen.kit).table).lightness()
    for y in range(4, screen.height(), 20):
        for x in range(ends + 1, begins):
            assert abs(picture.pixelColor(x, y).lightness() - night) < 40


@pytest.mark.parametrize("language", ["en", "ja"])
def test_tabs_have_air_beside_a_chat(opened: Open, language: str) -> None:
    window = opened((1280, 800), language=language)
    dock = begin(window, 1).dock
    chat, bar = ChatTab(), dock.tabs.tabBar()
    dock.add_chat(chat)
    settle()
    metrics, wide = QFontMetrics(scaled_font(bar, 13)), dock.width()
    for unread, least in ((0, 6), (3, 4)):
        chat.unread = unread
        chat.unread_changed.emit(unread)
        settle()
        shown = [n for n in range(bar.count()) if bar.isTabVisible(n)]
        assert len(shown) == 6
        for number in shown:
            named = metrics.horizontalAdvance(bar.tabText(number))
            assert bar.tabRect(number).width() >= named + least
        assert bar.sizeHint().width() <= bar.width(), "none is scrolled to"
        assert dock.width() == wide, "the table stays where it is"


def warnings(qtlog: QtLog) -> list[str]:
    """Return Qt's warnings, except about things it cannot do without a screen."""
    warnings = [record.message for record in qtlog.records]
    return [message for message in warnings if not message.startswith("This plugin does not")]


def test_an_overlaid_dock_stays_when_the_window_grows(opened: Open, qtlog: QtLog) -> None:
    window = opened((1000, 600))
    screen = begin(window, 1)
    assert screen.side_sheet.overlays_table
    window.resize(2560, 1440)
    settle()
    assert not screen.side_sheet.overlays_table
    assert warnings(qtlog) == []


def rail(screen: TableScreen) -> dict[str, QToolButton]:
    return {each.toolTip(): each for each in screen.side_sheet.rail.findChildren(QToolButton)}


def test_it_folds_into_a_rail_and_unfolds(opened: Open) -> None:
    window = opened()
    screen = begin(window, 1)
    wide = screen.view.width()
    click(screen.dock.collapse_button)
    settle()
    assert not screen.dock.isVisible()
    assert screen.side_sheet.rail.isVisible()
    assert screen.view.width() > wide
    assert QApplication.focusWidget() is screen.view, "the keys belong to the table again"
    click(rail(screen)["Log"])
    settle()
    assert screen.dock.isVisible()
    assert screen.dock.current_tab == "log"
    assert not screen.side_sheet.rail.isVisible()
    assert screen.view.width() == wide


def test_it_stays_folded_at_the_next_table(opened: Open) -> None:
    window = opened()
    click(begin(window, 1).dock.collapse_button)
    window.run_command("new")
    screen = begin(window, 1)
    settle()
    assert not screen.dock.isVisible()
    assert screen.side_sheet.rail.isVisible()
    window.run_command("reset_layout")
    settle()
    assert screen.dock.isVisible()
    assert screen.dock.current_tab == "now"


def test_a_dock_that_older_versions_kept_elsewhere_comes_back(opened: Open) -> None:
    window = opened()
    screen = begin(window, 1)
    screen.removeDockWidget(screen.dock)
    screen.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, screen.dock)
    screen.dock.setFloating(True)
    screen.dock.show()
    window.run_command("new")
    screen = begin(window, 1)
    settle()
    assert not screen.dock.isFloating()
    assert screen.dock.isVisible()
    assert screen.dock.geometry().left() > screen.table_area.geometry().right()


def test_in_an_upright_window_it_is_below_the_table(opened: Open) -> None:
    window = opened((1280, 1440))
    screen = begin(window, 1)
    settle()
    dock, table = screen.dock, screen.table_area
    assert dock.geometry().top() > table.geometry().bottom()
    assert table.width() == screen.width()
    assert dock.race.width() < dock.now.width() / 2, "the story is beside it"
    click(dock.collapse_button)
    settle()
    assert screen.side_sheet.rail.isVisible()
    click(rail(screen)["Log"])
    settle()
    assert dock.isVisible()
    assert dock.current_tab == "log"
    window.resize(1440, 900)
    settle()
    assert dock.geometry().left() > table.geometry().right()
    assert table.height() == screen.height()


def test_a_window_that_was_upright_leaves_nothing_behind(opened: Open) -> None:
    window = opened()
    wide = begin(window, 1).dock.width()
    window.resize(1280, 1440)
    settle()
    window.run_command("new")
    settle()
    window.resize(1280, 800)
    screen = begin(window, 1)
    settle()
    assert screen.dock.width() == wide
    assert screen.dock.geometry().left() > screen.table_area.geometry().right()


def test_the_score_is_the_race_until_there_is_a_sheet(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = near_its_end(window)
    assert "Score" not in rail(screen)
    hold(qtbot, screen)
    window.run_command("log")
    window.run_command("score")
    assert screen.dock.current_tab == "now"
    assert screen.dock.race.isVisible()
    pass_on(qtbot, screen, FastRng(0), 60)
    assert screen.dock.current_tab == "score"
    assert "Score" in rail(screen)
