"""A ring that fills while the user holds a key or
button, so that an accidental press does nothing.
"""

from PySide6.QtCore import QAbstractAnimation, QRectF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from ui.style.theme import with_opacity

HOLD_MS = 400
"""Time in ms until the ring is full."""

STROKE_SHARE = 0.036
"""Thickness of the ring, as a share of the picture's side."""
GAP_SHARE = 0.06
"""Gap between picture and ring, as a share of the picture's side."""


class HoldRing(QWidget):
    """A ring around a picture that fills while held, and emits `filled` when it is full."""

    filled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.picture = QPixmap()
        """The picture inside the ring."""
        self._ink = QColor()
        self._filling = QVariantAnimation(self, startValue=0.0, endValue=1.0, duration=HOLD_MS)
        self._filling.valueChanged.connect(lambda _: self.update())
        self._filling.finished.connect(self.filled)

    def set_picture(self, picture: QPixmap, ink: QColor) -> None:
        """Show `picture` with a ring in the colour `ink`."""
        self.picture, self._ink = picture, ink
        side = picture.deviceIndependentSize().width()
        whole = round(side * (1 + 2 * (STROKE_SHARE + GAP_SHARE))) + 2
        self.setFixedSize(whole, whole)
        self.update()

    def start_filling(self) -> None:
        """Start filling the ring, unless it is already filling."""
        if self._filling.state() != QAbstractAnimation.State.Running:
            self._filling.start()

    def reset(self) -> None:
        """Empty the ring."""
        self._filling.stop()
        self._filling.setCurrentTime(0)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.picture.isNull():
            return
        share = float(self._filling.currentValue() or 0.0)
        size = self.picture.deviceIndependentSize()
        stroke = size.width() * STROKE_SHARE
        edge = stroke / 2 + 1
        place = QRectF(self.rect()).adjusted(edge, edge, -edge, -edge)
        middle = QRectF(0, 0, size.width(), size.height())
        middle.moveCenter(place.center())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.drawPixmap(middle.topLeft(), self.picture)
            painter.setPen(QPen(with_opacity(self._ink, 0.35), stroke))
            painter.drawEllipse(place)
            pen = QPen(self._ink, stroke)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            if share > 0:
                painter.drawArc(place, 90 * 16, -round(share * 360 * 16))
