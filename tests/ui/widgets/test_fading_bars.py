"""Scroll bars are narrow, and there while one scrolls; pointed at, they can be taken."""

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QColor, QHoverEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollBar
from pytestqt.qtbot import QtBot

from tests.ui.window_driver import Open, page, settle
from ui.settings.settings_screen import SettingsScreen
from ui.settings.shortcuts import ShortcutsScreen
from ui.style.theme import load_theme
from ui.widgets import fading_bars


def seen_width(bar: QScrollBar) -> int:
    """So many pixels of the bar's middle line have another colour than its edge."""
    picture = bar.grab().toImage()
    y = 20
    ground = picture.pixelColor(0, y)
    return sum(picture.pixelColor(x, y) != ground for x in range(picture.width()))


def point_at(bar: QScrollBar, on: bool) -> None:
    """Point at the handle, or away; the pointer stays where a test has left it."""
    away, there = QPointF(-1, -1), QPointF(bar.width() / 2, 20)
    bar.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, on)
    kind = QEvent.Type.HoverEnter if on else QEvent.Type.HoverLeave
    QApplication.sendEvent(bar, QHoverEvent(kind, there if on else away, there, away))


@pytest.mark.parametrize("name", ["light", "dark", "contrast"])
def test_a_bar_is_there_while_it_moves(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(fading_bars, "FADE_DELAY_MS", 30)
    shown = page(opened(theme=name), "shortcuts")
    assert isinstance(shown, ShortcutsScreen)
    bar = shown._roll.verticalScrollBar()
    point_at(bar, False)
    qtbot.waitUntil(lambda: bar.property(fading_bars.HIDDEN_PROPERTY) is True)
    assert (seen_width(bar) > 0) == (name == "contrast"), "in high contrast it stays"
    bar.setValue(1)
    assert bar.property(fading_bars.HIDDEN_PROPERTY) is False
    assert 2 <= seen_width(bar) <= 4
    point_at(bar, True)
    assert seen_width(bar) >= 8
    qtbot.waitUntil(lambda: bar.property(fading_bars.HIDDEN_PROPERTY) is True)
    assert seen_width(bar) >= 8, "it can be taken while it is pointed at"


def test_the_tab_in_focus_has_a_line_and_no_frame(opened: Open) -> None:

    shown = page(opened(), "settings")
    assert isinstance(shown, SettingsScreen)
    tabs = shown.tabs.tabBar()
    QTest.keyClick(tabs, Qt.Key.Key_Right)
    settle()
    place, picture = tabs.tabRect(1), tabs.grab().toImage()
    accent = QColor(load_theme("light").accent_2)
    column = place.left() + 4
    lines = [y for y in range(place.height()) if picture.pixelColor(column, y) == accent]
    assert lines == [place.height() - 2, place.height() - 1]
