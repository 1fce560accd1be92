"""Helpers to create pixmaps."""

import math

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPixmap


def blank_pixmap(width: float, height: float, ratio: float) -> QPixmap:
    """Return a transparent pixmap of `width` x `height` device-independent pixels, with the device
    pixel ratio `ratio`.
    """
    pixmap = QPixmap(QSize(math.ceil(width * ratio - 1e-6), math.ceil(height * ratio - 1e-6)))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    return pixmap


def faded_pixmap(pixmap: QPixmap, opacity: float) -> QPixmap:
    """Return the pixmap with the given opacity."""
    faded = QPixmap(pixmap.size())
    faded.setDevicePixelRatio(pixmap.devicePixelRatio())
    faded.fill(Qt.GlobalColor.transparent)
    with QPainter(faded) as painter:
        painter.setOpacity(opacity)
        painter.drawPixmap(0, 0, pixmap)
    return faded
