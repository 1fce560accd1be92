"""Keeps held shortcut keys from doing more than the program can follow."""

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction, QShortcut


def drop_late_repeats(shortcut: QAction | QShortcut) -> None:
    """Drop the repeats of a held key that wait when the work for the previous one is done.

    They would go on acting after the key is released, if each takes longer than the interval
    between repeats.
    """
    done = shortcut.triggered if isinstance(shortcut, QAction) else shortcut.activated

    def drop_waiting() -> None:
        shortcut.setAutoRepeat(False)
        # runs after the key events that are already in the queue
        QTimer.singleShot(0, shortcut, lambda: shortcut.setAutoRepeat(True))

    done.connect(drop_waiting)
