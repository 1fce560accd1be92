"""The places of a choice's targets: at a point, under a card. "" is the whole table."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF

from tabletop.games.layout import Rect
from ui.table.items.stage import Stage
from ui.table.layout import geometry

MIN_OVERLAP_SHARE = 0.5
"""A target counts if the card covers so much of it, measured by the place it covers most."""
LEFT_HOME_SHARE = 0.3
"""A card has left its own place once less of it than this is there."""


def target_rect(stage: Stage, zone: str) -> QRectF | None:
    """The rectangle of a target in pixels; None where it is not laid out."""
    if zone or stage.placed is None:
        return stage.zone_rect(zone)
    return stage.to_pixels(geometry.play_area(stage.placed))


def target_at(stage: Stage, targets: Sequence[str], point: QPointF) -> str | None:
    """The target at this point; a zone before the table under it."""
    rects = ((zone, target_rect(stage, zone)) for zone in targets)
    zones = [zone for zone, rect in rects if rect is not None and rect.contains(point)]
    return next((zone for zone in zones if zone), "" if "" in zones else None)


def target_under(stage: Stage, targets: Sequence[str], card: QRectF, home: str) -> str | None:
    """The target on which a card from `home` over `card` (in pixels) would be dropped.

    Largest overlap, unless the card lies far more on a place that is none; the table counts only
    where the card has left its own zone.
    """
    setting = stage.placed
    if setting is None:
        return None
    rect, spreads = _in_card_units(stage, card), setting.spreads
    zone = geometry.most_covered_zone(setting, rect, [zone for zone in targets if zone])
    meant = geometry.most_covered_zone(setting, rect, spreads.keys() - {home})
    if zone is not None and meant is not None:
        covered, most = spreads[zone].rect.overlap(rect), spreads[meant].rect.overlap(rect)
        if covered < MIN_OVERLAP_SHARE * most:
            return None
    if zone is None and "" in targets:
        own = spreads.get(home)
        left = own is None or own.rect.overlap(rect) < LEFT_HOME_SHARE * rect.w * rect.h
        if left and geometry.play_area(setting).overlap(rect) > 0:
            return ""
    return zone


def zone_under(stage: Stage, card: QRectF) -> str | None:
    """The zone that a card over `card` covers most, whether it may lie there or not."""
    setting = stage.placed
    if setting is None:
        return None
    return geometry.most_covered_zone(setting, _in_card_units(stage, card), list(setting.spreads))


def _in_card_units(stage: Stage, card: QRectF) -> Rect:
    setting = stage.placed_table
    x, y = setting.card_units(card.x(), card.y())
    return Rect(x, y, card.width() / setting.unit, card.height() / setting.unit)
