"""Keyboard handling of open drop-down lists."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QComboBox, QWidget

from ui.widgets.focus_filter import FocusFilter


class DropDownKeys(FocusFilter):
    """Event filter that lets Space choose an entry of
    an open drop-down list, as Qt does only for Enter.
    """

    def accepts_widget(self, widget: QWidget) -> bool:
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
    """Return whether `widget` is the open list of a combo box."""
    return isinstance(widget, QAbstractItemView) and isinstance(widget.window().parent(), QComboBox)
