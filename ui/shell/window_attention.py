"""Detection that the user probably isn't looking at a window any more.

No toolkit reports on every system that the screen is locked. But every system reports that the
program has
lost the keyboard focus, which happens when the screen locks.
"""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

AWAY = 60_000
"""How long the program must be without keyboard focus to count as unattended."""
HIDDEN = (Qt.ApplicationState.ApplicationHidden, Qt.ApplicationState.ApplicationSuspended)


class UnwatchedWindow(QObject):
    """Watches a window and its program for signs that the user isn't looking."""

    left = Signal()
    """The window was minimised or hidden, or the program has been without keyboard focus for a
    minute.
    """

    def __init__(self, window: QWidget, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self._away = QTimer(
            self, singleShot=True, interval=AWAY, timerType=Qt.TimerType.CoarseTimer
        )
        self._away.timeout.connect(self.left)
        window.installEventFilter(self)
        program = QApplication.instance()
        assert isinstance(program, QGuiApplication)
        program.applicationStateChanged.connect(self._note_state)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.WindowStateChange and self._window.isMinimized():
            self.left.emit()
        return False

    def _note_state(self, state: Qt.ApplicationState) -> None:
        if state in HIDDEN:
            self.left.emit()
        if state == Qt.ApplicationState.ApplicationActive:
            self._away.stop()
        elif not self._away.isActive():
            self._away.start()
