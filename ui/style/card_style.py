"""The user's card style: the paper stock and the size of cards."""

from msgspec import Struct
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap

from tabletop.text.phrases import phrase

STOCKS = {
    "printed": phrase("As printed"),
    "dark": phrase("Dimmed for the evening"),
    "contrast": phrase("High contrast"),
}
SIZES = {
    "small": phrase("Small (shows more of the table)"),
    "usual": phrase("Default"),
    "large": phrase("Large (large print)"),
}
DIM_TINT = "#BAB4A7"
"""Tint over cards of the `dark` stock, which halves the brightness of the brightest paper."""
BLACK_EDGE_PX = 2.5
"""The width of the black edge of a high-contrast card."""


class CardStyle(Struct, frozen=True):
    """A card style: one of `STOCKS` and one of `SIZES`."""

    stock: str = "printed"
    size: str = "usual"

    @property
    def simple_below_px(self) -> float:
        """The width below which a card shows its small-card face in large print, in
        device-independent pixels.
        """
        return {"small": 110.0, "usual": 130.0, "large": 10_000.0}[self.size]

    @property
    def fan_scale(self) -> float:
        """The scale of cards in a hand. The layout limits it to the available space."""
        return {"small": 0.82, "usual": 1.0, "large": 1.25}[self.size]

    def apply_stock(self, sheet: QPixmap, card: QRectF, corner: float) -> None:
        """Paint the effect of the stock over the card
        that is drawn in the rectangle `card` on `sheet`.
        """
        if self.stock == "printed":
            return
        outline = QPainterPath()
        outline.addRoundedRect(card, corner, corner)
        with QPainter(sheet) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setClipPath(outline)
            if self.stock == "dark":
                painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
                painter.fillPath(outline, QColor(DIM_TINT))
                return
            same = sheet.copy()
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Overlay)
            painter.drawPixmap(0, 0, same)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
            painter.setClipping(False)
            painter.setPen(QPen(QColor(Qt.GlobalColor.black), BLACK_EDGE_PX))
            painter.drawPath(outline)
