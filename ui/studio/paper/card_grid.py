"""The grid of cards on a sheet, so that backs meet their faces when printed on both sides.

Lengths are millimetres, from the top left corner of a page in portrait format. The sheet is turned
over its long edge: a face in the first column of its page has its back in the last one.
No Qt.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height, by name."""
EDGE = 5.0
"""The margin of home printers."""
AWAY = 1.0
"""The distance from a card's print to its crop marks."""
LONGEST = 5.0
"""The length of a crop mark."""
LEAST_EDGE = 3.0
"""The least distance of a crop mark from the paper's edge."""


class DoesNotFit(ValueError):
    """A card that is larger than the paper: one sentence."""


class CutSlot(NamedTuple):
    """A card's place on the sheet. `turned`: the degrees clockwise by which its top is turned."""

    x: float
    y: float
    w: float
    h: float
    turned: int = 0


class Line(NamedTuple):
    """A crop mark."""

    x1: float
    y1: float
    x2: float
    y2: float


class CardGrid:
    """The grid with the most cards of one size on a sheet, upright or on their side."""

    def __init__(
        self, paper: tuple[float, float], card: tuple[float, float], bleed: float = 0.0
    ) -> None:
        """`paper` and `card` are widths and heights; `bleed` is printed round what is cut out.

        Raises:
            DoesNotFit: not one card does.
        """
        self.paper, self.card, self.bleed = paper, card, bleed
        upright, lying = self._columns_and_rows(*card), self._columns_and_rows(card[1], card[0])
        self.lying = lying[0] * lying[1] > upright[0] * upright[1]
        self.columns, self.rows = lying if self.lying else upright
        if not self.columns * self.rows:
            raise DoesNotFit(f"A card of {card[0]:g} x {card[1]:g} mm does not fit on the paper.")
        self._w, self._h = (card[1], card[0]) if self.lying else card
        self._left = (paper[0] - self.columns * (self._w + 2 * bleed)) / 2
        self._top = (paper[1] - self.rows * (self._h + 2 * bleed)) / 2

    def _columns_and_rows(self, w: float, h: float) -> tuple[int, int]:
        room = (self.paper[0] - 2 * EDGE, self.paper[1] - 2 * EDGE)
        return (
            int((room[0] + 1e-6) // (w + 2 * self.bleed)),
            int((room[1] + 1e-6) // (h + 2 * self.bleed)),
        )

    def __len__(self) -> int:
        return self.columns * self.rows

    def faces(self) -> list[CutSlot]:
        """The places of a page of faces, row by row."""
        turned = 90 if self.lying else 0
        return [
            CutSlot(self._x(column), self._y(row), self._w, self._h, turned)
            for row in range(self.rows)
            for column in range(self.columns)
        ]

    def backs(self) -> list[CutSlot]:
        """The places of the backs of those faces, in the same order."""
        return [
            slot._replace(x=self.paper[0] - slot.x - slot.w, turned=-slot.turned)
            for slot in self.faces()
        ]

    def crop_marks(self) -> Iterator[Line]:
        """At the ends of every line that is cut, outside of all cards and their bleed."""
        left, top = self._left - AWAY, self._top - AWAY
        width, height = self.paper
        short_x, short_y = (min(LONGEST, at - LEAST_EDGE) for at in (left, top))
        for at in sorted({x for c in range(self.columns) for x in _ends(self._x(c), self._w)}):
            yield Line(at, top - short_y, at, top)
            yield Line(at, height - top, at, height - top + short_y)
        for at in sorted({y for r in range(self.rows) for y in _ends(self._y(r), self._h)}):
            yield Line(left - short_x, at, left, at)
            yield Line(width - left, at, width - left + short_x, at)

    def _x(self, column: int) -> float:
        return self._left + self.bleed + column * (self._w + 2 * self.bleed)

    def _y(self, row: int) -> float:
        return self._top + self.bleed + row * (self._h + 2 * self.bleed)


def _ends(at: float, length: float) -> tuple[float, float]:
    """Both ends, so rounded that neighbours that share an edge share its mark."""
    return round(at, 4), round(at + length, 4)
