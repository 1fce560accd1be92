"""The public table as tests have it shown: on which screens, and by which address phones come."""

from PySide6.QtCore import QRect

from tests.ui.window_driver import settle
from ui.app import Window
from ui.public.public_table import PublicTable

ADDRESS = "http://192.168.178.120:18980/#K7M2XQ"
SCREENS = ((1280, 720), (1920, 1080), (3840, 2160))


def shown(window: Window) -> PublicTable:
    """The window's public table, which it has just opened."""
    window.menus.commands["public_table"].trigger()
    settle()
    table = window.public.table
    assert table is not None
    return table


def within(table: PublicTable, widget: object) -> QRect:
    """The rectangle of a widget in the public table."""
    return QRect(widget.mapTo(table, widget.rect().topLeft()), widget.size())
