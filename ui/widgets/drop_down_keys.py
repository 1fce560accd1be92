"""The keys of an open drop-down."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QComboBox, QWidget


class DropDownKeys(QObject):
    """Lets Space choose the entry of the open drop-down, as Enter does; Qt has no key for it."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        program = QApplication.instance()
        assert isinstance(program, QApplication)
        program.focusChanged.connect(self._follow)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress:
            return False
        assert isinstance(event, QKeyEvent)
        if event.key() != Qt.Key.Key_Space or event.modifiers():
            return False
        enter = Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier
        return QApplication.sendEvent(watched, QKeyEvent(QEvent.Type.KeyPress, *enter))

    def _follow(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None:
            before.removeEventFilter(self)
        if now is not None and is_drop_down(now):
            now.installEventFilter(self)


def is_drop_down(widget: QWidget) -> bool:
    """Whether this is the list of a combo box that is open."""
    return isinstance(widget, QAbstractItemView) and isinstance(widget.window().parent(), QComboBox)
