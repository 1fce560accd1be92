"""A band across the table that announces a phase or a round."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from ui.style.theme import Theme, with_opacity
from ui.table.items.lettering import make_text_item, table_font

LETTERS_SHARE, HEIGHT_SHARE = 0.3, 0.68
"""The height of the letters and of the band, as shares of a card's width."""
MIN_LETTERS_PX = 22.0
MAX_TEXT_SHARE = 0.86
"""The greatest width of the text, as a share of the band's width."""
CENTRE_SHARE = 0.4
"""The band's vertical centre, as a share of the table's height."""
FADE_SHARE = 0.12
"""The width over which each end of the band fades out, as a share of its width."""


class RibbonItem(QGraphicsItem):
    """A line of text on a band in the colours of the game's table. The mouse passes through it."""

    def __init__(self, text: str, size: tuple[float, float], unit: float, theme: Theme) -> None:
        """`size` is the table's size and `unit` the width of a card, in scene pixels."""
        super().__init__()
        width, height = size
        self.text = text
        self._theme = theme
        letters = max(MIN_LETTERS_PX, LETTERS_SHARE * unit)
        band = letters * HEIGHT_SHARE / LETTERS_SHARE
        self._rect = QRectF(0, CENTRE_SHARE * height - band / 2, width, band)
        line = make_text_item(text, table_font(letters, bold=True), theme.table_ink, self)
        box = line.boundingRect()
        line.setScale(min(1.0, MAX_TEXT_SHARE * width / max(1.0, box.width())))
        shown = box.size() * line.scale()
        corner = self._rect.center() - QPointF(shown.width() / 2, shown.height() / 2)
        line.setPos(corner)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def boundingRect(self) -> QRectF:
        return self._rect.adjusted(0, -2, 0, 2)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        painter.fillRect(self._rect, self._faded(self._theme.table, 0.94))
        for y in (self._rect.top(), self._rect.bottom()):
            painter.setPen(QPen(self._faded(self._theme.table_accent, 1.0), 2))
            painter.drawLine(QPointF(self._rect.left(), y), QPointF(self._rect.right(), y))

    def _faded(self, colour: str, opacity: float) -> QLinearGradient:
        """Return a brush of `colour` that becomes transparent at both ends of the band."""
        brush = QLinearGradient(self._rect.topLeft(), self._rect.topRight())
        for at, alpha in ((0, 0.0), (FADE_SHARE, opacity), (1 - FADE_SHARE, opacity), (1, 0.0)):
            brush.setColorAt(at, QColor(with_opacity(colour, alpha)))
        return brush
