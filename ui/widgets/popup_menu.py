"""Pop-up menus that are opened by a key or a command."""

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu


def open_for_keys(menu: QMenu, position: QPoint) -> None:
    """Open `menu` at the screen position, with its first possible entry active.

    A screen reader reads that entry out, and Enter chooses it.
    """
    menu.popup(position)
    first = next((action for action in menu.actions() if action.isEnabled()), None)
    if first is not None:
        menu.setActiveAction(first)
