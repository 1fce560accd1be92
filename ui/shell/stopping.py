"""Ctrl+C and the system's wish that the program ends: the window is closed as by its own button."""

import signal
import socket
import threading

from PySide6.QtCore import QObject, QSocketNotifier, QTimer
from PySide6.QtWidgets import QApplication

from tabletop.background.processes import INTERRUPT_SIGNALS, receives_hangup


class Stopping(QObject):
    """From now until the end of `exec`, a signal closes all windows as soon as that runs.

    Python attends to signals between two of its own steps, and while Qt waits there are none: the
    byte that Python writes for each signal wakes Qt.
    """

    def __init__(self, program: QApplication) -> None:
        super().__init__(program)
        self._running = self._wanted = False
        self._before: dict[signal.Signals, signal._HANDLER] = {}
        if threading.current_thread() is not threading.main_thread():
            return  # signals only reach the main thread
        self._near, self._far = socket.socketpair()
        self._near.setblocking(False)
        self._far.setblocking(False)
        self._wakeup = signal.set_wakeup_fd(self._far.fileno(), warn_on_full_buffer=False)
        self._notifier = QSocketNotifier(self._near.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._drain)
        # the terminal it was started from is closed
        hang_up = (signal.SIGHUP,) if receives_hangup() else ()
        for number in (*INTERRUPT_SIGNALS, signal.SIGTERM, *hang_up):
            self._before[number] = signal.signal(number, self._note_signal)

    def _drain(self) -> None:
        """Take the bytes away; meanwhile Python has come to its handlers."""
        try:
            self._near.recv(64)
        except BlockingIOError:
            return

    def exec(self) -> int:
        """Run the event loop until the windows are closed; return the number to end with."""
        self._running = True
        if self._wanted:
            self._close_soon()
        try:
            return QApplication.exec()
        finally:
            self._end()

    def _note_signal(self, *_: object) -> None:
        self._wanted = True
        if self._running:  # otherwise the window is still being built
            self._close_soon()

    def _close_soon(self) -> None:
        # Not within the current call, which would be left half done.
        QTimer.singleShot(0, self, self._close)

    def _close(self) -> None:
        QApplication.closeAllWindows()
        QApplication.exit(0)  # even if a dialog refused to close

    def _end(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self._before:
            signal.set_wakeup_fd(self._wakeup)
            self._notifier.setEnabled(False)
            self._near.close()
            self._far.close()
        self._before = {}
