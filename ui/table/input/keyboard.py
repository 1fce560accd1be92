"""Keys at a table: walk, look, pick up, put down, choose."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, Qt

from tabletop.match import offer_matching as offered
from ui.table.input.chooser import Chooser
from ui.table.input.hand import Hand
from ui.table.input.magnifier import Magnifier
from ui.table.items.card_item import CardItem


class Keyboard:
    """Moves the focus, and does with the hand what the pointer does."""

    def __init__(self, hand: Hand, closer: Magnifier) -> None:
        self.hand = hand
        self.selection = hand.selection
        self.closer = closer
        self.asked: Callable[[], bool] = lambda: False
        """Whether a question is asked by buttons."""
        self.answer: Callable[[int], bool] = lambda number: False
        """Gives the n-th answer to the question that is asked by buttons, if one is."""

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
        if (chooser := self._chooser) is not None:
            by = chooser.columns if key in (Qt.Key.Key_Up, Qt.Key.Key_Down) else 1
            chooser.step(-by if key in (Qt.Key.Key_Left, Qt.Key.Key_Up) else by)
            return
        focus = self.hand.focus
        held = self.selection.item is not None and not self.hand.answer.gathering.active
        own = self.hand.own.hand() if focus.nowhere and not held else []
        if own:
            self.look_at(own[0])
            return
        if not focus.move(key, places_only=held and bool(self.hand.lights)):
            return
        if focus.card is not None:
            self.look_at(focus.card)
        else:
            self.selection.weigh(focus.place)

    @property
    def _chooser(self) -> Chooser | None:
        """The list that the keys choose from, unless they still choose a place."""
        placed = self.selection.laid is not None or not self.hand.lights
        return self.selection.chooser if placed else None

    def look_at(self, item: CardItem) -> None:
        """Bring the focus to a card."""
        self.hand.focus.on_card(item)
        self.closer.close()
        self.selection.hovered = None
        self.hand.rise()
        if item.known:
            self.hand.looked.emit(item.card)

    def confirm(self) -> None:
        """Pick up, put down, or take the choice being weighed."""
        if (chooser := self._chooser) is not None:
            chooser.choose(chooser.pointed or 0)
            return
        place, item = self.hand.focus.place, self.hand.focus.card
        if place is not None:
            rect = self.hand.lights.rect(place)
            if not self.hand.act(place, rect.center() if rect else QPointF()):
                self._cancel()
        elif item is not None and item.known:
            self.press(item)

    def turn(self) -> None:
        """Turn the card whose way up is being chosen, else that in focus or under the pointer."""
        chooser = self.selection.chooser
        if chooser is not None and chooser.turning:
            chooser.step(1)
            return
        item = self.hand.focus.card or self.selection.hovered
        if item is not None:
            self.hand.turn(item)

    def shift(self, steps: int) -> bool:
        """Lay the card in focus so many places further on among one's own; whether it may be."""
        item = self.hand.focus.card
        if item is None or not self.hand.own.shift(item, steps):
            return False
        self.hand.presenter.relay()
        self.look_at(item)
        return True

    def _cancel(self) -> None:
        self.closer.close()
        self.hand.cancel()

    def press(self, item: CardItem) -> None:
        """Pick this card up, put it down, or put it with the others."""
        if self.hand.answer.gathering.wants(item.card):
            self.hand.toggle(item)
            return
        if item is self.selection.item:
            targets = offered.targets(self.selection.chances)
            if len(targets) == 1:
                self.hand.act(targets[0], item.pos())
            elif self.selection.is_listed(self.selection.moves_to("")):
                self.hand.act("", item.pos())
            else:
                self._cancel()
            return
        self.hand.pick(item)
        if self.hand.lights.zones and self.selection.item is not None:
            self.hand.focus.on_place(self.hand.lights.zones[0])
            self.selection.weigh(self.hand.focus.place)

    def nth(self, number: int) -> None:
        """The n-th choice or answer, or where neither is asked the n-th card of the hand."""
        chooser = self.selection.chooser
        if chooser is not None and self.selection.laid is not None:
            chooser.choose(number)
            return
        if self.answer(number):
            return
        hand = self.hand.own.hand()
        if number < len(hand):
            self.look_at(hand[number])
            self.press(hand[number])
