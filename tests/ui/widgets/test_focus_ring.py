"""The ring round the widget in focus comes with the keys and goes with the mouse."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from tabletop.catalogue import catalogue
from tests.ui.window_driver import Open, page, settle
from ui.settings.settings_screen import SettingsScreen
from ui.widgets.focus_ring import RING_PROPERTY, has_ring


def press(widget: QWidget) -> None:
    """Click in the window where the widget is, as a mouse does, and let go."""
    window = widget.window().windowHandle()
    at = widget.mapTo(widget.window(), widget.rect().center())
    QTest.mouseClick(window, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    settle()


def shows_ring(widget: QWidget) -> bool:
    """Whether the ring's colour is on the edge of a button."""
    picture = widget.grab().toImage()
    wanted = QColor("#2F6F73")
    middle = picture.height() // 2
    found = [picture.pixelColor(x, middle) for x in range(min(4, picture.width()))]
    return any(
        abs(c.red() - wanted.red()) < 24 and abs(c.blue() - wanted.blue()) < 24 for c in found
    )


@pytest.fixture
def dialog(opened: Open) -> SettingsScreen:
    window = opened((1280, 800))
    shown = page(window, "settings")
    assert isinstance(shown, SettingsScreen)
    return shown


def test_a_click_in_the_settings_leaves_no_ring(dialog: SettingsScreen) -> None:
    box = dialog.switches["reduced_motion"]
    press(box)
    assert QApplication.focusWidget() is box
    assert not has_ring(box)
    press(dialog.defaults)
    focus = QApplication.focusWidget()
    assert focus is None or not has_ring(focus)


def test_keys_bring_the_ring_and_the_mouse_takes_it(dialog: SettingsScreen) -> None:
    dialog.tabs.setCurrentIndex(1)
    settle()
    press(dialog.switches["sounds"])
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    focus = QApplication.focusWidget()
    assert has_ring(focus)
    QTest.keyClick(focus, Qt.Key.Key_Tab)
    assert not has_ring(focus), "it has gone on"
    now = QApplication.focusWidget()
    assert has_ring(now)
    press(now)
    assert not has_ring(now)
    QTest.keyClick(now, Qt.Key.Key_Shift)
    assert not has_ring(now), "a key that does nothing"
    QTest.keyClick(now, Qt.Key.Key_Right)
    assert has_ring(QApplication.focusWidget())


def test_the_ring_is_drawn_for_keys_alone(opened: Open) -> None:
    window = opened((1280, 800))
    window.show_new_game(catalogue.load("sun"))
    settle()
    buttons = (each for each in window.findChildren(QPushButton) if each.isVisible())
    button = next(b for b in buttons if not (b.property("kind") or b.isCheckable()))
    button.setFocus(Qt.FocusReason.OtherFocusReason)
    settle()
    assert not shows_ring(button)
    QTest.keyClick(button, Qt.Key.Key_Tab)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Backtab)
    settle()
    assert QApplication.focusWidget() is button
    assert button.property(RING_PROPERTY) is True
    assert shows_ring(button)


def test_no_box_is_framed_when_the_shelf_comes(opened: Open) -> None:
    opened((1280, 800))
    settle()
    focus = QApplication.focusWidget()
    assert focus is not None
    assert not has_ring(focus)
    QTest.keyClick(focus, Qt.Key.Key_Right)
    assert has_ring(QApplication.focusWidget())
