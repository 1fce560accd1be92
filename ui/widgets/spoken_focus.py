"""What is read inside of the widget in focus, for screen readers: the line of a list, of which Qt
tells nothing, and the lines of a text that cannot be written."""

from functools import partial

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

Text = QTextEdit | QPlainTextEdit
BY_KEYS = Qt.TextInteractionFlag.TextSelectableByKeyboard


class SpokenFocus(QObject):
    """Tells of the current line whenever the keys come to a list, and has the arrows go through the
    lines of a text where they would scroll it."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        program = QApplication.instance()
        assert isinstance(program, QApplication)
        program.focusChanged.connect(self._follow)

    def _follow(self, before: QWidget | None, now: QWidget | None) -> None:
        if isinstance(now, QAbstractItemView) and QAccessible.isActive():
            # once Qt has announced the list and chosen its first line
            QTimer.singleShot(0, now, partial(tell_line, now))
        elif isinstance(now, Text) and now.isReadOnly() and QAccessible.isActive():
            now.setTextInteractionFlags(now.textInteractionFlags() | BY_KEYS)


def tell_line(lines: QAbstractItemView) -> None:
    """Tell a screen reader of the current line of the list in focus."""
    if lines.hasFocus() and lines.currentIndex().isValid():
        tell_choice(lines, lines.currentIndex().row())


def tell_choice(lines: QAbstractItemView, row: int) -> None:
    """Tell a screen reader of a line, as if it had the focus: also of a closed drop-down."""
    interface = QAccessible.queryAccessibleInterface(lines) if QAccessible.isActive() else None
    line = interface.child(row) if interface is not None else None
    if line is not None:
        QAccessible.updateAccessibility(QAccessibleEvent(line, QAccessible.Event.Focus))
