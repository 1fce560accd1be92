"""The keyboard's focus: on a card, on a target, or nowhere."""

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
    """The focus ring and the thing in it."""

    def __init__(self, stage: Stage, choice: PlayerSelection) -> None:
        self.stage = stage
        self.choice = choice
        self.card: CardItem | None = None
        self.place: str | None = None
        self._seen = NO_CARD
        """The card that the one in focus was when it came there."""
        self._ring: FocusRingItem | None = None

    @property
    def nowhere(self) -> bool:
        """Whether nothing has the focus."""
        return self.card is None and self.place is None

    def on_card(self, item: CardItem) -> None:
        """Move to a card."""
        self.clear()
        self.card, self._seen = item, item.card
        self._ring = FocusRingItem(self.stage.pixmaps.theme)
        self._ring.setParentItem(item)
        self._ring.surround(item.card_rect, item.width * 0.06)

    def on_place(self, zone: str) -> None:
        """Move to a target, and aim at it."""
        self.clear()
        rect = target_rect(self.stage, zone)
        if rect is None:
            return
        self.place = zone
        self._ring = FocusRingItem(self.stage.pixmaps.theme)
        self._ring.setZValue(RING_Z)
        self._ring.surround(rect, 10)
        self.stage.scene.addItem(self._ring)
        self.choice.aim(zone)

    def clear(self) -> None:
        """Hide the ring."""
        self.stage.remove_item(self._ring)
        self._ring, self.card, self.place = None, None, None

    def renew(self) -> None:
        """Fit the thing in it, which may have another size now, or be gone, as a card is that was
        shuffled among others."""
        if self.card is not None:
            item = self.card
            lost = is_face(self._seen) and item.card != self._seen
            if item.scene() is self.stage.scene and item.isVisible() and not lost:
                self.on_card(item)
            else:
                self.clear()
        elif self.place is not None:
            self.clear()

    def cards(self) -> list[CardItem]:
        """The cards the focus can be on: all that are seen."""
        return [item for items in self.zones() for item in items]

    def zones(self) -> list[list[CardItem]]:
        """The seen cards zone by zone, as the layout names them; of a pile the uppermost."""
        setting = self.stage.placed
        return [
            seen
            for zone in (setting.spreads if setting else ())
            if (seen := self._visible_cards(zone))
        ]

    def _visible_cards(self, zone: str) -> list[CardItem]:
        seen = [item for item in self.stage.zones.get(zone, []) if item.isVisible()]
        return seen[-1:] if self.stage.zone_form(zone) == "pile" else seen

    def move(self, key: Qt.Key, places_only: bool) -> bool:
        """Go to the nearest card or target in this direction; whether there is one."""
        ahead = DIRECTIONS[key]
        spots: list[tuple[QRectF, CardItem | str]] = []
        for zone in self.choice.targets:
            rect = target_rect(self.stage, zone)
            if rect is not None:
                spots.append((rect, zone))
        if not places_only:
            spots += [(item.sceneBoundingRect(), item) for item in self.cards()]
        here = self._middle()
        if here is None:
            nearest = next((spot for _, spot in spots), None)
        else:
            nearest = _nearest_spot(here, ahead, spots, self.card or self.place)
        if nearest is None:
            return False
        if isinstance(nearest, CardItem):
            nearest = self._target_around(nearest) or nearest
        if isinstance(nearest, CardItem):
            self.on_card(nearest)
        else:
            self.on_place(nearest)
        return True

    def _target_around(self, item: CardItem) -> str | None:
        """The target this card lies in, unless the focus is in that place already: from outside
        a place comes before its cards, which may hide its middle."""
        here = self._middle()
        for zone in self.choice.targets:
            rect = target_rect(self.stage, zone)
            if zone and rect is not None and rect.contains(item.sceneBoundingRect().center()):
                inside = here is not None and rect.contains(here)
                return None if inside or zone == self.place else zone
        return None

    def _middle(self) -> QPointF | None:
        if self.card is not None:
            return self.card.pos()
        rect = target_rect(self.stage, self.place) if self.place is not None else None
        return rect.center() if rect is not None else None


def _nearest_spot(
    here: QPointF,
    ahead: QPointF,
    spots: Iterable[tuple[QRectF, CardItem | str]],
    without: CardItem | str | None,
) -> CardItem | str | None:
    """Return the nearest spot in this direction; one off to the side counts as farther away."""
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
