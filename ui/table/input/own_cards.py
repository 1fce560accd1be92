"""The viewer's own cards and the order in which they are displayed."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF

from tabletop.match import offer_matching as offered
from tabletop.match.choice import PlayerSelection
from ui.table.items.card_item import CardItem
from ui.table.items.stage import Stage


class OwnCards:
    """The viewer's cards on a stage. A new order becomes visible with the next layout."""

    def __init__(self, stage: Stage, choice: PlayerSelection) -> None:
        self._stage = stage
        self._choice = choice

    def main_hand(self) -> list[CardItem]:
        """Return the cards of the viewer's zone with the most playable cards.

        If only cards in other zones are playable, such as a revealed one, return those.
        """
        table, placed = self._stage.placed, self._choice.multi_selection.placed
        spreads = table.zones if table is not None else {}
        playable = offered.playable_cards(self._choice.offers)
        owned: list[list[CardItem]] = []
        others: list[list[CardItem]] = []
        for zone, lying in self._stage.zones.items():
            reached = lying[-1:] if self._stage.zone_form(zone) == "pile" else lying
            items = [item for item in reached if item.card not in placed]
            if zone in spreads and self._choice.owns_zone(zone):
                owned.append(items)
            elif zone in spreads and any(item.card in playable for item in items):
                others.append(items)

        def count(items: list[CardItem]) -> int:
            return sum(item.card in playable for item in items)

        own = max(filter(None, owned), key=count, default=[])
        return own if count(own) or not others else max(others, key=count)

    def is_sortable(self, zone: str) -> bool:
        """Return whether the viewer may reorder the cards of `zone`."""
        view, put_together = self._stage.view, self._choice.multi_selection.draft
        if view is None or zone not in view.zones:
            return False
        if put_together is not None and zone in put_together.spot_zones():
            return False
        return view.zones[zone].loose and view.zones[zone].owner == view.viewer

    def move_card(self, item: CardItem, steps: int) -> bool:
        """Move `item` by `steps` positions within its zone. Return whether that is allowed."""
        if not item.is_known or not self.is_sortable(item.zone):
            return False
        items = self._stage.zones[item.zone]
        self._lay(item, max(0, min(items.index(item) + steps, len(items) - 1)))
        return True

    def place_near(self, item: CardItem, point: QPointF) -> None:
        """Move `item` to the position within its zone
        that is nearest to `point`, in scene coordinates.
        """
        placed = self._stage.placed_table
        x, y = placed.to_card_units(point.x(), point.y())
        slots = placed.zones[item.zone].slots
        self._lay(item, min(range(len(slots)), key=lambda n: math.dist(slots[n][:2], (x, y))))

    def reset_order(self) -> None:
        """Sort all own cards in deck order."""
        for zone in [name for name in self._stage.card_order if self._choice.owns_zone(name)]:
            del self._stage.card_order[zone]

    def _lay(self, item: CardItem, place: int) -> None:
        others = [one for one in self._stage.zones[item.zone] if one is not item]
        others.insert(place, item)
        self._stage.card_order[item.zone] = [one.card for one in others]
