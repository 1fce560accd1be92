"""Pixmaps made of nothing, and of others."""

import math

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPixmap


def blank_pixmap(width: float, height: float, ratio: float) -> QPixmap:
    """A transparent picture of this size in pixels, with this many device pixels to each."""
    pixmap = QPixmap(QSize(math.ceil(width * ratio - 1e-6), math.ceil(height * ratio - 1e-6)))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    return pixmap


def faded_pixmap(pixmap: QPixmap, opacity: float) -> QPixmap:
    """The picture at this opacity."""
    faded = QPixmap(pixmap.size())
    faded.setDevicePixelRatio(pixmap.devicePixelRatio())
    faded.fill(Qt.GlobalColor.transparent)
    with QPainter(faded) as painter:
        painter.setOpacity(opacity)
        painter.drawPixmap(0, 0, pixmap)
    return faded
