"""The grid of cards on a sheet, with backs that line up with their faces in duplex printing.

Lengths are in millimetres from the top left corner of a portrait page. The sheet is
flipped on its long edge, so the back of a face in the first column is in the last column.
This module doesn't use Qt.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""The width and height of each paper size, by name."""
PAPER_MARGIN_MM = 5.0
"""The unprintable margin of home printers."""
CROP_MARK_GAP_MM = 1.0
"""The distance between a card's print and its crop marks."""
MAX_CROP_MARK_MM = 5.0
"""The maximum length of a crop mark."""
MIN_EDGE_DISTANCE_MM = 3.0
"""The minimum distance between a crop mark and the edge of the paper."""


class CardTooLarge(ValueError):
    """Raised if a card is larger than the paper. The message is one sentence."""


class CutSlot(NamedTuple):
    """The position of a card on a sheet. `turned` is its clockwise rotation in degrees."""

    x: float
    y: float
    w: float
    h: float
    turned: int = 0


class CropMark(NamedTuple):
    """A line that shows where to cut."""

    x1: float
    y1: float
    x2: float
    y2: float


class CardGrid:
    """The grid that fits the most cards of one size on a sheet, upright or sideways."""

    def __init__(
        self, paper: tuple[float, float], card: tuple[float, float], bleed: float = 0.0
    ) -> None:
        """Choose the orientation of the cards.

        Args:
            paper: Width and height of the paper.
            card: Width and height of a card.
            bleed: The width of the printed border around each card.

        Raises:
            CardTooLarge: The card is larger than the printable area.
        """
        self.paper, self.card, self.bleed = paper, card, bleed
        upright, lying = self._columns_and_rows(*card), self._columns_and_rows(card[1], card[0])
        self.lying = lying[0] * lying[1] > upright[0] * upright[1]
        self.columns, self.rows = lying if self.lying else upright
        if not self.columns * self.rows:
            raise CardTooLarge(f"A card of {card[0]:g} x {card[1]:g} mm does not fit on the paper.")
        self._w, self._h = (card[1], card[0]) if self.lying else card
        self._left = (paper[0] - self.columns * (self._w + 2 * bleed)) / 2
        self._top = (paper[1] - self.rows * (self._h + 2 * bleed)) / 2

    def _columns_and_rows(self, w: float, h: float) -> tuple[int, int]:
        room = (self.paper[0] - 2 * PAPER_MARGIN_MM, self.paper[1] - 2 * PAPER_MARGIN_MM)
        return (
            int((room[0] + 1e-6) // (w + 2 * self.bleed)),
            int((room[1] + 1e-6) // (h + 2 * self.bleed)),
        )

    def __len__(self) -> int:
        return self.columns * self.rows

    def faces(self) -> list[CutSlot]:
        """Return the positions on a page of faces, row by row."""
        turned = 90 if self.lying else 0
        return [
            CutSlot(self._x(column), self._y(row), self._w, self._h, turned)
            for row in range(self.rows)
            for column in range(self.columns)
        ]

    def backs(self) -> list[CutSlot]:
        """Return the positions of the backs, in the same order as `faces`."""
        return [
            slot._replace(x=self.paper[0] - slot.x - slot.w, turned=-slot.turned)
            for slot in self.faces()
        ]

    def crop_marks(self) -> Iterator[CropMark]:
        """Yield a crop mark at both ends of every cutting line, outside
        the cards and their bleed.
        """
        left, top = self._left - CROP_MARK_GAP_MM, self._top - CROP_MARK_GAP_MM
        width, height = self.paper
        short_x, short_y = (min(MAX_CROP_MARK_MM, at - MIN_EDGE_DISTANCE_MM) for at in (left, top))
        for at in sorted({x for c in range(self.columns) for x in _ends(self._x(c), self._w)}):
            yield CropMark(at, top - short_y, at, top)
            yield CropMark(at, height - top, at, height - top + short_y)
        for at in sorted({y for r in range(self.rows) for y in _ends(self._y(r), self._h)}):
            yield CropMark(left - short_x, at, left, at)
            yield CropMark(width - left, at, width - left + short_x, at)

    def _x(self, column: int) -> float:
        return self._left + self.bleed + column * (self._w + 2 * self.bleed)

    def _y(self, row: int) -> float:
        return self._top + self.bleed + row * (self._h + 2 * self.bleed)


def _ends(at: float, length: float) -> tuple[float, float]:
    """Return both ends of a side, rounded so that adjacent cards share a crop mark."""
    return round(at, 4), round(at + length, 4)
