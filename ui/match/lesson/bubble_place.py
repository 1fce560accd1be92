"""Where the bubble of a lesson stands: beside what it speaks of, over as little as can be."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSizeF

GAP = 12.0
"""Between the bubble's paper and what it speaks of, in pixels; its pointer is as long."""
EDGE = 6.0
"""Free between the bubble and the edge of the table, in pixels."""
CORNER = 20.0
"""The pointer stays so far away from the paper's corners, in pixels."""
STEPS = 8
"""Places that are tried along each side of what it speaks of."""
ASIDE = 6.0
"""What a pixel counts by which the bubble stands aside of its subject's middle, against one square
pixel of the table that it covers."""


class Avoided(NamedTuple):
    """Something on the table that a bubble had better not cover."""

    rect: QRectF
    weight: float


class BubblePlace(NamedTuple):
    """The paper of a bubble, and the point at the edge of its subject to which it points."""

    paper: QRectF
    tip: QPointF


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
    for size in sizes:
        for paper, tip in _beside(size, subject, inner):
            if not inner.contains(paper) or any(paper.intersects(rect) for rect in never):
                continue
            middle = subject.center() - paper.center()
            aside = min(abs(middle.x()), abs(middle.y()))
            cost = ASIDE * aside + sum(_shared(paper, each.rect) * each.weight for each in avoided)
            if cost < least:
                best, least = BubblePlace(paper, tip), cost
    return best


def _beside(size: QSizeF, subject: QRectF, room: QRectF) -> Iterator[tuple[QRectF, QPointF]]:
    """Papers on each side of the subject, from one end to the other, and where they point to."""
    w, h = size.width(), size.height()
    least_x, most_x = subject.left() - w + 2 * CORNER, subject.right() - 2 * CORNER
    least_y, most_y = subject.top() - h + 2 * CORNER, subject.bottom() - 2 * CORNER
    middle_x, middle_y = subject.center().x() - w / 2, subject.center().y() - h / 2
    for x in _along(middle_x, least_x, most_x, room.left(), room.right() - w):
        at = _between(
            subject.center().x(),
            max(x + CORNER, subject.left()),
            min(x + w - CORNER, subject.right()),
        )
        yield QRectF(x, subject.top() - GAP - h, w, h), QPointF(at, subject.top())
        yield QRectF(x, subject.bottom() + GAP, w, h), QPointF(at, subject.bottom())
    for y in _along(middle_y, least_y, most_y, room.top(), room.bottom() - h):
        at = _between(
            subject.center().y(),
            max(y + CORNER, subject.top()),
            min(y + h - CORNER, subject.bottom()),
        )
        yield QRectF(subject.right() + GAP, y, w, h), QPointF(subject.right(), at)
        yield QRectF(subject.left() - GAP - w, y, w, h), QPointF(subject.left(), at)


def _along(middle: float, least: float, most: float, first: float, last: float) -> list[float]:
    """Beginnings from the least to the most, the middle among them, as far as there is room."""
    least, most = max(least, first), min(most, last)
    if most < least:
        return []
    steps = [least + (most - least) * step / STEPS for step in range(STEPS + 1)]
    return [*steps, _between(middle, least, most)]


def _between(value: float, least: float, most: float) -> float:
    return max(least, min(value, most))


def _shared(one: QRectF, other: QRectF) -> float:
    both = one.intersected(other)
    return both.width() * both.height() if both.isValid() else 0.0
