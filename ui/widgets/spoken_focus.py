"""Reports to screen readers what Qt doesn't: the current row of lists, and read-only text."""

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
SELECTABLE_BY_KEYS = Qt.TextInteractionFlag.TextSelectableByKeyboard


class SpokenFocus(QObject):
    """Reports the current row when a list gets the focus, and lets the arrow keys move through
    read-only text.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        program = QApplication.instance()
        assert isinstance(program, QApplication)
        program.focusChanged.connect(self._follow)

    def _follow(self, before: QWidget | None, now: QWidget | None) -> None:
        if isinstance(now, QAbstractItemView) and QAccessible.isActive():
            # after Qt has announced the list and selected its first row
            QTimer.singleShot(0, now, partial(announce_current_row, now))
        elif isinstance(now, Text) and now.isReadOnly() and QAccessible.isActive():
            now.setTextInteractionFlags(now.textInteractionFlags() | SELECTABLE_BY_KEYS)


def announce_current_row(lines: QAbstractItemView) -> None:
    """Report the current row of `lines` to screen readers if `lines` has the focus."""
    if lines.hasFocus() and lines.currentIndex().isValid():
        announce_row(lines, lines.currentIndex().row())


def announce_row(lines: QAbstractItemView, row: int) -> None:
    """Report `row` to screen readers as focused.

    `lines` may be the list of a closed combo box.
    """
    interface = QAccessible.queryAccessibleInterface(lines) if QAccessible.isActive() else None
    line = interface.child(row) if interface is not None else None
    if line is not None:
        QAccessible.updateAccessibility(QAccessibleEvent(line, QAccessible.Event.Focus))
