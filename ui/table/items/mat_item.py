"""Mats with their captions, and printed card slots."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QGraphicsPathItem, QGraphicsPixmapItem

from ui.style.art import Art
from ui.style.drawn_templates import cache_key
from ui.style.pixmaps import blank_pixmap
from ui.style.theme import Theme, with_opacity
from ui.table.items.lettering import add_shape, fit_line, make_text_item, rounded_path, table_font

MIN_CORNER_RADIUS_PX = 14.0
MAT_OPACITY = 0.78
"""The opacity of a mat, through which the table is visible."""
EDGE_OPACITY = 0.12
"""The opacity of the line around a mat."""


def _mat_edge(theme: Theme) -> QColor:
    """Return the colour of the line around a mat. In the contrast theme the line is the mat's only
    visible part.
    """
    if theme.name == "contrast":
        return QColor(theme.line)
    return with_opacity(theme.table_ink, EDGE_OPACITY)


class MatItem(QGraphicsPathItem):
    """A mat with its caption at the top left and its number of cards at the top right."""

    def __init__(
        self,
        rect: QRectF,
        theme: Theme,
        caption: str,
        size: float,
        beside: float,
        whole: bool = False,
    ) -> None:
        """`size`: the text height in pixels. `beside`:
        the width in pixels to keep free at the right.

        If `whole`, a caption that doesn't fit is omitted instead of cut off.
        """
        bend = max(MIN_CORNER_RADIUS_PX, size * 1.1)
        super().__init__(rounded_path(rect, bend))
        self.setPen(Qt.PenStyle.NoPen)
        self.setBrush(QBrush(with_opacity(theme.mat, MAT_OPACITY)))
        line = rounded_path(rect.adjusted(0.5, 0.5, -0.5, -0.5), bend - 0.5)
        add_shape(line, self, QPen(_mat_edge(theme), 1))
        self._rect = rect
        self._size = size
        self._edge = size * 0.9
        """The distance of the caption from the mat's edge, in pixels."""
        self.count: int | None = None
        """The displayed number of cards; None if none is displayed yet."""
        self._count = make_text_item("", table_font(size, bold=True), theme.table_soft, self)
        if caption:
            text = make_text_item(caption, table_font(size), theme.table_soft, self)
            room = rect.width() - beside
            for edge in NARROW_EDGES:
                if text.boundingRect().width() > room - 2 * self._edge:
                    self._edge = size * edge
            fit_line(text, max(room - 2 * self._edge, 1.0), round(size))
            text.setPos(rect.left() + self._edge, rect.top() + size * 0.42)
            if text.text() != caption:
                self.setToolTip(caption)
                text.setText("" if whole or text.text() == "…" else text.text())

    def show_count(self, count: int) -> None:
        """Show the number of cards on the mat."""
        self.count = count
        self._count.setText(str(count))
        width = self._count.boundingRect().width()
        right = self._rect.right() - self._edge - width
        self._count.setPos(right, self._rect.top() + self._size * 0.42)


NARROW_EDGES = (0.5, 0.25)
"""Distances of the caption from the edge of a narrow mat, in text heights."""


SLOT_FILL_OPACITY, WATERMARK_OPACITY = 0.45, 0.22
"""Opacity of a card slot's background, and of the drawing in it."""


def make_slot_item(
    rect: QRectF, art: Art, theme: Theme, ratio: float, watermark: QPixmap | None = None
) -> QGraphicsPixmapItem:
    """Return the item of a printed card slot; `watermark` is the game's own drawing.

    It is a single pixmap, because drawing the parts separately would take a tenth of the time of
    every repaint under a dragged card.
    """
    # start on a whole device pixel so that lines aren't blurred
    corner = QPointF(*(math.floor(at * ratio) / ratio for at in rect.topLeft().toTuple()))
    place, ink = rect.translated(-corner), watermark.cacheKey() if watermark is not None else 0
    picture = art.cached_pixmap(
        cache_key("slot", theme.name, theme.line, theme.table, place.getRect(), ratio, ink),
        lambda: _slot_picture(place, theme, ratio, watermark),
    )
    item = QGraphicsPixmapItem(picture)
    item.setOffset(corner)
    return item


def _slot_picture(place: QRectF, theme: Theme, ratio: float, watermark: QPixmap | None) -> QPixmap:
    bare = theme.name == "contrast"
    picture = blank_pixmap(place.right(), place.bottom(), ratio)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.line), 1.5 if bare else 1))
        if not bare:
            painter.setBrush(QBrush(with_opacity(theme.table, SLOT_FILL_OPACITY)))
        painter.drawPath(rounded_path(place.adjusted(2, 2, -2, -2), place.width() * 0.06))
        if watermark is not None and not bare:
            painter.setOpacity(WATERMARK_OPACITY)
            painter.drawPixmap(place.topLeft(), watermark)
    return picture
