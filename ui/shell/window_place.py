"""The window's size and place at a start."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSize
from PySide6.QtWidgets import QWidget

SMALLEST = QSize(960, 540)
USUAL = QSize(1280, 800)
SHARE = 0.8
"""The share of the free area of a large screen that the window takes at the first start."""
FRAME = QSize(16, 48)
"""Pixels that a window's borders and title bar take."""


def place(window: QWidget, saved: bytes) -> None:
    """Restore the size and place from `saved`; without it, use the usual size, or on a large screen
    a share of its free area, as far as the screen has room."""
    room = window.screen().availableSize() - FRAME
    window.setMinimumSize(SMALLEST.boundedTo(room))
    if not saved or not window.restoreGeometry(QByteArray(saved)):
        large = window.screen().availableSize() * SHARE
        window.resize(USUAL.expandedTo(large).boundedTo(room))
