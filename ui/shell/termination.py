"""Closes all windows properly on Ctrl+C and termination signals."""

import signal
import socket
import threading

from PySide6.QtCore import QObject, QSocketNotifier, QTimer
from PySide6.QtWidgets import QApplication

from tabletop.background.processes import INTERRUPT_SIGNALS, receives_hangup


class TerminationHandler(QObject):
    """Closes all windows after a signal, from its creation until `exec` returns.

    Python runs signal handlers only between bytecodes, which doesn't happen while Qt waits. For
    each signal, Python writes a byte to a socket, which wakes Qt.
    """

    def __init__(self, program: QApplication) -> None:
        super().__init__(program)
        self._running = self._requested = False
        self._previous_handlers: dict[signal.Signals, signal._HANDLER] = {}
        if threading.current_thread() is not threading.main_thread():
            return  # signals only reach the main thread
        self._read_end, self._write_end = socket.socketpair()
        self._read_end.setblocking(False)
        self._write_end.setblocking(False)
        self._wakeup = signal.set_wakeup_fd(self._write_end.fileno(), warn_on_full_buffer=False)
        self._notifier = QSocketNotifier(self._read_end.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._drain)
        # sent when the terminal is closed
        hang_up = (signal.SIGHUP,) if receives_hangup() else ()
        for number in (*INTERRUPT_SIGNALS, signal.SIGTERM, *hang_up):
            self._previous_handlers[number] = signal.signal(number, self._on_signal)

    def _drain(self) -> None:
        """Read the wake-up bytes. Python runs its signal handlers before this method returns."""
        try:
            self._read_end.recv(64)
        except BlockingIOError:
            return

    def exec(self) -> int:
        """Run the event loop until all windows are closed, and return the exit code."""
        self._running = True
        if self._requested:
            self._close_soon()
        try:
            return QApplication.exec()
        finally:
            self._restore_handlers()

    def _on_signal(self, *_: object) -> None:
        self._requested = True
        if self._running:  # otherwise the window is still being built
            self._close_soon()

    def _close_soon(self) -> None:
        # not within the current call, which must finish first
        QTimer.singleShot(0, self, self._close)

    def _close(self) -> None:
        QApplication.closeAllWindows()
        QApplication.exit(0)  # even if a dialog refused to close

    def _restore_handlers(self) -> None:
        for number, handler in self._previous_handlers.items():
            signal.signal(number, handler)
        if self._previous_handlers:
            signal.set_wakeup_fd(self._wakeup)
            self._notifier.setEnabled(False)
            self._read_end.close()
            self._write_end.close()
        self._previous_handlers = {}
