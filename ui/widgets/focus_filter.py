"""An event filter on the widget that has the focus."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget


class FocusFilter(QObject):
    """Filters the events of the widget in focus, where it wants to."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        program = QApplication.instance()
        assert isinstance(program, QApplication)
        program.focusChanged.connect(self._follow)

    def wants(self, widget: QWidget) -> bool:
        """Whether the events of this widget are filtered."""
        raise NotImplementedError

    def _follow(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None:
            before.removeEventFilter(self)
        if now is not None and self.wants(now):
            now.installEventFilter(self)
