"""Finds the target at a point or under a card. The target "" is the whole table."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF

from tabletop.games.layout import Rect
from ui.table.items.stage import Stage
from ui.table.layout import geometry
from ui.table.layout.slots import make_slots

MIN_OVERLAP_SHARE = 0.5
"""Minimum overlap of a card with its target, as a
share of its overlap with the most covered zone.
"""
LEFT_HOME_SHARE = 0.3
"""Share of a card's area: if less of it overlaps its original zone, the card has left the zone."""


def target_rect(stage: Stage, zone: str) -> QRectF | None:
    """Return the rectangle of the target `zone` in pixels, or None if it isn't laid out."""
    if zone or stage.placed is None:
        return stage.zone_rect(zone)
    return stage.to_pixels(geometry.play_area(stage.placed))


def card_width_in(stage: Stage, zone: str) -> float | None:
    """Return the width in pixels of a card in `zone`, if `zone` is laid out."""
    placed = stage.placed
    spread = placed.zones.get(zone) if placed is not None else None
    if placed is None or spread is None:
        return None
    slots = spread.slots or make_slots(spread.place, spread.rect, 1)
    return slots[0].width * placed.unit


def target_at(stage: Stage, targets: Sequence[str], point: QPointF) -> str | None:
    """Return the target at `point`, or None; zones take precedence over the whole table."""
    rects = ((zone, target_rect(stage, zone)) for zone in targets)
    zones = [zone for zone, rect in rects if rect is not None and rect.contains(point)]
    return next((zone for zone in zones if zone), "" if "" in zones else None)


def target_under(stage: Stage, targets: Sequence[str], card: QRectF, home: str) -> str | None:
    """Return the target onto which a card from the zone `home` would be dropped, or None.

    `card` is the card's rectangle in pixels. The target with the largest overlap wins, unless the
    card covers another zone far more. The whole table is a target only if the card has left its
    original zone.
    """
    placed = stage.placed
    if placed is None:
        return None
    rect, spreads = _in_card_units(stage, card), placed.zones
    zone = geometry.most_covered_zone(placed, rect, [zone for zone in targets if zone])
    meant = geometry.most_covered_zone(placed, rect, spreads.keys() - {home})
    if zone is not None and meant is not None:
        covered, most = (
            spreads[zone].rect.overlap_area(rect),
            spreads[meant].rect.overlap_area(rect),
        )
        if covered < MIN_OVERLAP_SHARE * most:
            return None
    if zone is None and "" in targets:
        own = spreads.get(home)
        left = own is None or own.rect.overlap_area(rect) < LEFT_HOME_SHARE * rect.w * rect.h
        if left and geometry.play_area(placed).overlap_area(rect) > 0:
            return ""
    return zone


def zone_under(stage: Stage, card: QRectF) -> str | None:
    """Return the zone that the rectangle `card` (in
    pixels) covers most, whether it is a target or not.
    """
    placed = stage.placed
    if placed is None:
        return None
    return geometry.most_covered_zone(placed, _in_card_units(stage, card), list(placed.zones))


def _in_card_units(stage: Stage, card: QRectF) -> Rect:
    placed = stage.placed_table
    x, y = placed.to_card_units(card.x(), card.y())
    return Rect(x, y, card.width() / placed.unit, card.height() / placed.unit)
