"""The settings as tests open and use them."""

from PySide6.QtWidgets import QComboBox

from tests.ui.window_driver import settle
from ui.app import Window
from ui.settings.settings_dialog import SettingsDialog


def dialog(window: Window) -> SettingsDialog:
    shown = SettingsDialog(window.context, window)
    shown.show()
    settle()
    return shown


def choose(box: QComboBox, value: str) -> None:
    """As a person would with the keyboard or the mouse."""
    number = box.findData(value)
    box.setCurrentIndex(number)
    box.activated.emit(number)
    settle()
