"""Finds which cells of a picture have changed, so that only these are sent to a browser.

A move changes a tenth to a third of a table. Encoding time grows with the number of pixels, so only
the changed cells are encoded, stacked in a column. The page draws them over its current picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage, QPainter

from tabletop.web.drawer import CELL_PX, PictureCells

MAX_CELLS = 500
"""The greatest number of changed cells to send. With more of them, the whole picture is sent.

The limit exists because a WebP file is at most 16,383 pixels high.
"""


def hash_cells(image: QImage) -> PictureCells:
    """Return the hashes of all cells of `image`, which must have 32 bits per pixel."""
    width, height = image.width(), image.height()
    marks: list[int] = []
    for x in range(0, width, CELL_PX):
        strip = image.copy(QRect(x, 0, min(CELL_PX, width - x), height))
        bits, size = bytes(strip.constBits()), strip.bytesPerLine() * CELL_PX
        marks += (hash(bits[at : at + size]) for at in range(0, len(bits), size))
    return PictureCells(width, height, tuple(marks))


def find_changed_cells(
    had: PictureCells | None, now: PictureCells
) -> tuple[tuple[int, int], ...] | None:
    """Return the left and top edges in pixels of the cells that differ between `had` and `now`.

    Return None if the whole picture must be sent, because it is new, resized, or mostly changed.
    """
    if had is None or (had.width, had.height) != (now.width, now.height):
        return None
    places = product(range(0, now.width, CELL_PX), range(0, now.height, CELL_PX))
    pairs = zip(places, had.marks, now.marks, strict=True)
    cells = tuple(place for place, before, after in pairs if before != after)
    return cells if len(cells) <= MAX_CELLS else None


def stack_cells(image: QImage, cells: Sequence[tuple[int, int]]) -> QImage:
    """Return an image with the given cells of `image`, stacked in a column."""
    picture = QImage(CELL_PX, CELL_PX * len(cells), image.format())
    picture.fill(image.pixel(0, 0))
    with QPainter(picture) as painter:
        for number, (x, y) in enumerate(cells):
            painter.drawImage(QPoint(0, number * CELL_PX), image, QRect(x, y, CELL_PX, CELL_PX))
    return picture
