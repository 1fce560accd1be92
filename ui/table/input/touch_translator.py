"""Fingers on a touch screen over the table.

One finger is the pointer with its left button. One that stayed where it was opens the menu of what
is under it, when it goes: a menu that is there before closes by that. Two fingers zoom and pan, and
play no card, also the first of them once the second comes. There is one pointer at a time: what was
pressed last.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QEventPoint, QMouseEvent, QTouchEvent
from PySide6.QtWidgets import QApplication, QWidget

LONG_PRESS_MS = 600
"""Milliseconds after which a finger that stays where it is opens a menu."""
RELEASED = QEventPoint.State.Released
LEFT, NO_BUTTON = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


class TouchTranslator(QObject):
    """Turns the touches of a viewport into its mouse events, and into zooming."""

    cancelled = Signal()
    """What the pointer has begun comes to nothing."""
    zoomed = Signal(float, QPointF)
    """The table comes nearer by this factor, at this point of the viewport."""
    panned = Signal(QPointF)
    """The table is moved by so many pixels."""

    def __init__(self, viewport: QWidget) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self._first: QPointF | None = None
        """Where the finger that is the pointer went down; None where none is."""
        self._at = QPointF()
        self._pair: tuple[QPointF, float] | None = None
        """The middle of two fingers, and how far they are from each other."""
        self._held = False
        """Whether it has stayed where it was for long."""
        self._sending = False
        """Whether the mouse event that comes is a finger's."""
        self._holding = QTimer(self, singleShot=True, interval=LONG_PRESS_MS)
        self._holding.timeout.connect(self._hold)
        viewport.setAttribute(Qt.WidgetAttribute.WA_AcceptTouchEvents)

    def touch(self, event: QTouchEvent) -> None:
        """Fingers have come, moved or gone."""
        event.accept()
        down = [point for point in event.points() if point.state() is not RELEASED]
        if event.type() is QEvent.Type.TouchCancel:
            self._let_go()
        elif len(down) > 1:
            self._let_go()
            self._pinch(down)
        elif event.type() is QEvent.Type.TouchBegin:
            self._held = False
            self._first = self._at = down[0].position()
            self._viewport.installEventFilter(self)
            self._send(QEvent.Type.MouseButtonPress, LEFT, LEFT)
            self._holding.start()
        elif self._first is not None:
            self._move(event.points()[0])
        elif self._held and not down:
            self._open_menu()
        if event.type() in (QEvent.Type.TouchEnd, QEvent.Type.TouchCancel):
            self._first = self._pair = None
        elif len(down) < 2:
            self._pair = None
        if self._first is None:
            self._viewport.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Nothing comes of the mouse itself while a finger is the pointer; the mouse is it again
        once it is pressed."""
        if not isinstance(event, QMouseEvent) or self._sending or self._first is None:
            return False
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
            self._holding.stop()
            self._first = None
        return self._first is not None

    def _move(self, point: QEventPoint) -> None:
        assert self._first is not None
        self._at = point.position()
        if (self._at - self._first).manhattanLength() >= QApplication.startDragDistance():
            self._holding.stop()
        if point.state() is RELEASED:
            self._holding.stop()
            self._send(QEvent.Type.MouseButtonRelease, LEFT, NO_BUTTON)
        else:
            self._send(QEvent.Type.MouseMove, NO_BUTTON, LEFT)

    def _pinch(self, points: Sequence[QEventPoint]) -> None:
        one, other = points[0].position(), points[1].position()
        middle, apart = (one + other) / 2, QPointF(one - other)
        wide = max(1.0, (apart.x() ** 2 + apart.y() ** 2) ** 0.5)
        if self._pair is not None:
            before, was_wide = self._pair
            self.zoomed.emit(wide / was_wide, middle)
            self.panned.emit(middle - before)
        self._pair = middle, wide

    def _let_go(self) -> None:
        """The finger that was the pointer is none any more: what it has begun comes to nothing."""
        self._holding.stop()
        if self._first is not None:
            self._first = None
            self.cancelled.emit()
            self._send(QEvent.Type.MouseButtonRelease, LEFT, NO_BUTTON)

    def _hold(self) -> None:
        self._let_go()
        self._held = True

    def _open_menu(self) -> None:
        at = self._at.toPoint()
        reason = QContextMenuEvent.Reason.Mouse
        menu = QContextMenuEvent(reason, at, self._viewport.mapToGlobal(at))
        QApplication.sendEvent(self._viewport, menu)

    def _send(self, kind: QEvent.Type, button: Qt.MouseButton, buttons: Qt.MouseButton) -> None:
        place = QPointF(self._viewport.mapToGlobal(self._at.toPoint()))
        none = Qt.KeyboardModifier.NoModifier
        event = QMouseEvent(kind, self._at, place, button, buttons, none)
        self._sending = True
        QApplication.sendEvent(self._viewport, event)
        self._sending = False
