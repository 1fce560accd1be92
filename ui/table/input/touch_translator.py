"""Translates touches on the table into mouse events.

One finger acts as the mouse with its left button. A long press opens the context menu on release,
because the release would close a menu opened earlier. Two fingers zoom and pan, and never play a
card. The most recently pressed device controls the pointer.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QEventPoint, QMouseEvent, QTouchEvent
from PySide6.QtWidgets import QApplication, QWidget

LONG_PRESS_MS = 600
RELEASED = QEventPoint.State.Released
LEFT, NO_BUTTON = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


class TouchTranslator(QObject):
    """Turns the touches on a viewport into mouse events and zoom requests."""

    gesture_cancelled = Signal()
    """Emitted when the gesture of a finger is cancelled."""
    zoom_requested = Signal(float, QPointF)
    """Emitted with a zoom factor and the viewport point that should stay in place."""
    pan_requested = Signal(QPointF)
    """Emitted with the pixels by which the table should move."""

    def __init__(self, viewport: QWidget) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self._press_point: QPointF | None = None
        """The point where the finger that acts as the
        mouse was pressed; None if there is no such finger.
        """
        self._point = QPointF()
        self._pinch_state: tuple[QPointF, float] | None = None
        """The midpoint of two fingers and the distance between them."""
        self._was_long_press = False
        """Whether the finger has stayed in place for `LONG_PRESS_MS`."""
        self._sending = False
        """Whether a mouse event made from a touch is being sent."""
        self._long_press_timer = QTimer(self, singleShot=True, interval=LONG_PRESS_MS)
        self._long_press_timer.timeout.connect(self._on_long_press)
        viewport.setAttribute(Qt.WidgetAttribute.WA_AcceptTouchEvents)

    def handle_touch(self, event: QTouchEvent) -> None:
        """Handle a touch event of the viewport."""
        event.accept()
        down = [point for point in event.points() if point.state() is not RELEASED]
        if event.type() is QEvent.Type.TouchCancel:
            self._cancel_finger()
        elif len(down) > 1:
            self._cancel_finger()
            self._pinch(down)
        elif event.type() is QEvent.Type.TouchBegin:
            self._was_long_press = False
            self._press_point = self._point = down[0].position()
            self._viewport.installEventFilter(self)
            self._send(QEvent.Type.MouseButtonPress, LEFT, LEFT)
            self._long_press_timer.start()
        elif self._press_point is not None:
            self._move(event.points()[0])
        elif self._was_long_press and not down:
            self._open_menu()
        if event.type() in (QEvent.Type.TouchEnd, QEvent.Type.TouchCancel):
            self._press_point = self._pinch_state = None
        elif len(down) < 2:
            self._pinch_state = None
        if self._press_point is None:
            self._viewport.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Discard real mouse events while a finger
        acts as the mouse, until the mouse is pressed.
        """
        if not isinstance(event, QMouseEvent) or self._sending or self._press_point is None:
            return False
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
            self._long_press_timer.stop()
            self._press_point = None
        return self._press_point is not None

    def _move(self, point: QEventPoint) -> None:
        assert self._press_point is not None
        self._point = point.position()
        if (self._point - self._press_point).manhattanLength() >= QApplication.startDragDistance():
            self._long_press_timer.stop()
        if point.state() is RELEASED:
            self._long_press_timer.stop()
            self._send(QEvent.Type.MouseButtonRelease, LEFT, NO_BUTTON)
        else:
            self._send(QEvent.Type.MouseMove, NO_BUTTON, LEFT)

    def _pinch(self, points: Sequence[QEventPoint]) -> None:
        one, other = points[0].position(), points[1].position()
        middle, apart = (one + other) / 2, QPointF(one - other)
        distance = max(1.0, (apart.x() ** 2 + apart.y() ** 2) ** 0.5)
        if self._pinch_state is not None:
            before, old_distance = self._pinch_state
            self.zoom_requested.emit(distance / old_distance, middle)
            self.pan_requested.emit(middle - before)
        self._pinch_state = middle, distance

    def _cancel_finger(self) -> None:
        """Cancel the gesture of the finger that acts as the mouse."""
        self._long_press_timer.stop()
        if self._press_point is not None:
            self._press_point = None
            self.gesture_cancelled.emit()
            self._send(QEvent.Type.MouseButtonRelease, LEFT, NO_BUTTON)

    def _on_long_press(self) -> None:
        self._cancel_finger()
        self._was_long_press = True

    def _open_menu(self) -> None:
        at = self._point.toPoint()
        reason = QContextMenuEvent.Reason.Mouse
        menu = QContextMenuEvent(reason, at, self._viewport.mapToGlobal(at))
        QApplication.sendEvent(self._viewport, menu)

    def _send(self, kind: QEvent.Type, button: Qt.MouseButton, buttons: Qt.MouseButton) -> None:
        place = QPointF(self._viewport.mapToGlobal(self._point.toPoint()))
        none = Qt.KeyboardModifier.NoModifier
        event = QMouseEvent(kind, self._point, place, button, buttons, none)
        self._sending = True
        QApplication.sendEvent(self._viewport, event)
        self._sending = False
