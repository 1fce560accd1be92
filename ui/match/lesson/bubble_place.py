"""Placement of a bubble: where it covers nothing that its reader needs, near its subject."""

from collections.abc import Iterable, Iterator, Sequence
from math import inf
from operator import itemgetter
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSizeF

GAP = 10.0
"""The gap between the bubble and what it must not cover, in pixels."""
STEP = 28.0
"""The way from one place that is tried to the next, in pixels."""
PULL = 40.0
"""Cost of a pixel of distance from the subject, against one square pixel that is covered."""
EDGE = 6.0
"""The gap between the bubble and the edge of the table, in pixels."""

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
        found = _cheapest(places, subject, avoided)
        if found is not None:
            return found
    return None


def nearest_point(point: QPointF, rects: Iterable[QRectF]) -> QPointF:
    """The point of these rectangles that is nearest to a point."""
    within = (_clamp(point, rect) for rect in rects)
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


def _cheapest(
    places: Iterable[QRectF], subject: QRectF, avoided: Sequence[Avoided]
) -> QRectF | None:
    """The place with the least cost; what it covers is only looked at while its way to the subject
    alone could still make it the best."""
    costs = [(_cost_of_way(place, subject), place) for place in places]
    costs.sort(key=itemgetter(0))
    best, least = None, inf
    for way, place in costs:
        if way >= least:
            break
        cost = way + sum(_shared_area(place, each.rect) * each.weight for each in avoided)
        if cost < least:
            best, least = place, cost
    return best


def _cost_of_way(place: QRectF, subject: QRectF) -> float:
    middle, aim = place.center(), subject.center()
    far = _clamp(middle, subject) - _clamp(aim, place)
    return PULL * (far.manhattanLength() + (middle - aim).manhattanLength() * 0.1)


def _sides(rect: QRectF) -> Sides:
    return rect.left(), rect.top(), rect.right(), rect.bottom()


def _clamp(point: QPointF, rect: QRectF) -> QPointF:
    """The point of a rectangle that is nearest to a point."""
    x = max(rect.left(), min(point.x(), rect.right()))
    return QPointF(x, max(rect.top(), min(point.y(), rect.bottom())))


def _shared_area(one: QRectF, other: QRectF) -> float:
    both = one.intersected(other)
    return both.width() * both.height() if both.isValid() else 0.0
