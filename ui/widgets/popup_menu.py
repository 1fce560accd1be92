"""Pop-up menus that are opened by a key or a command."""

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu


def open_for_keys(menu: QMenu, position: QPoint) -> None:
    """Open `menu` at the screen position, with its first possible entry active.

    A screen reader reads that entry out, and Enter chooses it.
    """
    menu.popup(position)
    first = next((action for action in menu.actions() if action.isEnabled()), None)
    if first is None:
        return
    if first.menu() is None:
        menu.setActiveAction(first)
    else:  # `setActiveAction` would open the submenu, and the keys would be inside it
        press = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Down, Qt.KeyboardModifier.NoModifier)
        QCoreApplication.sendEvent(menu, press)
