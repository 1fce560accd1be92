"""Handles the mouse on the table as a state machine: idle, pressed, dragging or panning.

A release event may never arrive. Therefore a move without the button, another button, a lost focus,
an update or the end of the match ends the gesture without playing a move.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from tabletop.engine.model import Reason
from ui.table.input.carried_card import CarriedCard
from ui.table.input.magnifier import Magnifier
from ui.table.input.own_cards import OwnCards
from ui.table.input.selection_view import SelectionView
from ui.table.input.targets import card_width_in, target_at, target_under, zone_under
from ui.table.items.card_item import CardItem
from ui.table.items.piece_item import PictureItem

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
NOT_ALLOWED_HERE = Reason("You can't put it there.")


@dataclass
class PointerPress:
    """State: the left button was pressed on `item` (None if there is no card), and the mouse has
    hardly moved.
    """

    item: CardItem | None
    point: QPointF
    screen_point: QPointF


@dataclass
class PointerDrag:
    """State: the left button is down and the mouse has moved."""

    card: int | None
    """The known card being dragged. After an update, the next mouse movement lifts it again."""
    zone: str
    carried_card: CarriedCard | None
    """None if no card could be lifted, or if an update has put it back."""
    point: QPointF
    selection: tuple[int | None, str] = (None, "")
    """The selected card and pile at the start of the drag. If the selection changes, the card is
    put back.
    """


@dataclass
class PointerPan:
    """State: the middle button is down and pans the table."""

    screen_point: QPointF


class PointerGesture:
    """Turns mouse presses, moves and releases into changes of the selection. Points are in scene
    coordinates unless they are called `screen`.
    """

    def __init__(
        self,
        look: SelectionView,
        own: OwnCards,
        closer: Magnifier,
        examine: Callable[[int], object],
    ) -> None:
        """`examine`: shows the board of the player whose plaque was clicked."""
        self.selection_view = look
        self.choice = look.choice
        self.stage = look.stage
        self.own_cards = own
        self.magnifier = closer
        self.examine = examine
        self.phase: PointerPress | PointerDrag | PointerPan | None = None
        """The gesture in progress; None while idle."""
        self.choice.changed.add(lambda _: self._drop_if_deselected())

    @property
    def carried_card(self) -> CarriedCard | None:
        """The card being dragged."""
        return self.phase.carried_card if isinstance(self.phase, PointerDrag) else None

    def card_at(self, point: QPointF) -> CardItem | None:
        """Return the topmost card at `point`, or None; an overlay drawing hides all cards."""
        for item in self.stage.scene.items(point):
            if isinstance(item, PictureItem) and item.is_overlay:
                return None
            if isinstance(item, CardItem) and item.contains_scene_point(point):
                return item
        return None

    # State machine

    def press(self, button: Qt.MouseButton, point: QPointF, screen: QPointF) -> bool:
        """Handle a mouse button press. Return whether the press did nothing but cancel a drag."""
        dragged = isinstance(self.phase, PointerDrag)
        if self.phase is not None and button is not MIDDLE:
            self.cancel()
            if button is not LEFT:
                return dragged
        if button is MIDDLE and self._button is not LEFT:
            self.phase = PointerPan(screen)
        elif button is LEFT:
            self.selection_view.focus.clear()  # hide the focus ring during mouse use
            item = self.card_at(point)
            if not self._press_on_list(point) and not self._press_turn_button(item, point):
                self.phase = PointerPress(item, point, screen)
        return False

    def move(self, point: QPointF, screen: QPointF, buttons: Qt.MouseButton) -> None:
        """Handle a mouse movement to `point` while `buttons` are down."""
        if self.phase is not None and not buttons & self._button:
            self.cancel()  # another widget received the release
        match self.phase:
            case PointerPan(screen_point=before):
                self.phase.screen_point = screen
                self.pan(screen - before)
            case PointerPress(item=item, point=start, screen_point=before):
                if (screen - before).manhattanLength() >= QApplication.startDragDistance():
                    self._lift_card(item, start)
                    self._drag_to(point)
            case PointerDrag():
                self._drag_to(point)
            case None:
                self._hover_at(point)

    def release(self, button: Qt.MouseButton) -> None:
        """Handle the release of a mouse button."""
        if button is not self._button:
            return
        state = self.phase
        if not isinstance(state, PointerDrag) or state.carried_card is None:
            self.phase = None
        match state:
            case PointerPress(item=item, point=point):
                self._click(item, point)
            case PointerDrag(carried_card=None, card=None, point=point):
                # a drawn piece lies over the card
                zone = target_at(self.stage, self.choice.targets, point)
                if zone is not None:
                    self._act(zone, point)
            case PointerDrag(carried_card=CarriedCard() as carried_card):
                self._drop(carried_card)

    def cancel(self) -> None:
        """Cancel the gesture and put a dragged card back."""
        state, self.phase = self.phase, None
        if isinstance(state, PointerDrag) and state.carried_card is not None:
            self._release_card(state.carried_card)
            self.choice.cancel()

    def suspend(self) -> None:
        """Handle an update of the match: cancel a press, and put a dragged card back temporarily.

        The next mouse movement lifts the card again if it can still be moved.
        """
        state = self.phase
        if isinstance(state, PointerDrag) and state.carried_card is not None:
            carried, state.carried_card = state.carried_card, None
            self._release_card(carried)
            at_home = zone_under(self.stage, carried.rect) == carried.home_zone
            if at_home and self.own_cards.is_sortable(carried.home_zone):
                self.own_cards.place_near(carried.item, carried.rect.center())
            if state.card is not None:
                return
        if not isinstance(state, PointerPan):
            self.phase = None

    def _drop_if_deselected(self) -> None:
        """Put a dragged card back if a key or button has deselected it."""
        state, picked = self.phase, (self.choice.picked_up, self.choice.pile)
        if (
            not isinstance(state, PointerDrag)
            or state.carried_card is None
            or state.selection == picked
        ):
            return
        self.phase = None
        self._release_card(state.carried_card)
        self.selection_view.draw()

    @property
    def _button(self) -> Qt.MouseButton:
        """The button of the current gesture; `NoButton` if there is none."""
        if self.phase is None:
            return Qt.MouseButton.NoButton
        return MIDDLE if isinstance(self.phase, PointerPan) else LEFT

    def pan(self, by: QPointF) -> None:
        """Scroll the table by `by` pixels within its bounds."""
        for view in self.stage.scene.views():
            across, down = view.horizontalScrollBar(), view.verticalScrollBar()
            across.setValue(across.value() - round(by.x()))
            down.setValue(down.value() - round(by.y()))

    # Carrying

    def _lift_card(self, item: CardItem | None, point: QPointF) -> None:
        """Start dragging `item` if it can be played or sorted."""
        choice = self.choice
        self.phase = PointerDrag(None, "", None, point)
        if item is None:
            return
        if not item.is_known:
            if item is not self.stage.zones[item.zone][-1] or not choice.pick_up_top(item.zone):
                return
        elif choice.multi_selection.draft_accepting(
            item.card
        ) is not None or choice.is_playable_alone(item.card):
            choice.pick_up(item.card)
        elif self.own_cards.is_sortable(item.zone):
            choice.cancel()
        else:
            self._refuse_to_lift(item)
            return
        if item.is_known:
            self.selection_view.viewed_card_changed.emit(item.card)
        self.selection_view.animator.finish_glide()  # or its end would put the card back
        self.selection_view.hovered_card, self.selection_view.carried_card = None, item
        carried = CarriedCard(self.stage, item, point, self.selection_view.carried_card_moved.emit)
        card, picked = item.card if item.is_known else None, (choice.picked_up, choice.pile)
        self.phase = PointerDrag(card, item.zone, carried, point, picked)

    def _refuse_to_lift(self, item: CardItem) -> None:
        """Show why `item` can't be played, unless the user is choosing a zone and clicked a card
        that lies in it.
        """
        choice = self.choice
        if choice.targets and choice.picked_up is None and not choice.owns_zone(item.zone):
            return
        if choice.offers and choice.reason_card_is_idle(item.card) is not None:
            choice.cancel()
            choice.report_idle_card(item.card)

    def _drag_to(self, point: QPointF) -> None:
        """Move the dragged card to `point`. If an update has put it back, lift it again once
        animations have finished.
        """
        state = self.phase
        assert isinstance(state, PointerDrag)
        state.point = point
        if (
            state.carried_card is None
            and state.card is not None
            and not self.selection_view.animator.is_running
        ):
            item = self.stage.item_of(state.card)
            self.phase = None
            if (
                item is not None
                and item.zone == state.zone
                and self.choice.is_playable_alone(item.card)
            ):
                self._lift_card(item, item.pos())
        if (carried := self.carried_card) is not None:
            carried.move(point)
            target = self._target_under(carried)
            self.choice.aim(target)
            if self.carried_card is carried:
                width = card_width_in(self.stage, target) if target is not None else None
                animator = self.selection_view.animator
                carried.fit_to(width, animated=animator.duration_factor > 0)

    def _drop(self, carried: CarriedCard) -> None:
        """Drop the dragged card: play it, add it to the draft move, reorder it within its zone, or
        return it.
        """
        choice, item = self.choice, carried.item
        acted = choice.aimed_zone is not None and self._act(choice.aimed_zone, item.pos())
        if self.carried_card is not None:  # still carried after the update
            self._release_card(carried)
            if acted:
                self.selection_view.draw()
        self.phase = None
        if acted:
            return
        under = zone_under(self.stage, carried.rect)
        sorts = self.own_cards.is_sortable(item.zone) and under in (item.zone, None)
        if sorts:
            self.own_cards.place_near(item, item.pos())
        choice.cancel()
        if not sorts and under != item.zone:
            choice.refused.notify(
                choice.explain_refusal(item.card, under or "") or NOT_ALLOWED_HERE
            )

    def _target_under(self, carried: CarriedCard) -> str | None:
        """Return the target under a dragged card, or
        None; also None if the card can only be reordered.
        """
        targets = self.choice.targets if self.choice.is_busy else []
        return target_under(self.stage, targets, carried.rect, carried.home_zone)

    def _release_card(self, carried: CarriedCard) -> None:
        carried.put_down()
        self.selection_view.release_card()

    # Clicking

    def double_click(self, point: QPointF) -> None:
        """Play the card at `point` if it has one obvious move; otherwise list its moves.

        Also cancels a gesture whose release event was lost.
        """
        self.cancel()
        item = self.card_at(point)
        if self._press_on_list(point) or self._press_turn_button(item, point):
            return
        if item is not None and item.is_known:
            self.selection_view.last_point = point
            self.choice.play_obvious_move(item.card)

    def _click(self, item: CardItem | None, point: QPointF) -> None:
        choice = self.choice
        card = item.card if item is not None and item.is_known else None
        again = card is not None and card == choice.picked_up
        zone = target_at(self.stage, choice.targets, point)
        if (
            zone is not None
            and card is not None
            and choice.is_quiet(zone)
            and choice.is_playable_alone(card)
        ):
            zone = None
        if zone is not None and not again and self._act(zone, point):
            return
        if again and choice.second_press_plays:
            self._act("", point)
        elif card is None or again:
            self.magnifier.hide_card()
            bare = item is None and not choice.is_busy
            seat = self.stage.background.seat_at(point) if bare else None
            choice.cancel()
            if seat is not None:
                self.examine(seat)
        else:
            self.selection_view.viewed_card_changed.emit(card)
            choice.pick_or_toggle(card)

    def _act(self, zone: str, point: QPointF) -> bool:
        self.selection_view.last_point = point
        return self.choice.play_to(zone)

    def _press_on_list(self, point: QPointF) -> bool:
        """Choose the option at `point` of the open list. Return whether `point` is on the list."""
        chooser = self.selection_view.chooser
        if chooser is None or not chooser.contains(point):
            return False
        number = chooser.option_at(point)
        if number is not None and self.choice.options_are_final:
            self.choice.choose_option(number)
        return True

    def _press_turn_button(self, item: CardItem | None, point: QPointF) -> bool:
        """Turn `item` if `point` is on its turn button. Return whether it is."""
        if item is None or not item.turn_button_at(point):
            return False
        self.choice.turn_card(item.card)
        return True

    # Hovering

    def _hover_at(self, point: QPointF) -> None:
        """Update highlights after the mouse moved to `point` without a pressed button."""
        chooser = self.selection_view.chooser
        if chooser is not None and chooser.contains(point):
            number = chooser.option_at(point)
            if number is not None:
                self.choice.highlight_option(number)
            self.hover(None)
            return
        self.choice.aim(target_at(self.stage, self.choice.targets, point))
        raised = self.selection_view.hovered_card
        if raised is None or not raised.is_under_pointer(point):
            self.hover(self.card_at(point))

    def hover(self, item: CardItem | None) -> None:
        """Set the card under the mouse; None if there is none."""
        if item is self.selection_view.hovered_card:
            return
        self.magnifier.hide_card()
        self.selection_view.hovered_card = item
        self.selection_view.raise_cards()
        if item is not None and item.is_known:
            self.magnifier.start_hover_timer()
