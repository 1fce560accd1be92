"""The size and the place of the window at a start, within the room that the screen has."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QPoint, QRect, QSize
from PySide6.QtWidgets import QWidget

SMALLEST = QSize(960, 540)
USUAL = QSize(1280, 800)
TITLE_BAR, BORDER = 40, 8
"""Pixels of a window's frame; the real ones are known only once the window is shown."""


def place(window: QWidget, saved: bytes) -> None:
    """Give a window the size and place that it was left with, else the usual size; both as the
    screen has room for them."""
    window.resize(USUAL)
    if saved:
        window.restoreGeometry(QByteArray(saved))
    room = room_on(window.screen().availableGeometry())
    window.setMinimumSize(SMALLEST.boundedTo(room.size()))
    wanted = window.geometry()
    if window.isMaximized() or window.isFullScreen():
        return
    if saved or wanted.size().boundedTo(room.size()) != wanted.size():
        window.setGeometry(fitted(wanted, room))  # else the window manager chooses the place


def room_on(available: QRect) -> QRect:
    """Return the part of the screen's free area that is left within a window's frame."""
    return available.adjusted(BORDER, TITLE_BAR, -BORDER, -BORDER)


def fitted(wanted: QRect, room: QRect) -> QRect:
    """Return `wanted` made small enough for the room, and moved into it."""
    size = wanted.size().boundedTo(room.size())
    left = max(room.left(), min(wanted.left(), room.right() + 1 - size.width()))
    top = max(room.top(), min(wanted.top(), room.bottom() + 1 - size.height()))
    return QRect(QPoint(left, top), size)
