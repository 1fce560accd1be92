"""The keyboard focus on the table: on a card, on a target zone, or on nothing."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt

from tabletop.engine.model import NO_CARD, is_face
from tabletop.match.choice import PlayerSelection
from ui.table.input.targets import target_rect
from ui.table.items.card_item import CardItem
from ui.table.items.light_items import FocusRingItem
from ui.table.items.stage import Stage

RING_Z = 1050.0

DIRECTIONS = {
    Qt.Key.Key_Left: QPointF(-1, 0),
    Qt.Key.Key_Right: QPointF(1, 0),
    Qt.Key.Key_Up: QPointF(0, -1),
    Qt.Key.Key_Down: QPointF(0, 1),
}


class KeyboardFocus:
    """The focus ring and the card or zone it surrounds."""

    def __init__(self, stage: Stage, choice: PlayerSelection) -> None:
        self.stage = stage
        self.choice = choice
        self.card_item: CardItem | None = None
        self.zone: str | None = None
        self._focused_card = NO_CARD
        """The number that the focused card had when it received the focus."""
        self._ring: FocusRingItem | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing has the focus."""
        return self.card_item is None and self.zone is None

    def focus_card(self, item: CardItem) -> None:
        """Move the focus to `item`."""
        self.clear()
        self.card_item, self._focused_card = item, item.card
        self._ring = FocusRingItem(self.stage.pixmaps.theme)
        self._ring.setParentItem(item)
        self._ring.surround(item.card_rect, item.width * 0.06)

    def focus_zone(self, zone: str) -> None:
        """Move the focus to the target `zone`, and aim the selection at it."""
        self.clear()
        rect = target_rect(self.stage, zone)
        if rect is None:
            return
        self.zone = zone
        self._ring = FocusRingItem(self.stage.pixmaps.theme)
        self._ring.setZValue(RING_Z)
        self._ring.surround(rect, 10)
        self.stage.scene.addItem(self._ring)
        self.choice.aim(zone)

    def clear(self) -> None:
        """Remove the focus."""
        self.stage.remove_item(self._ring)
        self._ring, self.card_item, self.zone = None, None, None

    def refresh(self) -> None:
        """Redraw the ring around its card, or remove it if the card is gone or was shuffled."""
        if self.card_item is not None:
            item = self.card_item
            lost = is_face(self._focused_card) and item.card != self._focused_card
            if item.scene() is self.stage.scene and item.isVisible() and not lost:
                self.focus_card(item)
            else:
                self.clear()
        elif self.zone is not None:
            self.clear()

    def focusable_cards(self) -> list[CardItem]:
        """Return the visible cards that can have the focus."""
        return [item for items in self.focusable_zones() for item in items]

    def focusable_zones(self) -> list[list[CardItem]]:
        """Return the visible cards of each zone in layout order; of a pile, only the top card."""
        placed = self.stage.placed
        return [
            seen for zone in (placed.zones if placed else ()) if (seen := self._visible_cards(zone))
        ]

    def _visible_cards(self, zone: str) -> list[CardItem]:
        seen = [item for item in self.stage.zones.get(zone, []) if item.isVisible()]
        return seen[-1:] if self.stage.zone_form(zone) == "pile" else seen

    def move(self, key: Qt.Key, places_only: bool) -> bool:
        """Move the focus to the nearest target (or card, unless `places_only`) in the direction of
        `key`. Return whether there is one.
        """
        ahead = DIRECTIONS[key]
        spots: list[tuple[QRectF, CardItem | str]] = []
        for zone in self.choice.targets:
            rect = target_rect(self.stage, zone)
            if rect is not None:
                spots.append((rect, zone))
        if not places_only:
            spots += [(item.sceneBoundingRect(), item) for item in self.focusable_cards()]
        here = self._middle()
        if here is None:
            nearest = next((spot for _, spot in spots), None)
        else:
            nearest = _nearest_spot(here, ahead, spots, self.card_item or self.zone)
        if nearest is None:
            return False
        if isinstance(nearest, CardItem):
            nearest = self._target_around(nearest) or nearest
        if isinstance(nearest, CardItem):
            self.focus_card(nearest)
        else:
            self.focus_zone(nearest)
        return True

    def _target_around(self, item: CardItem) -> str | None:
        """Return the target zone that contains `item`,
        or None if the focus is in that zone already.

        When the focus enters from outside, it goes to the zone before its cards, which may cover
        the zone's centre.
        """
        here = self._middle()
        for zone in self.choice.targets:
            rect = target_rect(self.stage, zone)
            if zone and rect is not None and rect.contains(item.sceneBoundingRect().center()):
                inside = here is not None and rect.contains(here)
                return None if inside or zone == self.zone else zone
        return None

    def _middle(self) -> QPointF | None:
        if self.card_item is not None:
            return self.card_item.pos()
        rect = target_rect(self.stage, self.zone) if self.zone is not None else None
        return rect.center() if rect is not None else None


def _nearest_spot(
    here: QPointF,
    ahead: QPointF,
    spots: Iterable[tuple[QRectF, CardItem | str]],
    without: CardItem | str | None,
) -> CardItem | str | None:
    """Return the zone or card of `spots` nearest to `here` in the direction `ahead`; sideways
    distance counts double.
    """
    best: tuple[float, CardItem | str | None] = (float("inf"), None)
    for rect, spot in spots:
        if spot is without:
            continue
        way = rect.center() - here
        along = way.x() * ahead.x() + way.y() * ahead.y()
        across = abs(way.x() * ahead.y()) + abs(way.y() * ahead.x())
        if along <= 2 or across > 2.5 * along:
            continue
        far = along + 2 * across
        if far < best[0]:
            best = (far, spot)
    return best[1]
