"""The window's size and place at a start, and while screens come, go and change."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QRect, QSize, QTimer
from PySide6.QtGui import QGuiApplication, QScreen
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


class WindowInView(QObject):
    """Keeps a window within its screen when that becomes smaller, or another one has to do: its
    title bar stays within reach, and so does what is at its lower edge."""

    def __init__(self, window: QWidget, smallest: QSize) -> None:
        super().__init__(window)
        self._window, self._smallest = window, smallest
        program = QGuiApplication.instance()
        assert isinstance(program, QGuiApplication)
        for screen in program.screens():
            self._watch(screen)
        program.screenAdded.connect(self._watch)
        program.screenRemoved.connect(self._fit_soon)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.WindowStateChange:
            self._fit_soon()  # the size from before may be of another screen
        return False

    def _watch(self, screen: QScreen) -> None:
        screen.availableGeometryChanged.connect(self._fit_soon)

    def _fit_soon(self) -> None:
        """Fit once Qt has moved the windows of a screen that has gone."""
        QTimer.singleShot(0, self, self._fit)

    def _fit(self) -> None:
        window = self._window
        if window.isMaximized() or window.isFullScreen() or window.isMinimized():
            return  # the system sees to it
        room, frame = window.screen().availableGeometry(), window.frameGeometry()
        edges = (frame.size() - window.size()).expandedTo(QSize(0, 0))
        window.setMinimumSize(self._smallest.boundedTo(room.size() - FRAME))
        size = window.size().boundedTo(room.size() - edges)
        if size != window.size():
            window.resize(size)
        here = nearest_within(room, QRect(frame.topLeft(), size + edges))
        if here != frame.topLeft():
            window.move(here)


def nearest_within(room: QRect, frame: QRect) -> QPoint:
    """The nearest place at which a frame is within a room; its upper left corner is in any case."""
    left = max(room.left(), min(frame.left(), room.right() + 1 - frame.width()))
    top = max(room.top(), min(frame.top(), room.bottom() + 1 - frame.height()))
    return QPoint(left, top)
