"""A slip of paper beside highlighted cards or zones,
with a sentence that says what has happened there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPen, QTextOption
from PySide6.QtWidgets import QGraphicsPathItem, QGraphicsTextItem

from ui.style.line_breaks import bind_phrases
from ui.style.theme import Theme
from ui.table.items.lettering import rounded_path, table_font

GAP_PX = 10.0
"""Distance between the slip and what it describes, in pixels."""


CLEAR_MARGIN_PX = 4.0
"""Minimum distance in pixels between a slip and the things that it must not cover."""
CLEAR_WIDTHS = (40.0, 26.0, 18.0)
"""Widths of the text to try in the search for a clear place, in text heights."""
GRID_STEPS = 24
"""Steps in each direction of the grid of places that are searched."""
AVOIDED_WEIGHT = 10.0
"""How much worse it is to cover what the sentence describes than anything else."""


class SlipItem(QGraphicsPathItem):
    """A sentence on paper inside `room`, below the rectangles `rects`, or above them if there is no
    space below.

    The slip avoids `kept`, the rectangle of the prompt line. If `rects` take up the whole height,
    the slip is placed in `spare`. If it would cover one of them there, or any of `shown`, which are
    all cards, plaques and labels, it is placed where it covers least.
    """

    def __init__(
        self,
        sentence: str,
        rects: Sequence[QRectF],
        size: float,
        theme: Theme,
        room: QRectF,
        spare: QRectF,
        kept: QRectF,
        shown: Sequence[QRectF],
    ) -> None:
        """`size` is the text height; all lengths are in scene pixels."""
        super().__init__()
        self.sentence = sentence
        self._text = QGraphicsTextItem(self)
        self._text.document().setDocumentMargin(0)
        self._text.setFont(table_font(size, bold=True))
        self._text.setDefaultTextColor(QColor(theme.ink))
        self._text.setPlainText(bind_phrases(sentence))
        wrapping = QTextOption()
        wrapping.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._text.document().setDefaultTextOption(wrapping)
        about = _united(rects) if rects else room
        is_tall = about.height() > room.height() * 0.7
        widest = max(spare.width() - 2 * size, 15 * size) if is_tall else room.width() * 0.5
        widest = min(widest, 26 * size)
        if self._text.boundingRect().width() > widest:
            self._text.setTextWidth(widest)
        box = self._text.boundingRect()
        slip = _framed(box, size)
        slip.moveCenter(about.center())
        slip.moveTop(about.bottom() + GAP_PX)
        if slip.bottom() > room.bottom() or slip.intersects(kept):
            slip.moveBottom(about.top() - GAP_PX)
        if is_tall:
            slip.moveCenter(spare.center())
        slip.moveTop(max(room.top(), min(slip.top(), room.bottom() - slip.height())))
        slip.moveLeft(max(room.left(), min(slip.left(), room.right() - slip.width())))
        if any(slip.intersects(rect) for rect in (*rects, *(shown if is_tall else ()))):
            slip = self._find_clear_place(size, room, about, [*rects, kept], shown)
        self.setPath(rounded_path(slip, size * 0.7))
        self.setPen(QPen(QColor(theme.ink_soft), 1.5))
        self.setBrush(QBrush(QColor(theme.paper)))
        self._text.setPos(slip.left() + size, slip.top() + size * 0.5)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def _find_clear_place(
        self,
        size: float,
        room: QRectF,
        about: QRectF,
        avoided: Sequence[QRectF],
        shown: Sequence[QRectF],
    ) -> QRectF:
        """Break the sentence anew, and return the rectangle nearest to `about` that covers least.

        Covering `avoided` is worse than covering `shown`.
        """
        best: tuple[float, float, QRectF] | None = None
        for widest in CLEAR_WIDTHS:
            slip = self._break_lines(widest * size, size)
            if slip.width() > room.width() or slip.height() > room.height():
                continue
            for place in _grid_places(slip, room):
                covered = AVOIDED_WEIGHT * _covered(place, avoided) + _covered(place, shown)
                away = QLineF(place.center(), about.center()).length()
                if best is None or (covered, away) < best[:2]:
                    best = covered, away, place
                    chosen = widest
        if best is None:
            return self._break_lines(CLEAR_WIDTHS[-1] * size, size)
        self._break_lines(chosen * size, size)
        return best[2]

    def _break_lines(self, widest: float, size: float) -> QRectF:
        """Break the sentence into lines of at most `widest`, and return the slip's rectangle."""
        self._text.setTextWidth(-1)
        if self._text.boundingRect().width() > widest:
            self._text.setTextWidth(widest)
            self._text.setTextWidth(self._text.document().idealWidth())
        return _framed(self._text.boundingRect(), size)


def _framed(box: QRectF, size: float) -> QRectF:
    """Return the rectangle of a slip at the origin, whose text fills `box`."""
    return QRectF(0, 0, box.width() + 2 * size, box.height() + size)


def _united(rects: Sequence[QRectF]) -> QRectF:
    whole = QRectF()
    for rect in rects:
        whole = whole.united(rect)
    return whole


def _grid_places(slip: QRectF, room: QRectF) -> Iterator[QRectF]:
    """Yield `slip` at evenly spaced places inside `room`."""
    across, down = room.width() - slip.width(), room.height() - slip.height()
    for row, column in product(range(GRID_STEPS + 1), repeat=2):
        left = room.left() + across * column / GRID_STEPS
        yield slip.translated(left, room.top() + down * row / GRID_STEPS)


def _covered(place: QRectF, rects: Sequence[QRectF]) -> float:
    """Return the area of `rects` that `place` covers, including a margin round `place`."""
    wide = place.adjusted(-CLEAR_MARGIN_PX, -CLEAR_MARGIN_PX, CLEAR_MARGIN_PX, CLEAR_MARGIN_PX)
    both = (wide.intersected(rect) for rect in rects if wide.intersects(rect))
    return sum(area.width() * area.height() for area in both)
