"""Placement of a bubble: where it covers nothing that its reader needs, near its subject."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSizeF

GAP = 10.0
"""Between the bubble and what it must not cover, in pixels."""
STEP = 28.0
"""Between two places that are tried, in pixels."""
PULL = 40.0
"""Cost of a pixel of distance from the subject, against one square pixel that is covered."""
EDGE = 6.0
"""Free between the bubble and the edge of the table, in pixels."""

Sides = tuple[float, float, float, float]
"""Left, top, right and bottom."""


class Avoided(NamedTuple):
    """Something on the table that a bubble had better not cover."""

    rect: QRectF
    weight: float


def bubble_place(
    sizes: Iterable[QSizeF],
    subject: QRectF,
    room: QRectF,
    never: Sequence[QRectF],
    avoided: Sequence[Avoided],
) -> QRectF | None:
    """The best place in `room` for a bubble of the first of these sizes that finds one; None where
    each would cover some of `never`."""
    taken = [_sides(rect.adjusted(-GAP, -GAP, GAP, GAP)) for rect in never]
    for size in sizes:
        places = _free_places(size, room.adjusted(EDGE, EDGE, -EDGE, -EDGE), taken)
        found = min(places, key=lambda place: _cost(place, subject, avoided), default=None)
        if found is not None:
            return found
    return None


def nearest_point(point: QPointF, rects: Iterable[QRectF]) -> QPointF:
    """The point of these rectangles that is nearest to a point."""
    within = (
        QPointF(
            _clamp(point.x(), rect.left(), rect.right()),
            _clamp(point.y(), rect.top(), rect.bottom()),
        )
        for rect in rects
    )
    return min(within, key=lambda each: (each - point).manhattanLength())


def _free_places(size: QSizeF, room: QRectF, taken: Sequence[Sides]) -> Iterator[QRectF]:
    """Places of this size in the room, clear of what is taken: beside it, and all over the rest."""
    w, h = size.width(), size.height()
    lefts = _starts_along(room.left(), room.right() - w, [(t[0] - w, t[2]) for t in taken])
    tops = _starts_along(room.top(), room.bottom() - h, [(t[1] - h, t[3]) for t in taken])
    for x in lefts:
        right = x + w
        columns = [t for t in taken if t[0] < right and x < t[2]]
        for y in tops:
            bottom = y + h
            if not any(top < bottom and y < low for _, top, _, low in columns):
                yield QRectF(x, y, w, h)


def _starts_along(first: float, last: float, beside: Iterable[tuple[float, float]]) -> list[float]:
    """Beginnings from first to last: at even steps, and just beside each of these."""
    steps = [first + STEP * n for n in range(int(max(0.0, last - first) // STEP) + 1)]
    every = {last, *steps, *(each for pair in beside for each in pair)}
    return sorted(each for each in every if first <= each <= last)


def _cost(place: QRectF, subject: QRectF, avoided: Sequence[Avoided]) -> float:
    middle = place.center()
    way = nearest_point(middle, [subject]) - nearest_point(subject.center(), [place])
    far = abs(way.x()) + abs(way.y())
    aside = (middle - subject.center()).manhattanLength() * 0.1
    return PULL * (far + aside) + sum(
        _shared_area(place, each.rect) * each.weight for each in avoided
    )


def _sides(rect: QRectF) -> Sides:
    return rect.left(), rect.top(), rect.right(), rect.bottom()


def _clamp(value: float, least: float, most: float) -> float:
    return max(least, min(value, most))


def _shared_area(one: QRectF, other: QRectF) -> float:
    both = one.intersected(other)
    return both.width() * both.height() if both.isValid() else 0.0
