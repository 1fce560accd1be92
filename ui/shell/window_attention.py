"""Detects that the user probably isn't looking at a window.

No toolkit reports on every system that the screen is locked. But every system reports that the
program has lost the keyboard focus, which happens when the screen is locked.
"""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

UNATTENDED_AFTER_MS = 60_000
"""The time in milliseconds without keyboard focus after which the program counts as unattended."""
HIDDEN_STATES = (Qt.ApplicationState.ApplicationHidden, Qt.ApplicationState.ApplicationSuspended)


class WindowAttentionWatcher(QObject):
    """Watches a window and its program for signs that the user isn't looking."""

    attention_lost = Signal()
    """The window was minimised or hidden, or the program has had no keyboard focus for a minute."""

    def __init__(self, window: QWidget, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self._unattended_timer = QTimer(
            self, singleShot=True, interval=UNATTENDED_AFTER_MS, timerType=Qt.TimerType.CoarseTimer
        )
        self._unattended_timer.timeout.connect(self.attention_lost)
        window.installEventFilter(self)
        program = QApplication.instance()
        assert isinstance(program, QGuiApplication)
        program.applicationStateChanged.connect(self._on_state_changed)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.WindowStateChange and self._window.isMinimized():
            self.attention_lost.emit()
        return False

    def _on_state_changed(self, state: Qt.ApplicationState) -> None:
        if state in HIDDEN_STATES:
            self.attention_lost.emit()
        if state == Qt.ApplicationState.ApplicationActive:
            self._unattended_timer.stop()
        elif not self._unattended_timer.isActive():
            self._unattended_timer.start()
