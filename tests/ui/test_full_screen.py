"""In a full screen the menu bar is hidden; its keys hold, and the upper edge brings it."""

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.window_driver import Open, settle
from ui.app import Window


def test_the_menu_bar_hides_in_full_screen_and_comes_back(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    menus = window.menus
    assert menus.height() > 20
    top = window.stack.y()
    QTest.keyClick(window, Qt.Key.Key_F11)
    qtbot.waitUntil(lambda: menus.height() == 0 and window.stack.y() < top)
    point = QPointF(40, 0)
    QApplication.sendEvent(menus._edge, QEnterEvent(point, point, point))
    qtbot.waitUntil(lambda: menus.height() > 20)
    settle()
    assert window.stack.y() == 0, "the bar comes over the page and does not push it down"
    assert window.childAt(400, 10) in (menus, menus.cornerWidget())
    QApplication.sendEvent(menus, QEvent(QEvent.Type.Leave))
    qtbot.waitUntil(lambda: menus.height() == 0)
    QTest.keyClick(window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert window.stack.page is not None, "keys of the menus hold"
    QTest.keyClick(window, Qt.Key.Key_F11)
    qtbot.waitUntil(lambda: menus.height() > 20)
    assert not menus._edge.isVisible()


def test_a_window_left_in_full_screen_begins_there(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    window.run_command("full_screen")
    settle()
    window.close()
    window.context.close()
    again = Window()  # under Wayland it never hears that it has become so large
    qtbot.addWidget(again)
    assert again.isFullScreen()
    assert again.menus.is_auto_hidden


def forget_maximized(window: Window) -> None:
    """Report only the full screen, as X11 does for a window that was maximized before."""
    assert window.isFullScreen()
    window.setWindowState(Qt.WindowState.WindowFullScreen)
    settle()


@pytest.mark.parametrize("maximized", [True, False])
def test_leaving_full_screen_restores_the_maximized_window(
    opened: Open, qtbot: QtBot, maximized: bool
) -> None:
    window = opened()
    if maximized:
        window.showMaximized()
    settle()
    for _ in range(2):
        QTest.keyClick(window, Qt.Key.Key_F11)
        forget_maximized(window)
        QTest.keyClick(window, Qt.Key.Key_F11)
        settle()
        assert window.isMaximized() == maximized
    QTest.keyClick(window, Qt.Key.Key_F11)
    forget_maximized(window)
    window.close()
    window.context.close()
    again = Window()
    qtbot.addWidget(again)
    again.show()
    forget_maximized(again)
    QTest.keyClick(again, Qt.Key.Key_F11)
    settle()
    assert not again.isFullScreen()
    assert again.isMaximized() == maximized
