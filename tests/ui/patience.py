"""Waiting in a test: for what is to come, never for a time, however busy the computer is."""

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

PATIENCE = 30_000
"""Milliseconds after which something that is waited for will not come any more."""


def until(holds: Callable[[], object], what: str = "it") -> None:
    """Let the window live until something holds."""
    clock = QElapsedTimer()
    clock.start()
    while True:
        QApplication.processEvents()
        if holds():
            return
        assert clock.elapsed() < PATIENCE, f"waited in vain for {what}"
        QTest.qWait(5)
