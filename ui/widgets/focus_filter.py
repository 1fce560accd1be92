"""An event filter that follows the keyboard focus."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget


class FocusFilter(QObject):
    """Event filter that installs itself on the focused
    widget if `accepts_widget` returns True for it.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        program = QApplication.instance()
        assert isinstance(program, QApplication)
        program.focusChanged.connect(self._follow)

    def accepts_widget(self, widget: QWidget) -> bool:
        """Return whether to filter the events of `widget`."""
        raise NotImplementedError

    def _follow(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None:
            before.removeEventFilter(self)
        if now is not None and self.accepts_widget(now):
            now.installEventFilter(self)
