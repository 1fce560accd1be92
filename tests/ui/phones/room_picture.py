"""The public table with phones beside it, as one picture: what a room with them looks like."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath

HIGH, GAP, EDGE = 760, 26, 9
"""Of the phones and between things, and round each, in pixels."""
ROUND, FRAME = 34, QColor("#17191d")


def room_picture(table: QImage, phones: Sequence[QImage]) -> QImage:
    """The table on the left, the phones beside it, each in a frame; nothing round them."""
    inner = HIGH - 2 * EDGE
    held = [phone.scaledToHeight(inner, _SMOOTH) for phone in phones]
    wide = round(inner * table.width() / table.height())
    screen = table.scaledToWidth(wide, _SMOOTH)
    things = [(screen, 12.0), *((phone, ROUND) for phone in held)]
    width = sum(image.width() + 2 * EDGE for image, _ in things) + GAP * len(held)
    picture = QImage(width, HIGH, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = 0.0
        for image, round_ in things:
            frame = QRectF(left, 0, image.width() + 2 * EDGE, HIGH)
            _fill(painter, frame, round_, FRAME)
            inside = frame.adjusted(EDGE, EDGE, -EDGE, -EDGE)
            shape = QPainterPath()
            shape.addRoundedRect(inside, round_ - EDGE, round_ - EDGE)
            painter.save()
            painter.setClipPath(shape)
            painter.drawImage(inside.topLeft(), image)
            painter.restore()
            left = frame.right() + GAP
    return picture


_SMOOTH = Qt.TransformationMode.SmoothTransformation


def _fill(painter: QPainter, rect: QRectF, round_: float, colour: QColor) -> None:
    shape = QPainterPath()
    shape.addRoundedRect(rect, round_, round_)
    painter.fillPath(shape, colour)
