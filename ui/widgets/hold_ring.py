"""The ring that fills while something is held, so that it never happens by a stray press."""

from PySide6.QtCore import QAbstractAnimation, QRectF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from ui.style.theme import with_opacity

HOLD = 400
"""The time to hold, in milliseconds."""

STROKE = 0.036
"""Thickness of the ring, in sides of what it goes round."""
APART = 0.06
"""Between the ring and what it goes round, in the same."""


class HoldRing(QWidget):
    """Fills round a picture while held; `filled` comes once, and only if it was held to the end."""

    filled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.picture = QPixmap()
        """The picture that it goes round."""
        self._ink = QColor()
        self._filling = QVariantAnimation(self, startValue=0.0, endValue=1.0, duration=HOLD)
        self._filling.valueChanged.connect(lambda _: self.update())
        self._filling.finished.connect(self.filled)

    def go_round(self, picture: QPixmap, ink: QColor) -> None:
        """Go round this picture, in this ink."""
        self.picture, self._ink = picture, ink
        side = picture.deviceIndependentSize().width()
        whole = round(side * (1 + 2 * (STROKE + APART))) + 2
        self.setFixedSize(whole, whole)
        self.update()

    def hold(self) -> None:
        """Begin to fill, from nothing."""
        if self._filling.state() != QAbstractAnimation.State.Running:
            self._filling.start()

    def let_go(self) -> None:
        """Empty again."""
        self._filling.stop()
        self._filling.setCurrentTime(0)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.picture.isNull():
            return
        share = float(self._filling.currentValue() or 0.0)
        size = self.picture.deviceIndependentSize()
        stroke = size.width() * STROKE
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
