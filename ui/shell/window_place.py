"""The main window's size and position at the start and after changes of the screens."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QScreen, QWindowStateChangeEvent
from PySide6.QtWidgets import QWidget

FULL_SCREEN, MAXIMIZED = Qt.WindowState.WindowFullScreen, Qt.WindowState.WindowMaximized
MIN_SIZE = QSize(960, 540)
DEFAULT_SIZE = QSize(1280, 800)
SCREEN_SHARE = 0.8
"""The fraction of a large screen's free area that the window takes at the first start."""
FRAME_SIZE = QSize(16, 48)
"""The approximate size in pixels of a window's borders and title bar together."""


def restore_geometry(window: QWidget, saved: bytes) -> None:
    """Restore the geometry in `saved`, or make the window fit the screen if that isn't possible."""
    room = window.screen().availableSize() - FRAME_SIZE
    window.setMinimumSize(MIN_SIZE.boundedTo(room))
    if not saved or not window.restoreGeometry(QByteArray(saved)):
        large = window.screen().availableSize() * SCREEN_SHARE
        window.resize(DEFAULT_SIZE.expandedTo(large).boundedTo(room))


class FullScreenSwitch(QObject):
    """Switches a window to full screen and back to its former state, also after a restart.

    Under X11, Qt forgets that a window in full screen was maximized.
    """

    def __init__(self, window: QWidget) -> None:
        """`window`: its geometry has been restored, and it isn't visible yet."""
        super().__init__(window)
        self._window = window
        self._was_maximized = window.isMaximized()
        """Whether the window was maximized before it last became full screen."""
        window.installEventFilter(self)

    def toggle(self) -> None:
        """Switch to full screen, or back to the former state."""
        state = self._window.windowState()
        if self._window.isFullScreen():
            self._window.setWindowState(self._state_with_maximized() & ~FULL_SCREEN)
        else:
            self._window.setWindowState(state | FULL_SCREEN)

    def saved_geometry(self) -> bytes:
        """Return the geometry for `restore_geometry`. Call it only when the window closes."""
        if self._window.isFullScreen():
            self._window.setWindowState(self._state_with_maximized())
        return bytes(self._window.saveGeometry().data())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QWindowStateChangeEvent) and self._window.isFullScreen():
            old = event.oldState()
            if old & MAXIMIZED:
                self._was_maximized = True
            elif not old & FULL_SCREEN:
                self._was_maximized = False
        return False

    def _state_with_maximized(self) -> Qt.WindowState:
        state = self._window.windowState()
        return state | MAXIMIZED if self._was_maximized else state


class WindowInView(QObject):
    """Keeps a window within its screen when screens are resized or removed.

    The title bar and the lower edge stay reachable.
    """

    def __init__(self, window: QWidget, min_size: QSize) -> None:
        super().__init__(window)
        self._window, self._min_size = window, min_size
        program = QGuiApplication.instance()
        assert isinstance(program, QGuiApplication)
        for screen in program.screens():
            self._watch(screen)
        program.screenAdded.connect(self._watch)
        program.screenRemoved.connect(self._fit_soon)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.WindowStateChange:
            self._fit_soon()  # the restored size may be that of another screen
        return False

    def _watch(self, screen: QScreen) -> None:
        screen.availableGeometryChanged.connect(self._fit_soon)

    def _fit_soon(self) -> None:
        """Fit the window after Qt has moved the windows of a removed screen."""
        QTimer.singleShot(0, self, self._fit)

    def _fit(self) -> None:
        window = self._window
        if window.isMaximized() or window.isFullScreen() or window.isMinimized():
            return  # the system fits these
        room, frame = window.screen().availableGeometry(), window.frameGeometry()
        edges = (frame.size() - window.size()).expandedTo(QSize(0, 0))
        window.setMinimumSize(self._min_size.boundedTo(room.size() - FRAME_SIZE))
        size = window.size().boundedTo(room.size() - edges)
        if size != window.size():
            window.resize(size)
        position = nearest_within(room, QRect(frame.topLeft(), size + edges))
        if position != frame.topLeft():
            window.move(position)


def nearest_within(room: QRect, frame: QRect) -> QPoint:
    """Return the position nearest to that of `frame` at which the frame is within `room`.

    If `frame` is too large, its upper left corner stays within `room`.
    """
    left = max(room.left(), min(frame.left(), room.right() + 1 - frame.width()))
    top = max(room.top(), min(frame.top(), room.bottom() + 1 - frame.height()))
    return QPoint(left, top)
