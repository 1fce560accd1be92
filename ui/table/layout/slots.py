"""Computes the card slots of a zone: in a fan, a row, a pile and so on. No Qt.

Lengths are in card widths, angles in degrees clockwise,
and a slot's position is the centre of the card.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from tabletop.games.layout import CARD_HEIGHT, Pair, Place, Rect

FAN_ANGLE = 3.0
FAN_SPREAD = 28.0
OPEN_FAN_STEP = 1.04
"""Distance between the cards of a fan if there is enough space, in card widths."""
CLOSED_FAN_STEP = 0.745
"""The same for the opponent's fan, whose cards are hidden."""
MIN_APART_SCALE = 0.65
"""Smallest scale of cards with names in their middle,
which cover each other's names at smaller sizes instead.
"""
RAISED_LIFT = 0.12
"""Distance by which a raised card protrudes from a fan, in widths of that card."""
MAT_PADDING = 0.1
MAX_PILE_CARDS = 3
VISIBLE_STRIP = 0.32
"""Height of a card's part that stays visible under the next card, in card widths."""


class Slot(NamedTuple):
    """The position of a card: its centre, angle, width and z order. `is_visible` is false if other
    cards cover it.
    """

    x: float
    y: float
    angle: float
    width: float
    z: float
    is_visible: bool = True
    height_ratio: float = CARD_HEIGHT
    """The card's height, as a share of its width."""

    @property
    def bounds(self) -> Rect:
        """The bounding rectangle of the rotated card."""
        turn = math.radians(self.angle)
        across, down = abs(math.cos(turn)), abs(math.sin(turn))
        w = self.width * (across + self.height_ratio * down)
        h = self.width * (down + self.height_ratio * across)
        return Rect(self.x - w / 2, self.y - h / 2, w, h)


def card_area(place: Place, caption: float) -> Rect:
    """Return the part of a `Place` entry that cards use, below a caption of height `caption`."""
    if place.mat == "none" or place.form == "fan":
        pad, top = 0.0, 0.0
    else:
        pad, top = MAT_PADDING, caption if place.caption or place.count else MAT_PADDING
    top += caption if place.label and not place.is_grid else 0.0
    x, y, w, h = place.at
    return Rect(x + pad, y + top, w - 2 * pad, h - top - pad)


def outline_count(place: Place, inner: Rect, seats: int) -> int:
    """Return the number of card outlines in a `Place` entry at a table of `seats` players.

    If the entry doesn't give it, it is the number of cards that fit side by side.
    """
    if not place.outline:
        return 0
    if place.outlines:
        return place.outlines[min(seats, len(place.outlines)) - 1]
    if place.form == "points":
        return len(place.points)
    if place.form != "row":
        return 1
    w, _ = _lying_size(place.card, place.lie)
    return max(1, int((inner.w + place.gap + 1e-6) / (w + place.gap)))


def mirror_slot(slot: Slot, inner: Rect, lying: bool) -> Slot:
    """Return `slot` as seen by the player opposite; `lying` cards are turned by 180 degrees."""
    x, y = inner.centre
    angle = slot.angle + 180 if lying else slot.angle
    return slot._replace(x=2 * x - slot.x, y=2 * y - slot.y, angle=angle)


def _lying_size(card: float, lie: str) -> Pair:
    height = card * (1.0 if lie == "square" else CARD_HEIGHT)
    return (height, card) if lie == "side" else (card, height)


@lru_cache(maxsize=4096)
def make_slots(
    place: Place, inner: Rect, count: int, raised: int | None = None, fan: float = 1.0
) -> tuple[Slot, ...]:
    """Return the slots of `count` cards in the area `inner` of a `Place` entry.

    `raised` is the index of the raised card. Cards in
    a fan are scaled by `fan` if there is enough space.
    """
    if count == 0:
        return ()
    if place.form == "fan":
        return _fan_slots(inner, count, place, raised, fan)
    if place.form == "grid":
        slots = _wrap(place, inner, count)
    elif place.form == "cascade":
        slots = _cascade_places(place, inner, count)
    elif place.form == "points":
        slots = [
            (inner.x + place.points[i % len(place.points)][0],
             inner.y + place.points[i % len(place.points)][1], place.card)
            for i in range(count)
        ]  # fmt: skip
    else:
        slots = _line_up(place, inner, count)
    angle = place.tilt + (-90 if place.lie == "side" else 0)
    shown = MAX_PILE_CARDS if place.form in ("pile", "cell") else count
    height_ratio = _lying_size(1.0, "square" if place.lie == "square" else "upright")[1]
    return tuple(
        Slot(x, y, angle, card, float(i), i >= count - shown, height_ratio)
        for i, (x, y, card) in enumerate(slots)
    )


def _fitting_width(place: Place, inner: Rect) -> float:
    """Return the card width of a `Place` entry, reduced if the area `inner` is too small for it."""
    w, h = _lying_size(1.0, place.lie)
    return min(place.card, inner.w / w, inner.h / h)


def _line_up(place: Place, inner: Rect, count: int) -> list[tuple[float, float, float]]:
    card = _fitting_width(place, inner)
    w, h = _lying_size(card, place.lie)
    x, y = inner.centre
    match place.form:
        case "row":
            step = _card_step(w + place.gap, inner.w - w, count)
            length = w + step * (count - 1)
            start = inner.x if place.align == "left" else x - length / 2
            return [(start + w / 2 + i * step, y, card) for i in range(count)]
        case "column" | "stack":
            step = _card_step(
                h + place.gap if place.form == "column" else VISIBLE_STRIP, inner.h - h, count
            )
            length = h + step * (count - 1)
            start = inner.y if place.align == "left" or place.form == "stack" else y - length / 2
            rows = range(count - 1, -1, -1) if place.upward else range(count)
            return [(x, start + h / 2 + i * step, card) for i in rows]
        case _:
            levels = [max(0, i - (count - min(count, MAX_PILE_CARDS))) for i in range(count)]
            top = min(count, MAX_PILE_CARDS) - 1
            rise = 0.025 * card
            return [
                (x + (top / 2 - level) * rise, y + (top / 2 - level) * rise, card)
                for level in levels
            ]


def _card_step(wanted: float, room: float, count: int) -> float:
    """Return the distance between neighbouring cards: `wanted`, or less if `count` cards need more
    than `room`.
    """
    return min(wanted, max(room, 0.0) / (count - 1)) if count > 1 else 0.0


def _wrap(place: Place, inner: Rect, count: int) -> list[tuple[float, float, float]]:
    """Return (x, y, card width) for each card, in
    the number of rows that shows the cards largest.
    """
    best: tuple[float, int] = (0.0, 1)
    for rows in range(1, count + 1):
        columns = math.ceil(count / rows)
        w, h = _lying_size(1.0, place.lie)
        fit = min(
            place.card,
            (inner.w - (columns - 1) * place.gap) / columns / w,
            (inner.h - (rows - 1) * place.gap) / rows / h,
        )
        best = max(best, (fit, -rows))
    card, rows = best[0], -best[1]
    columns = math.ceil(count / rows)
    w, h = _lying_size(card, place.lie)
    x, y = inner.centre
    top = y - (rows * h + (rows - 1) * place.gap) / 2
    width = columns * w + (columns - 1) * place.gap
    left = inner.x if place.align == "left" else x - width / 2
    return [
        (
            left + w / 2 + i % columns * (w + place.gap),
            top + h / 2 + i // columns * (h + place.gap),
            card,
        )
        for i in range(count)
    ]


def _cascade_places(place: Place, inner: Rect, count: int) -> list[tuple[float, float, float]]:
    """Return (x, y, card width) for each card, in
    columns of overlapping cards filled row by row.
    """
    card = _fitting_width(place, inner)
    w, h = _lying_size(card, place.lie)
    columns = max(1, int((inner.w + place.gap + 1e-6) / (w + place.gap)))
    rows = math.ceil(count / columns)
    step = _card_step(VISIBLE_STRIP, inner.h - h, rows)
    columns_used = min(count, columns)
    length = columns_used * w + (columns_used - 1) * place.gap
    left = inner.x if place.align == "left" else inner.centre[0] - length / 2
    return [
        (
            left + w / 2 + i % columns * (w + place.gap),
            inner.y + h / 2 + i // columns * step,
            card,
        )
        for i in range(count)
    ]


def _fan_slots(
    inner: Rect, count: int, place: Place, raised: int | None, larger: float
) -> tuple[Slot, ...]:
    """Return the slots of a hand: an arc inside the rectangle, curved towards its owner."""
    card, across, apart = place.card * larger, place.across, place.apart
    lift = 0.0 if across else RAISED_LIFT * card
    angle = min(FAN_ANGLE, FAN_SPREAD / max(count - 1, 1))
    card = min(card, (inner.h - lift) / CARD_HEIGHT, inner.w)
    if apart:
        outer = math.radians(angle * (count - 1) / 2)
        ends = math.cos(outer) + CARD_HEIGHT * math.sin(outer)
        card = min(
            card, max(card * MIN_APART_SCALE, inner.w / (ends + OPEN_FAN_STEP * (count - 1)))
        )
    while True:
        slots = _arc(inner, count, card, angle, across)
        height = max(slot.bounds.bottom for slot in slots) - min(slot.bounds.y for slot in slots)
        if height + lift <= inner.h + 1e-9:
            break
        angle = angle - 0.5 if angle > 0.5 else 0.0
        if angle == 0.0:
            slots, height = _arc(inner, count, card, 0.0, across), card * CARD_HEIGHT
            break
    first = min(slot.bounds.y for slot in slots)
    down = inner.y + lift + (inner.h - lift - height) / 2 - first
    slots = [slot._replace(y=slot.y + down) for slot in slots]
    if across:
        x, y = inner.centre
        slots = [s._replace(x=2 * x - s.x, y=2 * y - s.y, angle=s.angle + 180) for s in slots]
    elif raised is not None and raised < count:
        slots = _with_raised(inner, slots, raised, lift)
    return tuple(slots)


def _arc(inner: Rect, count: int, card: float, angle: float, across: bool) -> list[Slot]:
    x, y = inner.centre
    outer = math.radians(angle * (count - 1) / 2)
    end = card * math.cos(outer) + card * CARD_HEIGHT * math.sin(outer)
    step = _card_step(card * (CLOSED_FAN_STEP if across else OPEN_FAN_STEP), inner.w - end, count)
    radius = step / math.sin(math.radians(angle)) if angle else 0.0
    slots = []
    for i in range(count):
        off = i - (count - 1) / 2
        turn = math.radians(off * angle)
        dx = radius * math.sin(turn) if angle else off * step
        slots.append(Slot(x + dx, y + radius * (1 - math.cos(turn)), off * angle, card, float(i)))
    return slots


def _with_raised(inner: Rect, spots: list[Slot], raised: int, lift: float) -> list[Slot]:
    """Return the slots with the card at index `raised` lifted and its neighbours moved aside."""
    made = []
    for i, slot in enumerate(spots):
        if i == raised:
            made.append(slot._replace(y=slot.y - lift, z=len(spots) + 1.0))
            continue
        bounds = slot.bounds
        room = inner.right - bounds.right if i > raised else bounds.x - inner.x
        aside = min(0.16 * slot.width, max(room, 0.0))
        made.append(slot._replace(x=slot.x + (aside if i > raised else -aside)))
    return made
