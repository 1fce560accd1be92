"""Detection of a pointer that rests on a button: a press is likely."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QWidget

RESTS = 50
"""Milliseconds after which a pointer does not only pass by."""


class RestingPointer(QObject):
    """Watches widgets that begin the same; it lives as long as the first of them."""

    rested = Signal()
    """The pointer rests on one of them, or it has the keyboard focus."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__(widgets[0])
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(RESTS)
        self._timer.timeout.connect(self.rested)
        for each in widgets:
            each.installEventFilter(self)

    @property
    def arrived(self) -> bool:
        """Whether the pointer has just come, and may pass by."""
        return self._timer.isActive()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        keyed = isinstance(event, QFocusEvent) and event.reason() in (
            Qt.FocusReason.TabFocusReason,
            Qt.FocusReason.BacktabFocusReason,
        )
        if event.type() is QEvent.Type.Enter or (keyed and event.type() is QEvent.Type.FocusIn):
            self._timer.start()
        elif event.type() in (QEvent.Type.Leave, QEvent.Type.FocusOut, QEvent.Type.Hide):
            self._timer.stop()
        return False
