"""Keys at a table: walk, look, pick up, put down, choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, Qt

from tabletop.match.offer_matching import Options
from ui.table.input.magnifier import Magnifier
from ui.table.input.own_cards import OwnCards
from ui.table.input.selection_view import SelectionView
from ui.table.input.targets import target_rect
from ui.table.items.card_item import CardItem


class KeyboardController:
    """Moves the focus, and tells a choice what the pointer tells it."""

    def __init__(self, look: SelectionView, own: OwnCards, closer: Magnifier) -> None:
        self.look = look
        self.choice = look.choice
        self.own = own
        self.focus = look.focus
        self.closer = closer
        self.asked: Callable[[], bool] = lambda: False
        """Whether a question is asked by buttons."""
        self.answer: Callable[[int], bool] = lambda number: False
        """Gives the n-th answer to the question that is asked by buttons, if one is."""

    def next_zone(self, forward: bool) -> bool:
        """Move the focus to the next zone; whether there is one."""
        zones = self._from_own_hand(self.focus.zones())
        here = self.focus.card
        place = next((i for i, items in enumerate(zones) if here in items), None)
        if place is None:
            place = -1 if forward else len(zones)
        place += 1 if forward else -1
        if not 0 <= place < len(zones):
            self.focus.clear()
            return False
        self.look_at(zones[place][0])
        return True

    def _from_own_hand(self, zones: Sequence[Sequence[CardItem]]) -> list[Sequence[CardItem]]:
        """The zones in their order, from the viewer's own hand on round to it again."""
        own = self.own.hand()
        first = next((n for n, items in enumerate(zones) if own and own[0] in items), 0)
        return [*zones[first:], *zones[:first]]

    @property
    def hand_plays(self) -> bool:
        """Whether a card in the viewer's own hand can be played now."""
        return any(item.is_playable for item in self.own.hand())

    def walk(self, key: Qt.Key) -> None:
        """An arrow: step through the options, or move the focus that way."""
        choice, focus = self.choice, self.focus
        if self.options is not None:
            chooser = self.look.chooser
            rows = chooser.columns if chooser is not None else 1
            by = rows if key in (Qt.Key.Key_Up, Qt.Key.Key_Down) else 1
            choice.step(-by if key in (Qt.Key.Key_Left, Qt.Key.Key_Up) else by)
            return
        held = choice.card is not None and not choice.gathering.active
        own = self.own.hand() if focus.nowhere and not held else []
        if own:
            self.look_at(own[0])
            return
        moved = focus.move(key, places_only=held and bool(choice.targets))
        if moved and focus.card is not None:
            self.look_at(focus.card)

    @property
    def options(self) -> Options | None:
        """The options that the keys choose from, unless they still choose a place."""
        choice = self.choice
        return choice.options if choice.choosing or not choice.targets else None

    def look_at(self, item: CardItem) -> None:
        """Bring the focus to a card."""
        self.focus.on_card(item)
        self.closer.close()
        self.look.hovered = None
        self.look.rise()
        if item.is_known:
            self.closer.show_beside(item)

    def confirm(self) -> None:
        """Pick up, put down, or take the option being weighed."""
        if (options := self.options) is not None:
            self.choice.choose(options.pointed or 0)
            return
        place, item = self.focus.place, self.focus.card
        if place is not None:
            rect = target_rect(self.look.stage, place)
            if not self._act(place, rect.center() if rect else QPointF()):
                self._cancel()
        elif item is not None and item.is_known:
            self.press(item)

    def turn(self) -> None:
        """Turn the card whose way up is being chosen, else that in focus or under the pointer."""
        if self.look.chooser is not None and self.look.chooser.turning:
            self.choice.step(1)
            return
        item = self.focus.card or self.look.hovered
        if item is not None:
            self.choice.turn(item.card)

    def shift(self, steps: int) -> bool:
        """Lay the card in focus so many places further on among one's own; whether it may be."""
        item = self.focus.card
        if item is None or not self.own.shift(item, steps):
            return False
        self.look.bring_home()
        self.look_at(item)
        return True

    def press(self, item: CardItem) -> None:
        """Pick this card up, put it down, or put it with the others."""
        choice, focus = self.choice, self.focus
        if choice.gathering.joins(item.card) is not None:
            choice.toggle(item.card)
        elif item.card != choice.card:
            self.look.looked.emit(item.card)
            choice.pick(item.card)
            if choice.card is not None and choice.targets:
                focus.on_place(choice.targets[0])
        elif len(choice.targets) == 1:
            self._act(choice.targets[0], item.pos())
        elif choice.asks_again:
            self._act("", item.pos())
        else:
            self._cancel()

    def _act(self, zone: str, point: QPointF) -> bool:
        self.look.spot = point
        return self.choice.act(zone)

    def _cancel(self) -> None:
        self.closer.close()
        self.choice.cancel()

    def nth(self, number: int) -> None:
        """The n-th option or answer, or where neither is asked the n-th card of the hand."""
        if self.choice.laid is not None:
            self.choice.choose(number)
            return
        if self.answer(number):
            return
        hand = self.own.hand()
        if number < len(hand):
            self.look_at(hand[number])
            self.press(hand[number])
