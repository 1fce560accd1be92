"""The graphics view of a table: fits the scene to the window, zooms and pans."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QResizeEvent,
    QTouchEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QGraphicsView, QWidget

from ui.style.theme import SMOOTH_HINTS
from ui.table.input.touch_translator import TouchTranslator
from ui.table.layout.geometry import table_height
from ui.table.scene import TableScene

MAX_ZOOM = 4.0
ZOOM_STEP = 1.2
MIN_TABLE_SIZE = QSizeF(900, 496)
"""The smallest layout of a table in pixels, for a window of 960x540. In a smaller viewport the view
is scaled down, because text and badges would overlap.
"""
MIN_SHRINK = 0.1
"""The smallest scale of a table in a small viewport."""
SETTLE_MS = 140
"""Delay after the last resize or zoom before cards are redrawn, in milliseconds."""
INTERRUPTING_EVENTS = (QEvent.Type.EnabledChange, QEvent.Type.Hide, QEvent.Type.WindowDeactivate)
"""Events after which another widget or program may receive the release of the mouse button."""


class TableView(QGraphicsView):
    """Shows a `TableScene` scaled so that the whole table is visible."""

    sharpened = Signal()
    """Emitted when everything has been redrawn for the current zoom and screen."""
    reminder_requested = Signal()
    """A key had no effect, and nothing on the table is focused: a screen reader needs to be told
    what the table waits for.
    """

    def __init__(self, scene: TableScene, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = scene  # keeps the scene alive, which a view doesn't do
        self.setScene(scene)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.MinimalViewportUpdate)
        self.setRenderHints(SMOOTH_HINTS)
        self.setCacheMode(QGraphicsView.CacheModeFlag.CacheBackground)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.first_answer_button: Callable[[], QWidget | None] = lambda: None
        """Returns the first answer button, which Tab reaches before the zones, while a question has
        buttons; otherwise None.
        """
        self.zoom = 1.0
        self._shrink = 1.0
        """The scale of the table in a small viewport; 1 in a larger one."""
        self._sharpen = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._sharpen.timeout.connect(self.sharpen)
        self._fingers = TouchTranslator(self.viewport())
        self._fingers.gesture_cancelled.connect(scene.gesture.cancel)
        self._fingers.zoom_requested.connect(self._zoom_at)
        self._fingers.pan_requested.connect(scene.gesture.pan)
        scene.name_changed.connect(self._update_name)
        self._update_name()

    def prompt_rect(self) -> QRect:
        """Return the rectangle that the table reserves for the prompt line, in view pixels."""
        return self.mapFromScene(self.table.prompt_rect()).boundingRect()

    def table_height(self, room: QSize, seats: int) -> int:
        """Return the table's height in pixels for `seats` players in a viewport of size `room`."""
        shrink = _shrink_factor(room)
        size = (room.width() / shrink, room.height() / shrink)
        return math.ceil(table_height(self.table.stage.layouts, seats, size) * shrink)

    def zoom_by(self, factor: float) -> None:
        """Multiply the zoom by `factor`, within the range from 1 to `MAX_ZOOM`."""
        zoom = max(1.0, min(MAX_ZOOM, self.zoom * factor))
        if zoom == self.zoom:
            return
        self.scale(zoom / self.zoom, zoom / self.zoom)
        self.zoom = zoom
        if zoom == 1.0:
            self._set_scale()
        self._sharpen.start()

    def _set_scale(self) -> None:
        scale = self.zoom * self._shrink
        self.setTransform(QTransform.fromScale(scale, scale))

    def zoom_in(self) -> None:
        """Zoom in one step."""
        self.zoom_by(ZOOM_STEP)

    def zoom_out(self) -> None:
        """Zoom out one step."""
        self.zoom_by(1 / ZOOM_STEP)

    def reset_zoom(self) -> None:
        """Show the whole table."""
        self.zoom_by(1 / MAX_ZOOM)

    def sharpen(self) -> None:
        """Redraw everything for the current zoom and the screen's pixel ratio."""
        self._sharpen.stop()
        self.table.sharpen(self.devicePixelRatioF() * self.zoom * self._shrink)
        self.sharpened.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.viewport().size()
        shrink = _shrink_factor(room)
        if shrink != self._shrink:
            self._shrink = shrink
            self._set_scale()
        self.table.set_size(int(room.width() / shrink), int(room.height() / shrink), rough=True)
        self._sharpen.start()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QTouchEvent):
            self._fingers.handle_touch(event)
            return True
        return super().viewportEvent(event)

    def _zoom_at(self, factor: float, point: QPointF) -> None:
        """Zoom by `factor`, keeping `point` of the viewport in place."""
        under = self.mapToScene(point.toPoint())
        self.zoom_by(factor)
        self.table.gesture.pan(point - QPointF(self.mapFromScene(under)))

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.DevicePixelRatioChange, QEvent.Type.Show):
            self._sharpen.start(0)
        elif event.type() in INTERRUPTING_EVENTS:
            self.table.gesture.cancel()
        return super().event(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Move the focus on Tab: first to the answer buttons, then from zone to zone, then to the
        next widget.
        """
        if not self.isEnabled():  # Qt moves the focus off a widget that is being disabled
            return super().focusNextPrevChild(forward)
        answer = (
            self.first_answer_button()
            if forward and self.table.selection_view.focus.is_empty
            else None
        )
        if answer is not None:
            answer.setFocus(Qt.FocusReason.TabFocusReason)
            return True
        return self.table.keyboard.focus_next_zone(forward) or super().focusNextPrevChild(forward)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if (
            event.reason() is Qt.FocusReason.TabFocusReason
            and self.first_answer_button() is not None
        ):
            self.table.keyboard.focus_next_zone(
                True
            )  # so that the next Tab doesn't lead back to the answers

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() is Qt.FocusReason.PopupFocusReason:  # a menu receives the release
            self.table.gesture.cancel()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(ZOOM_STEP ** (event.angleDelta().y() / 120))
            event.accept()
        elif self.zoom > 1.0:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            match event.key():
                case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                    self.zoom_in()
                    return
                case Qt.Key.Key_Minus:
                    self.zoom_out()
                    return
                case Qt.Key.Key_0:
                    self.reset_zoom()
                    return
                case _:
                    pass
        super().keyPressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.table.gesture.hover(None)

    def _update_name(self) -> None:
        self.setAccessibleName(self.table.accessible_name())


def _shrink_factor(room: QSize) -> float:
    """Return the scale of a table in a viewport of size `room`."""
    shares = room.width() / MIN_TABLE_SIZE.width(), room.height() / MIN_TABLE_SIZE.height()
    return max(MIN_SHRINK, min(1.0, *shares))
