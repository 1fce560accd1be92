"""Touch scrolling of lists, texts and forms. The table handles touch itself."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QInputDevice
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QGraphicsView,
    QScroller,
)

PER_PIXEL = QAbstractItemView.ScrollMode.ScrollPerPixel


def install_touch_scrolling(program: QApplication) -> None:
    """Enable touch scrolling in all windows if there is a touch screen."""
    kinds = {each.type() for each in QInputDevice.devices()}
    if QInputDevice.DeviceType.TouchScreen in kinds:
        program.installEventFilter(FingerScrolling(program))


class FingerScrolling(QObject):
    """An event filter that enables touch scrolling in each scroll area before it is first shown."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Polish and isinstance(watched, QAbstractScrollArea):
            enable_touch_scrolling(watched)
        return False


def enable_touch_scrolling(area: QAbstractScrollArea) -> None:
    """Enable touch scrolling in `area`."""
    if isinstance(area, QGraphicsView):
        return
    if isinstance(area, QAbstractItemView):
        area.setVerticalScrollMode(PER_PIXEL)
    QScroller.grabGesture(area.viewport(), QScroller.ScrollerGestureType.TouchGesture)
