"""A key that may be held where one press will do."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

PAUSE, PAUSES = 50, 3
"""Milliseconds, and how often they pass without a press until the key is taken for let go: a
desktop may repeat it by a release and a press that cannot be told from others."""
ENDS = (QEvent.Type.WindowDeactivate, QEvent.Type.ApplicationDeactivate)
KEYS = (QEvent.Type.KeyPress, QEvent.Type.KeyRelease)


class HeldKey(QObject):
    """Keeps everything of a key that was pressed just now to itself, until it is let go: a screen
    reader stops speaking at each repeat. It comes before Qt's own way to screen readers, as the
    latest of the program's event filters."""

    def __init__(self, key: Qt.Key) -> None:
        program = QApplication.instance()
        assert program is not None
        super().__init__(program)
        self._program, self._key = program, key
        self._passed = 0
        self._pause = QTimer(self, interval=PAUSE)
        self._pause.timeout.connect(self._wait)
        program.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in ENDS:
            self._end()
        if event.type() not in KEYS or not isinstance(event, QKeyEvent):
            return False
        if event.key() != self._key:
            return False
        self._pause.stop()
        if event.type() is QEvent.Type.KeyRelease:
            self._passed = 0
            self._pause.start()
        return True

    def _wait(self) -> None:
        self._passed += 1
        if self._passed >= PAUSES:
            self._end()

    def _end(self) -> None:
        self._pause.stop()
        self._program.removeEventFilter(self)
        self.deleteLater()
