"""A PDF writer with coordinates in millimetres."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QPen,
)

from ui.style.fonts import load_fonts, make_font
from ui.style.pdf_text import correct_characters, make_pdf_font
from ui.style.theme import SMOOTH_HINTS

RESOLUTION_DPI = 1200
"""The resolution in dots per inch, to which bitmaps are rounded."""
MM_PER_INCH = 25.4
"""Millimetres per inch."""
FONT_UNITS_PER_MM = 100
"""Font size units per millimetre. Text is laid out enlarged, because Qt's fonts have integer
sizes.
"""
INK = "#2B2620"
SOFT = "#8A8378"


class SheetPdf:
    """Writes the pages of a PDF. Its painter uses millimetres from the top left corner of the
    page."""

    def __init__(self, paper: tuple[float, float], title: str) -> None:
        load_fonts()
        self.paper = paper
        self._made = QBuffer()
        self._made.open(QIODevice.OpenModeFlag.WriteOnly)
        self.writer = QPdfWriter(self._made)
        self.writer.setTitle(title)
        self.writer.setCreator("Tabletop 卓")
        self.writer.setResolution(RESOLUTION_DPI)
        size = QPageSize(
            QSizeF(*paper), QPageSize.Unit.Millimeter, "", QPageSize.SizeMatchPolicy.ExactMatch
        )
        none = QMarginsF(0, 0, 0, 0)
        self.writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, none))
        self.pages = 0
        self.painter = QPainter(self.writer)
        self.painter.scale(RESOLUTION_DPI / MM_PER_INCH, RESOLUTION_DPI / MM_PER_INCH)
        self.painter.setRenderHints(SMOOTH_HINTS)

    def start_page(self) -> None:
        """Start a new page."""
        if self.pages:
            self.writer.newPage()
        self.pages += 1

    def start_sheet(self) -> None:
        """Start a page on the front of a new sheet, for duplex printing."""
        self.start_page()
        if not self.pages % 2:
            self.start_page()

    def close(self) -> None:
        """Finish the last page."""
        self.painter.end()

    @property
    def content(self) -> bytes:
        """The PDF file. Valid after `close`."""
        return correct_characters(bytes(self._made.data().data()))

    @contextmanager
    def saved_settings(self) -> Iterator[QPainter]:
        """Provide the painter, and restore its settings afterwards."""
        self.painter.save()
        try:
            yield self.painter
        finally:
            self.painter.restore()

    def draw_line(
        self, x1: float, y1: float, x2: float, y2: float, ink: str = INK, width: float = 0.15
    ) -> None:
        """Draw a straight line. `width` is its width in millimetres."""
        with self.saved_settings() as painter:
            painter.setPen(QPen(QColor(ink), width, c=Qt.PenCapStyle.FlatCap))
            painter.drawLine(QPointF(x1, y1), QPointF(x2, y2))

    def write_text(
        self,
        text: str,
        rect: QRectF,
        size: float,
        ink: str = INK,
        bold: bool = False,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    ) -> float:
        """Write wrapped text into `rect` and return its height in millimetres. `size` is the font
        size in millimetres.
        """
        letters = _font(size, bold)
        bounds = QRectF(0, 0, rect.width() * FONT_UNITS_PER_MM, rect.height() * FONT_UNITS_PER_MM)
        flags = int(align) | int(Qt.TextFlag.TextWordWrap)
        with self.saved_settings() as painter:
            painter.setPen(QColor(ink))
            painter.translate(rect.topLeft())
            painter.scale(1 / FONT_UNITS_PER_MM, 1 / FONT_UNITS_PER_MM)
            painter.setFont(letters)
            # measure with the PDF device, whose font metrics match the print
            needed = QFontMetricsF(letters, self.writer).boundingRect(bounds, flags, text)
            painter.drawText(bounds, flags, text)
        return needed.height() / FONT_UNITS_PER_MM

    def write_footer(self, text: str, max_width: float) -> None:
        """Write a small centred footer of at most `max_width` millimetres."""
        width, height = self.paper
        room = QRectF((width - max_width) / 2, height - 5.4, max_width, 3.0)
        text = re.sub(r"\s+", " ", text)
        letters = _font(1.9)
        long = QFontMetricsF(letters, self.writer).horizontalAdvance(text) / FONT_UNITS_PER_MM
        size = 1.9 * min(1.0, max_width / max(long, 1e-6))
        self.write_text(text, room, size, SOFT, align=Qt.AlignmentFlag.AlignHCenter)


def _font(size: float, bold: bool = False) -> QFont:
    return make_pdf_font(make_font(size * FONT_UNITS_PER_MM, bold))
