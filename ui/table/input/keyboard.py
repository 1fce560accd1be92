"""Keyboard control of the table: moving the focus,
picking up and playing cards, and choosing options.
"""

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
    """Moves the focus and changes the selection like the pointer does."""

    def __init__(self, look: SelectionView, own: OwnCards, closer: Magnifier) -> None:
        self.selection_view = look
        self.choice = look.choice
        self.own_cards = own
        self.focus = look.focus
        self.magnifier = closer
        self.is_question_open: Callable[[], bool] = lambda: False
        """Returns whether buttons are shown that answer a question."""
        self.give_answer: Callable[[int], bool] = lambda number: False
        """Gives the answer with the given index to a question with buttons. Returns whether there
        is such a question.
        """
        self.give_only_answer: Callable[[], bool] = lambda: False
        """Gives the answer to a question that has only one button. Returns whether there is one."""

    def focus_next_zone(self, forward: bool) -> bool:
        """Move the focus to the next or previous zone. Return whether there is one."""
        zones = self._from_own_hand(self.focus.focusable_zones())
        here = self.focus.card_item
        place = next((i for i, items in enumerate(zones) if here in items), None)
        if place is None:
            place = -1 if forward else len(zones)
        place += 1 if forward else -1
        if not 0 <= place < len(zones):
            self.focus.clear()
            return False
        self.focus_card(zones[place][0])
        return True

    def _from_own_hand(self, zones: Sequence[Sequence[CardItem]]) -> list[Sequence[CardItem]]:
        """Return `zones` rotated so that the viewer's hand comes first."""
        own = self.own_cards.main_hand()
        first = next((n for n, items in enumerate(zones) if own and own[0] in items), 0)
        return [*zones[first:], *zones[:first]]

    @property
    def can_play_from_hand(self) -> bool:
        """Whether a card in the viewer's hand can be played now."""
        return any(item.is_playable for item in self.own_cards.main_hand())

    def press_arrow(self, key: Qt.Key) -> None:
        """Handle an arrow key: move through the options
        if there are any, otherwise move the focus.
        """
        choice, focus = self.choice, self.focus
        if self.options is not None:
            chooser = self.selection_view.chooser
            rows = chooser.columns if chooser is not None else 1
            by = rows if key in (Qt.Key.Key_Up, Qt.Key.Key_Down) else 1
            choice.step_highlight(-by if key in (Qt.Key.Key_Left, Qt.Key.Key_Up) else by)
            return
        held = choice.picked_up is not None and not choice.multi_selection.is_active
        own = self.own_cards.main_hand() if focus.is_empty and not held else []
        if own:
            self.focus_card(own[0])
            return
        moved = focus.move(key, places_only=held and bool(choice.targets))
        if moved and focus.card_item is not None:
            self.focus_card(focus.card_item)

    @property
    def options(self) -> Options | None:
        """The options that keys choose from; None if
        there are none or a target must be chosen first.
        """
        choice = self.choice
        return choice.options if choice.listed_verb or not choice.targets else None

    def focus_card(self, item: CardItem) -> None:
        """Move the focus to `item`, raise the card and show it enlarged."""
        self.focus.focus_card(item)
        self.magnifier.hide_card()
        self.selection_view.hovered_card = None
        self.selection_view.raise_cards()
        if item.is_known:
            self.magnifier.show_beside(item)

    def confirm(self) -> None:
        """Choose the highlighted option if there is
        one; otherwise pick up or play the focused card.

        While the table offers no move, give the only answer to the question.
        """
        if (options := self.options) is not None:
            self.choice.choose_option(options.highlighted or 0)
            return
        if not self.choice.offers and self.give_only_answer():
            return
        place, item = self.focus.zone, self.focus.card_item
        if place is not None:
            rect = target_rect(self.selection_view.stage, place)
            if not self._act(place, rect.center() if rect else QPointF()):
                self._cancel()
        elif item is not None and item.is_known:
            self.press_card(item)

    def turn_card(self) -> None:
        """Turn the card whose direction is being chosen; otherwise turn the focused card, or the
        card under the mouse.
        """
        if self.selection_view.chooser is not None and self.selection_view.chooser.turns_card:
            self.choice.step_highlight(1)
            return
        item = self.focus.card_item or self.selection_view.hovered_card
        if item is not None:
            self.choice.turn_card(item.card)

    def move_focused_card(self, steps: int) -> bool:
        """Move the focused card by `steps` positions
        within its zone. Return whether that is allowed.
        """
        item = self.focus.card_item
        if item is None or not self.own_cards.move_card(item, steps):
            return False
        self.selection_view.return_cards()
        self.focus_card(item)
        return True

    def press_card(self, item: CardItem) -> None:
        """Pick `item` up, put it down, or add it to the draft move."""
        choice, focus = self.choice, self.focus
        if choice.multi_selection.draft_accepting(item.card) is not None:
            choice.toggle_card(item.card)
        elif item.card != choice.picked_up:
            self.selection_view.viewed_card_changed.emit(item.card)
            choice.pick_or_toggle(item.card)
            if choice.picked_up is not None and choice.targets:
                focus.focus_zone(choice.targets[0])
        elif len(choice.targets) == 1:
            self._act(choice.targets[0], item.pos())
        elif choice.second_press_plays:
            self._act("", item.pos())
        else:
            self._cancel()

    def _act(self, zone: str, point: QPointF) -> bool:
        self.selection_view.last_point = point
        return self.choice.play_to(zone)

    def _cancel(self) -> None:
        self.magnifier.hide_card()
        self.choice.cancel()

    def press_number(self, number: int) -> None:
        """Choose the option or answer at index `number`; if no question is open, select the card of
        the hand at that index.
        """
        if self.choice.undecided is not None:
            self.choice.choose_option(number)
            return
        if self.give_answer(number):
            return
        hand = self.own_cards.main_hand()
        if number < len(hand):
            self.focus_card(hand[number])
            self.press_card(hand[number])
