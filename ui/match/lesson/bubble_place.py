"""Finds a place for a bubble that is near its subject and doesn't cover what the reader needs."""

from collections.abc import Iterable, Iterator, Sequence
from math import inf
from operator import itemgetter
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSizeF

GAP_PX = 10.0
"""The gap between the bubble and the rectangles that it must not cover."""
STEP_PX = 28.0
"""The distance between two candidate positions."""
DISTANCE_COST = 40.0
"""The cost of each pixel of distance from the subject, in covered square pixels."""
EDGE_PX = 6.0
"""The gap between the bubble and the edge of the table."""

Sides = tuple[float, float, float, float]
"""Left, top, right and bottom coordinates of a rectangle."""


class Avoided(NamedTuple):
    """A rectangle that a bubble should avoid, and the cost of each square pixel that it covers."""

    rect: QRectF
    weight: float


def find_bubble_place(
    sizes: Iterable[QSizeF],
    subject: QRectF,
    room: QRectF,
    never: Sequence[QRectF],
    avoided: Sequence[Avoided],
) -> QRectF | None:
    """Return the best rectangle for the bubble within `room`.

    Args:
        sizes: The bubble's possible sizes. The first one that fits is used.
        subject: The rectangle near which the bubble should be.
        never: Rectangles that the bubble must not cover.
        avoided: Rectangles that the bubble should avoid if possible.

    Returns:
        None if the bubble would cover some of `never` in every size.
    """
    taken = [_sides(rect.adjusted(-GAP_PX, -GAP_PX, GAP_PX, GAP_PX)) for rect in never]
    for size in sizes:
        places = _free_places(size, room.adjusted(EDGE_PX, EDGE_PX, -EDGE_PX, -EDGE_PX), taken)
        found = _cheapest(places, subject, avoided)
        if found is not None:
            return found
    return None


def nearest_point(point: QPointF, rects: Iterable[QRectF]) -> QPointF:
    """Return the point within any of `rects` that is nearest to `point`."""
    within = (_clamp(point, rect) for rect in rects)
    return min(within, key=lambda each: (each - point).manhattanLength())


def _free_places(size: QSizeF, room: QRectF, taken: Sequence[Sides]) -> Iterator[QRectF]:
    """Yield rectangles of `size` within `room` that don't overlap `taken`.

    They are at regular intervals, and directly beside each rectangle in `taken`.
    """
    w, h = size.width(), size.height()
    lefts = _candidate_starts(room.left(), room.right() - w, [(t[0] - w, t[2]) for t in taken])
    tops = _candidate_starts(room.top(), room.bottom() - h, [(t[1] - h, t[3]) for t in taken])
    for x in lefts:
        right = x + w
        columns = [t for t in taken if t[0] < right and x < t[2]]
        for y in tops:
            bottom = y + h
            if not any(top < bottom and y < low for _, top, _, low in columns):
                yield QRectF(x, y, w, h)


def _candidate_starts(
    first: float, last: float, beside: Iterable[tuple[float, float]]
) -> list[float]:
    """Return sorted start positions between `first` and `last`.

    They are at regular intervals, and directly beside each obstacle in `beside`.
    """
    steps = [first + STEP_PX * n for n in range(int(max(0.0, last - first) // STEP_PX) + 1)]
    every = {last, *steps, *(each for pair in beside for each in pair)}
    return sorted(each for each in every if first <= each <= last)


def _cheapest(
    places: Iterable[QRectF], subject: QRectF, avoided: Sequence[Avoided]
) -> QRectF | None:
    """Return the place with the lowest cost, or None if there are no places.

    Places are sorted by the cost of distance, so that the search can stop once that alone exceeds
    the lowest total cost so far.
    """
    costs = [(_distance_cost(place, subject), place) for place in places]
    costs.sort(key=itemgetter(0))
    best, min_cost = None, inf
    for distance_cost, place in costs:
        if distance_cost >= min_cost:
            break
        cost = distance_cost + sum(_shared_area(place, each.rect) * each.weight for each in avoided)
        if cost < min_cost:
            best, min_cost = place, cost
    return best


def _distance_cost(place: QRectF, subject: QRectF) -> float:
    middle, aim = place.center(), subject.center()
    far = _clamp(middle, subject) - _clamp(aim, place)
    return DISTANCE_COST * (far.manhattanLength() + (middle - aim).manhattanLength() * 0.1)


def _sides(rect: QRectF) -> Sides:
    return rect.left(), rect.top(), rect.right(), rect.bottom()


def _clamp(point: QPointF, rect: QRectF) -> QPointF:
    """Return the point within `rect` that is nearest to `point`."""
    x = max(rect.left(), min(point.x(), rect.right()))
    return QPointF(x, max(rect.top(), min(point.y(), rect.bottom())))


def _shared_area(one: QRectF, other: QRectF) -> float:
    both = one.intersected(other)
    return both.width() * both.height() if both.isValid() else 0.0
