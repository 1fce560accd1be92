"""The keys of an open drop-down."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QComboBox, QWidget

from ui.widgets.focus_filter import FocusFilter


class DropDownKeys(FocusFilter):
    """Lets Space choose the entry of the open drop-down, as Enter does; Qt has no key for it."""

    def wants(self, widget: QWidget) -> bool:
        return is_drop_down(widget)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress:
            return False
        assert isinstance(event, QKeyEvent)
        if event.key() != Qt.Key.Key_Space or event.modifiers():
            return False
        enter = Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier
        return QApplication.sendEvent(watched, QKeyEvent(QEvent.Type.KeyPress, *enter))


def is_drop_down(widget: QWidget) -> bool:
    """Whether this is the list of a combo box that is open."""
    return isinstance(widget, QAbstractItemView) and isinstance(widget.window().parent(), QComboBox)
