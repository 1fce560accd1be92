"""Filters out the repeats of a held key, for screen readers."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

RELEASE_POLL_MS = 50
"""The interval between two checks whether the key was released."""
RELEASE_POLLS = 3
"""The number of checks after a release event before the key counts as released.

Some desktops repeat a held key as pairs of release and press events that look like real ones.
"""
FOCUS_LOSS_EVENTS = (QEvent.Type.WindowDeactivate, QEvent.Type.ApplicationDeactivate)
KEY_EVENTS = (QEvent.Type.KeyPress, QEvent.Type.KeyRelease)


class KeyRepeatFilter(QObject):
    """Discards all events of `key` until it is released, then deletes itself.

    A screen reader would stop speaking at each repeat. The application's most recently installed
    event filter runs first, so this filter runs before Qt passes the key to screen readers.
    """

    def __init__(self, key: Qt.Key) -> None:
        program = QApplication.instance()
        assert program is not None
        super().__init__(program)
        self._program, self._key = program, key
        self._passed = 0
        self._pause = QTimer(self, interval=RELEASE_POLL_MS)
        self._pause.timeout.connect(self._wait)
        program.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in FOCUS_LOSS_EVENTS:
            self._end()
        if event.type() not in KEY_EVENTS or not isinstance(event, QKeyEvent):
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
        if self._passed >= RELEASE_POLLS:
            self._end()

    def _end(self) -> None:
        self._pause.stop()
        self._program.removeEventFilter(self)
        self.deleteLater()
