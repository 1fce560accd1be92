"""Placement of a lesson's bubble: beside its subject, covering as little as possible."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSizeF

GAPS = (12.0, 40.0, 80.0, 130.0)
"""Between the bubble's paper and what it speaks of, in pixels; its pointer is as long."""
PULL = 24.0
"""Cost of a pixel of the pointer, against one square pixel of the table that is covered."""
POINTER = 6.0
"""Half of what is kept free along the pointer, in pixels."""
EDGE = 6.0
"""Free between the bubble and the edge of the table, in pixels."""
CORNER = 20.0
"""The pointer stays so far away from the paper's corners, in pixels."""
STEPS = 8
"""Places that are tried along each side of what it speaks of."""
ASIDE = 6.0
"""Cost of a pixel by which the bubble is aside of its subject's middle, against one square
pixel of the table that it covers."""


class Avoided(NamedTuple):
    """Something on the table that a bubble had better not cover."""

    rect: QRectF
    weight: float


class BubblePlace(NamedTuple):
    """The paper of a bubble, and the point at the edge of its subject to which it points."""

    paper: QRectF
    tip: QPointF

    @property
    def foot(self) -> QPointF:
        """The point where the pointer leaves the paper."""
        paper, tip = self.paper, self.tip
        return QPointF(
            _between(tip.x(), paper.left(), paper.right()),
            _between(tip.y(), paper.top(), paper.bottom()),
        )

    @property
    def pointer(self) -> QRectF:
        """The rectangle the pointer covers, up to just before its subject."""
        foot, tip = self.foot, self.tip
        end = tip + (foot - tip) * 0.1
        span = QRectF(foot, end).normalized()
        across = QPointF(POINTER, 0) if span.width() < span.height() else QPointF(0, POINTER)
        return QRectF(span.topLeft() - across, span.bottomRight() + across)


def bubble_place(
    sizes: Iterable[QSizeF],
    subject: QRectF,
    room: QRectF,
    never: Sequence[QRectF],
    avoided: Sequence[Avoided],
) -> BubblePlace | None:
    """The best place for a bubble of one of these sizes beside its subject, in `room`; None where
    there is none that covers neither the subject nor any of `never`."""
    best, least = None, float("inf")
    inner = room.adjusted(EDGE, EDGE, -EDGE, -EDGE)
    for size, gap in product(sizes, GAPS):
        for paper, tip in _beside(size, gap, subject, inner):
            if not inner.contains(paper):
                continue
            place = BubblePlace(paper, tip)
            if any(paper.intersects(rect) or place.pointer.intersects(rect) for rect in never):
                continue
            middle = subject.center() - paper.center()
            cost = PULL * gap + ASIDE * min(abs(middle.x()), abs(middle.y()))
            cost += sum(_shared(paper, each.rect) * each.weight for each in avoided)
            if cost < least:
                best, least = place, cost
    return best


def nearest(point: QPointF, rects: Iterable[QRectF]) -> QPointF:
    """The point of these rectangles that is nearest to a point."""
    within = (
        QPointF(
            _between(point.x(), rect.left(), rect.right()),
            _between(point.y(), rect.top(), rect.bottom()),
        )
        for rect in rects
    )
    return min(within, key=lambda each: (each - point).manhattanLength())


def _beside(
    size: QSizeF, gap: float, subject: QRectF, room: QRectF
) -> Iterator[tuple[QRectF, QPointF]]:
    """Papers on each side of the subject, from one end to the other, and where they point to."""
    w, h = size.width(), size.height()
    middle = subject.center()
    for x in _along(subject.left(), subject.right(), w, room.left(), room.right()):
        at = _between(
            middle.x(), max(x + CORNER, subject.left()), min(x + w - CORNER, subject.right())
        )
        yield QRectF(x, subject.top() - gap - h, w, h), QPointF(at, subject.top())
        yield QRectF(x, subject.bottom() + gap, w, h), QPointF(at, subject.bottom())
    for y in _along(subject.top(), subject.bottom(), h, room.top(), room.bottom()):
        at = _between(
            middle.y(), max(y + CORNER, subject.top()), min(y + h - CORNER, subject.bottom())
        )
        yield QRectF(subject.right() + gap, y, w, h), QPointF(subject.right(), at)
        yield QRectF(subject.left() - gap - w, y, w, h), QPointF(subject.left(), at)


def _along(first: float, last: float, long: float, begin: float, end: float) -> list[float]:
    """Beginnings of something so long beside what goes from first to last, both in the middle of
    each other among them, as far as there is room from begin to end. A pointer from the one to the
    other keeps away from the corners."""
    reach = min(CORNER, (last - first) / 2)
    least, most = max(first + reach + CORNER - long, begin), min(last - reach - CORNER, end - long)
    if most < least:
        return []
    steps = [least + (most - least) * step / STEPS for step in range(STEPS + 1)]
    return [*steps, _between((first + last - long) / 2, least, most)]


def _between(value: float, least: float, most: float) -> float:
    return max(least, min(value, most))


def _shared(one: QRectF, other: QRectF) -> float:
    both = one.intersected(other)
    return both.width() * both.height() if both.isValid() else 0.0
