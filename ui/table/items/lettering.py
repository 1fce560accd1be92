"""Letters and outlines, as everything on the table has them."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem, QGraphicsSimpleTextItem

from ui.style.fonts import make_font
from ui.table.layout.placed_table import MIN_TEXT_PX

MIN_STRETCH = 80
"""Nor narrower than this, in hundredths of their width."""


def table_font(size: float, bold: bool = False, least: int = MIN_TEXT_PX) -> QFont:
    """The font of the table at a size in pixels."""
    return make_font(max(least, size), bold)


def make_text_item(
    text: str, table_font: QFont, colour: str | QColor, parent: QGraphicsItem | None = None
) -> QGraphicsSimpleTextItem:
    """A line of words."""
    item = QGraphicsSimpleTextItem(text, parent)
    item.setFont(table_font)
    item.setBrush(QBrush(QColor(colour)))
    return item


def fit_line(item: QGraphicsSimpleTextItem, room: float, least: int = MIN_TEXT_PX) -> float:
    """Squeeze a line into this many pixels, no further than can be read; return its width.

    A line that is too long even so is cut and ends in "…".
    """
    font = item.font()
    while item.boundingRect().width() > room and font.pixelSize() > least:
        font.setPixelSize(font.pixelSize() - 1)
        item.setFont(font)
    width = item.boundingRect().width()
    stretch = int(100 * room / width) if width > room > 0 else MIN_STRETCH
    while width > room > 0 and font.stretch() != MIN_STRETCH:
        font.setStretch(max(MIN_STRETCH, stretch))
        item.setFont(font)
        width = item.boundingRect().width()
        stretch -= 1  # letters are not always as much narrower as they are asked to be
    if width > room > 0:
        cut = QFontMetricsF(font).elidedText(item.text(), Qt.TextElideMode.ElideRight, room)
        item.setText(cut)
        width = item.boundingRect().width()
    return width


def rounded_path(rect: QRectF, radius: float) -> QPainterPath:
    """The outline of a rectangle with corners of this radius, or as round as they can be."""
    path = QPainterPath()
    radius = min(radius, rect.width() / 2, rect.height() / 2)
    path.addRoundedRect(rect, radius, radius)
    return path


def add_shape(
    path: QPainterPath,
    parent: QGraphicsItem,
    pen: QPen | None = None,
    fill: str | QColor | None = None,
    behind: bool = False,
) -> QGraphicsPathItem:
    """A part of an item: its outline, if it has a pen, and its ground; or `behind` the item."""
    item = QGraphicsPathItem(path, parent)
    item.setPen(pen if pen is not None else QPen(Qt.PenStyle.NoPen))
    if fill is not None:
        item.setBrush(QBrush(QColor(fill)))
    item.setFlag(QGraphicsItem.GraphicsItemFlag.ItemStacksBehindParent, behind)
    return item


def round_pen(colour: str | QColor, width: float) -> QPen:
    """A pen whose lines end and bend round."""
    cap, join = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    return QPen(QColor(colour), width, Qt.PenStyle.SolidLine, cap, join)
