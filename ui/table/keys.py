"""What the keys do at a table: walk, look, pick up, put down, choose."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt

from ui.table import offered
from ui.table.card_item import CardItem
from ui.table.closer import Closer
from ui.table.hand import Hand


class Keys:
    """Moves the focus, and does with the hand what the pointer does."""

    def __init__(self, hand: Hand, closer: Closer) -> None:
        self.hand = hand
        self.closer = closer

    def next_zone(self, forward: bool) -> bool:
        """Move the focus to the next zone; whether there is one."""
        zones = self.hand.focus.zones()
        here = self.hand.focus.card
        place = next((i for i, items in enumerate(zones) if here in items), None)
        if place is None:
            place = -1 if forward else len(zones)
        place += 1 if forward else -1
        if not 0 <= place < len(zones):
            self.hand.focus.clear()
            return False
        self.look_at(zones[place][0])
        return True

    def walk(self, key: Qt.Key) -> None:
        """An arrow: step through the choices, or move the focus that way."""
        if self.hand.chooser is not None and (self.hand.laid is not None or not self.hand.lights):
            back = key in (Qt.Key.Key_Left, Qt.Key.Key_Up)
            self.hand.chooser.step(-1 if back else 1)
            return
        held = self.hand.selected is not None and not self.hand.gathering
        if self.hand.focus.card is None and self.hand.focus.place is None:
            hand = self.hand.own()
            if hand and not held:
                self.look_at(hand[0])
                return
        focus = self.hand.focus
        if not focus.move(key, places_only=held and bool(self.hand.lights)):
            return
        if focus.card is not None:
            self.look_at(focus.card)
        else:
            self.hand.weigh(focus.place)

    def look_at(self, item: CardItem) -> None:
        """Bring the focus to a card."""
        self.hand.focus.on_card(item)
        self.closer.close()
        self.hand.hovered = None
        self.hand.rise()
        if item.known:
            self.hand.looked.emit(item.card)

    def confirm(self) -> None:
        """Pick up, put down, or take the choice being weighed."""
        if self.hand.chooser is not None and (self.hand.laid is not None or not self.hand.lights):
            self.hand.chooser.choose(self.hand.chooser.pointed or 0)
            return
        place, item = self.hand.focus.place, self.hand.focus.card
        if place is not None:
            rect = self.hand.lights.rect(place)
            if not self.hand.act(place, rect.center() if rect else QPointF()):
                self._cancel()
        elif item is not None and item.known:
            self._confirm_card(item)

    def turn(self) -> None:
        """Turn the card whose way up is being chosen, else that in focus or under the pointer."""
        if self.hand.chooser is not None and self.hand.chooser.turning:
            self.hand.chooser.step(1)
            return
        item = self.hand.focus.card or self.hand.hovered
        if item is not None:
            self.hand.turn(item)

    def _cancel(self) -> None:
        self.closer.close()
        self.hand.cancel()

    def _confirm_card(self, item: CardItem) -> None:
        if self.hand.gathers(item):
            self.hand.toggle(item)
            return
        if item is self.hand.selected:
            targets = offered.targets(self.hand.chances)
            if len(targets) == 1:
                self.hand.act(targets[0], item.pos())
            else:
                self._cancel()
            return
        self.hand.pick(item)
        if self.hand.lights.zones and self.hand.selected is not None:
            self.hand.focus.on_place(self.hand.lights.zones[0])
            self.hand.weigh(self.hand.focus.place)

    def nth(self, number: int) -> None:
        """The n-th choice, or the n-th card of the hand."""
        if self.hand.chooser is not None and self.hand.decides and self.hand.laid is not None:
            self.hand.chooser.choose(number)
            return
        hand = self.hand.own()
        if number < len(hand):
            self.look_at(hand[number])
            self._confirm_card(hand[number])
