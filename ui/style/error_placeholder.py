"""Paints a placeholder for a broken drawing, with the reason as text."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from ui.style.fonts import make_font
from ui.style.theme import Theme

FONT_SIZES_PX = (15, 12, 9)
"""Text sizes to try; the largest that fits is used. If none fits, only a "?" is shown."""
PADDING_PX = 6.0


def paint_error_placeholder(painter: QPainter, place: QRectF, why: str, theme: Theme) -> None:
    """Paint a plain sheet into `place` with the text `why`, or with "?" if the text doesn't fit."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(theme.accent), 1.5, Qt.PenStyle.DashLine))
    painter.setBrush(QColor(theme.stock))
    inner = place.adjusted(1, 1, -1, -1)
    radius = min(place.width(), place.height()) * 0.06
    painter.drawRoundedRect(inner, radius, radius)
    painter.setPen(QColor(theme.stock_ink))
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
    room = inner.adjusted(PADDING_PX, PADDING_PX, -PADDING_PX, -PADDING_PX)
    for pixels in FONT_SIZES_PX:
        font = make_font(pixels)
        taken = QFontMetricsF(font).boundingRect(room, flags, why)
        if room.contains(taken):
            painter.setFont(font)
            painter.drawText(room, flags, why)
            break
    else:
        painter.setFont(make_font(min(place.width(), place.height()) * 0.6, bold=True))
        painter.drawText(inner, Qt.AlignmentFlag.AlignCenter, "?")
    painter.restore()
