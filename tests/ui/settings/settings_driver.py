"""The settings as tests open and use them."""

from PySide6.QtWidgets import QComboBox

from tests.ui.window_driver import page, settle
from ui.app import Window
from ui.settings.settings_screen import SettingsScreen


def dialog(window: Window) -> SettingsScreen:
    shown = page(window, "settings")
    assert isinstance(shown, SettingsScreen)
    return shown


def choose(box: QComboBox, value: str) -> None:
    """As a person would with the keyboard or the mouse."""
    number = box.findData(value)
    box.setCurrentIndex(number)
    box.activated.emit(number)
    settle()
