"""The ring that fills while something is held, so that it never happens by a stray press."""

from PySide6.QtCore import QAbstractAnimation, QRectF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from ui.shell.app_context import AppContext

HOLD = 400
"""The time to hold, in milliseconds."""

SIZE = 56
STROKE = 6


class HoldRing(QWidget):
    """Fills while held; `filled` comes once, and only if it was held to the end."""

    filled = Signal()

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self.setFixedSize(SIZE, SIZE)
        self._filling = QVariantAnimation(self, startValue=0.0, endValue=1.0, duration=HOLD)
        self._filling.valueChanged.connect(lambda _: self.update())
        self._filling.finished.connect(self.filled)

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
        theme = self._context.theme
        share = float(self._filling.currentValue() or 0.0)
        place = QRectF(self.rect()).adjusted(STROKE, STROKE, -STROKE, -STROKE)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(theme.line), STROKE))
            painter.drawEllipse(place)
            pen = QPen(QColor(theme.accent), STROKE)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            if share > 0:
                painter.drawArc(place, 90 * 16, -round(share * 360 * 16))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent))
            dot = 7 + 5 * share
            painter.drawEllipse(place.center(), dot, dot)
