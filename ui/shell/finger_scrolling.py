"""Scrolling by finger, where there is a touch screen: every list, text and sheet that can be
scrolled. The table has fingers of its own."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QInputDevice
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QGraphicsView,
    QScroller,
)

PIXELS = QAbstractItemView.ScrollMode.ScrollPerPixel


def scroll_by_finger(program: QApplication) -> None:
    """Let fingers scroll, if a touch screen is there."""
    kinds = {each.type() for each in QInputDevice.devices()}
    if QInputDevice.DeviceType.TouchScreen in kinds:
        program.installEventFilter(FingerScrolling(program))


class FingerScrolling(QObject):
    """Readies each area before it is first shown."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Polish and isinstance(watched, QAbstractScrollArea):
            let_fingers_scroll(watched)
        return False


def let_fingers_scroll(area: QAbstractScrollArea) -> None:
    """Let fingers scroll this area."""
    if isinstance(area, QGraphicsView):
        return
    if isinstance(area, QAbstractItemView):
        area.setVerticalScrollMode(PIXELS)
    QScroller.grabGesture(area.viewport(), QScroller.ScrollerGestureType.TouchGesture)
