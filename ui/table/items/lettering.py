"""Helpers for texts, outlines and pens, shared by all items on the table."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem, QGraphicsSimpleTextItem

from ui.style.fonts import make_font
from ui.table.layout.placed_table import MIN_TEXT_PX

MIN_STRETCH = 80
"""Smallest horizontal stretch of a font, in per cent."""


def table_font(size: float, bold: bool = False, min_px: int = MIN_TEXT_PX) -> QFont:
    """Return the table's font with a height of `size` pixels, at least `min_px`."""
    return make_font(max(min_px, size), bold)


def make_text_item(
    text: str, font: QFont, colour: str | QColor, parent: QGraphicsItem | None = None
) -> QGraphicsSimpleTextItem:
    """Return an item with a line of text."""
    item = QGraphicsSimpleTextItem(text, parent)
    item.setFont(font)
    item.setBrush(QBrush(QColor(colour)))
    return item


def fit_line(item: QGraphicsSimpleTextItem, room: float, min_px: int = MIN_TEXT_PX) -> float:
    """Shrink and condense a line of text to fit into `room` pixels, and return its width.

    Text that is still too long ends in "…".
    """
    font = item.font()
    while item.boundingRect().width() > room and font.pixelSize() > min_px:
        font.setPixelSize(font.pixelSize() - 1)
        item.setFont(font)
    width = item.boundingRect().width()
    stretch = int(100 * room / width) if width > room > 0 else MIN_STRETCH
    while width > room > 0 and font.stretch() != MIN_STRETCH:
        font.setStretch(max(MIN_STRETCH, stretch))
        item.setFont(font)
        width = item.boundingRect().width()
        stretch -= 1  # fonts don't always stretch as much as requested
    if width > room > 0:
        cut = QFontMetricsF(font).elidedText(item.text(), Qt.TextElideMode.ElideRight, room)
        item.setText(cut)
        width = item.boundingRect().width()
    return width


def rounded_path(rect: QRectF, radius: float) -> QPainterPath:
    """Return the outline of `rect` with rounded corners; `radius` is limited to half a side."""
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
    """Add an item with `path` as a child of `parent`, drawn below the parent if `behind`, and
    return it.
    """
    item = QGraphicsPathItem(path, parent)
    item.setPen(pen if pen is not None else QPen(Qt.PenStyle.NoPen))
    if fill is not None:
        item.setBrush(QBrush(QColor(fill)))
    item.setFlag(QGraphicsItem.GraphicsItemFlag.ItemStacksBehindParent, behind)
    return item


def round_pen(colour: str | QColor, width: float) -> QPen:
    """Return a pen with round caps and joins."""
    cap, join = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    return QPen(QColor(colour), width, Qt.PenStyle.SolidLine, cap, join)
