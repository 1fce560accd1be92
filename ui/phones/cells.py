"""Pictures cell by cell: which cells differ from what a browser shows, and these alone as a column.

A move changes a tenth to a third of a table. Packing takes its time by the pixel, so only that much
is packed and sent; the page lays it over what it has.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage, QPainter

from tabletop.web.drawer import CELL_PX, PictureCells

MOST_CELLS = 500
"""More are sent as a whole picture: a WebP file is at most 16,383 pixels high."""


def cells_of(image: QImage) -> PictureCells:
    """The cells of a picture of 32 bits a pixel."""
    wide, high = image.width(), image.height()
    marks: list[int] = []
    for x in range(0, wide, CELL_PX):
        strip = image.copy(QRect(x, 0, min(CELL_PX, wide - x), high))
        bits, size = bytes(strip.constBits()), strip.bytesPerLine() * CELL_PX
        marks += (hash(bits[at : at + size]) for at in range(0, len(bits), size))
    return PictureCells(wide, high, tuple(marks))


def changed_cells(
    had: PictureCells | None, now: PictureCells
) -> tuple[tuple[int, int], ...] | None:
    """The places of the cells that differ between two pictures, from the left and from above; None
    where the whole one is to be sent."""
    if had is None or (had.width, had.height) != (now.width, now.height):
        return None
    places = product(range(0, now.width, CELL_PX), range(0, now.height, CELL_PX))
    pairs = zip(places, had.marks, now.marks, strict=True)
    cells = tuple(place for place, before, after in pairs if before != after)
    return cells if len(cells) <= MOST_CELLS else None


def column(image: QImage, cells: Sequence[tuple[int, int]]) -> QImage:
    """These cells of a picture, one below the other."""
    picture = QImage(CELL_PX, CELL_PX * len(cells), image.format())
    picture.fill(image.pixel(0, 0))
    with QPainter(picture) as painter:
        for number, (x, y) in enumerate(cells):
            painter.drawImage(QPoint(0, number * CELL_PX), image, QRect(x, y, CELL_PX, CELL_PX))
    return picture
