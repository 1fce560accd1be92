"""The pointer's gesture: idle, pressed, dragging or panning, from the press until the release.

It is right when the release never comes: a move without the button, another button, a lost focus,
an update or the end of the table end it, and nothing is played by that.
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
from ui.table.input.targets import target_at, target_under, zone_under
from ui.table.items.card_item import CardItem
from ui.table.items.piece_item import PictureItem

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
NOT_ALLOWED_HERE = Reason("You can't put it there.")


@dataclass
class PointerPress:
    """The left button went down on a card, or on none; it has hardly moved since."""

    item: CardItem | None
    point: QPointF
    screen: QPointF


@dataclass
class PointerDrag:
    """The left button is down and has moved."""

    card: int | None
    """The known card that is carried; after an update it is taken up again with the next move."""
    zone: str
    carried: CarriedCard | None
    """None where nothing could be lifted, or the card waits to be taken up again."""
    point: QPointF
    picked: tuple[int | None, str] = (None, "")
    """What the choice had picked up for it; once that is another, the card goes back."""


@dataclass
class PointerPan:
    """The middle button moves the whole table."""

    screen: QPointF


class PointerGesture:
    """Turns presses, moves and releases into what a choice is told. Points are the scene's."""

    def __init__(
        self,
        look: SelectionView,
        own: OwnCards,
        closer: Magnifier,
        examine: Callable[[int], object],
    ) -> None:
        """`examine` shows the board of a player whose plaque was pressed."""
        self.look = look
        self.choice = look.choice
        self.stage = look.stage
        self.own = own
        self.closer = closer
        self.examine = examine
        self.state: PointerPress | PointerDrag | PointerPan | None = None
        """None while idle."""
        self.choice.changed.add(lambda _: self._give_way())

    @property
    def carried(self) -> CarriedCard | None:
        """The card in the hand of the pointer."""
        return self.state.carried if isinstance(self.state, PointerDrag) else None

    def card_at(self, point: QPointF) -> CardItem | None:
        """The card that lies uppermost at this point; none where a drawing covers the table."""
        for item in self.stage.scene.items(point):
            if isinstance(item, PictureItem) and item.aloft:
                return None
            if isinstance(item, CardItem) and item.contains_scene_point(point):
                return item
        return None

    # The machine

    def press(self, button: Qt.MouseButton, point: QPointF, screen: QPointF) -> bool:
        """A button goes down; whether it only ended what another one had begun."""
        dragged = isinstance(self.state, PointerDrag)
        if self.state is not None and button is not MIDDLE:
            self.cancel()
            if button is not LEFT:
                return dragged
        if button is MIDDLE and self._button is not LEFT:
            self.state = PointerPan(screen)
        elif button is LEFT:
            self.look.focus.clear()  # in play by mouse nothing shows where the keys are
            item = self.card_at(point)
            if not self._press_on_list(point) and not self._turn_card(item, point):
                self.state = PointerPress(item, point, screen)
        return False

    def move(self, point: QPointF, screen: QPointF, buttons: Qt.MouseButton) -> None:
        """The pointer is here now, with these buttons down."""
        if self.state is not None and not buttons & self._button:
            self.cancel()  # something else took the release
        match self.state:
            case PointerPan(screen=before):
                self.state.screen = screen
                self.pan(screen - before)
            case PointerPress(item=item, point=start, screen=before):
                if (screen - before).manhattanLength() >= QApplication.startDragDistance():
                    self._lift(item, start)
                    self._carry(point)
            case PointerDrag():
                self._carry(point)
            case None:
                self._hover_at(point)

    def release(self, button: Qt.MouseButton) -> None:
        """A button goes up."""
        if button is not self._button:
            return
        state = self.state
        if not isinstance(state, PointerDrag) or state.carried is None:
            self.state = None
        match state:
            case PointerPress(item=item, point=point):
                self._click(item, point)
            case PointerDrag(carried=None, card=None, point=point):
                # as a piece over a card of the table that is drawn there
                zone = target_at(self.stage, self.choice.targets, point)
                if zone is not None:
                    self._act(zone, point)
            case PointerDrag(carried=CarriedCard() as carried):
                self._drop(carried)

    def cancel(self) -> None:
        """End the gesture: what was carried goes back, and nothing comes of it."""
        state, self.state = self.state, None
        if isinstance(state, PointerDrag) and state.carried is not None:
            self._put_down(state.carried)
            self.choice.cancel()

    def interrupt(self) -> None:
        """An update comes: a press has no effect any more, and a card that is carried is put back,
        to be taken up again if it is still there and may still go somewhere."""
        state = self.state
        if isinstance(state, PointerDrag) and state.carried is not None:
            carried, state.carried = state.carried, None
            self._put_down(carried)
            at_home = zone_under(self.stage, carried.rect) == carried.home
            if at_home and self.own.sortable(carried.home):
                self.own.lay_near(carried.item, carried.rect.center())
            if state.card is not None:
                return
        if not isinstance(state, PointerPan):
            self.state = None

    def _give_way(self) -> None:
        """Let go of a card that the choice has put down meanwhile, by a key or a button."""
        state, picked = self.state, (self.choice.card, self.choice.pile)
        if not isinstance(state, PointerDrag) or state.carried is None or state.picked == picked:
            return
        self.state = None
        self._put_down(state.carried)
        self.look.draw()

    @property
    def _button(self) -> Qt.MouseButton:
        """The button of the gesture that is under way."""
        if self.state is None:
            return Qt.MouseButton.NoButton
        return MIDDLE if isinstance(self.state, PointerPan) else LEFT

    def pan(self, by: QPointF) -> None:
        """Move the table by so many pixels, as far as it is larger than the window."""
        for view in self.stage.scene.views():
            across, down = view.horizontalScrollBar(), view.verticalScrollBar()
            across.setValue(across.value() - round(by.x()))
            down.setValue(down.value() - round(by.y()))

    # Carrying

    def _lift(self, item: CardItem | None, point: QPointF) -> None:
        """Take a card up, if anything can be done with it: to be played, or to be laid elsewhere
        among those of its own place."""
        choice = self.choice
        self.state = PointerDrag(None, "", None, point)
        if item is None:
            return
        if not item.is_known:
            if item is not self.stage.zones[item.zone][-1] or not choice.pick_top(item.zone):
                return
        elif choice.gathering.joins(item.card) is not None or choice.picks(item.card):
            choice.take(item.card)
        elif self.own.sortable(item.zone):
            choice.cancel()
        else:
            self._refuse_to_lift(item)
            return
        if item.is_known:
            self.look.looked.emit(item.card)
        self.look.hovered, self.look.held = None, item
        carried = CarriedCard(self.stage, item, point)
        card, picked = item.card if item.is_known else None, (choice.card, choice.pile)
        self.state = PointerDrag(card, item.zone, carried, point, picked)

    def _refuse_to_lift(self, item: CardItem) -> None:
        """Leave a card that can do nothing now, and show the reason; not where a place is to be
        chosen, and the card only happens to be there."""
        choice = self.choice
        if choice.targets and choice.card is None and not choice.owns(item.zone):
            return
        if choice.offers and choice.reason_against(item.card) is not None:
            choice.cancel()
            choice.refuse_card(item.card)

    def _carry(self, point: QPointF) -> None:
        """Bring what is carried here; after an update, once everything has stopped, take it up
        again first."""
        state = self.state
        assert isinstance(state, PointerDrag)
        state.point = point
        if state.carried is None and state.card is not None and not self.look.animator.is_running:
            item = self.stage.item_of(state.card)
            self.state = None
            if item is not None and item.zone == state.zone and self.choice.picks(item.card):
                self._lift(item, item.pos())
        if (carried := self.carried) is not None:
            carried.move(point)
            self.choice.aim(self._target_under(carried))

    def _drop(self, carried: CarriedCard) -> None:
        """Let a card go where it is: it is played, put together, sorted, or goes home."""
        choice, item = self.choice, carried.item
        acted = choice.aimed is not None and self._act(choice.aimed, item.pos())
        if self.carried is not None:  # neither news nor what was made of it has put it down
            self._put_down(carried)
            if acted:
                self.look.draw()
        self.state = None
        if acted:
            return
        under = zone_under(self.stage, carried.rect)
        sorts = self.own.sortable(item.zone) and under in (item.zone, None)
        if sorts:
            self.own.lay_near(item, item.pos())
        choice.cancel()
        if not sorts and under != item.zone:
            choice.refused.tell(choice.why(item.card, under or "") or NOT_ALLOWED_HERE)

    def _target_under(self, carried: CarriedCard) -> str | None:
        """The target of a card that is to be played; one that is only sorted has none."""
        targets = self.choice.targets if self.choice.busy else []
        return target_under(self.stage, targets, carried.rect, carried.home)

    def _put_down(self, carried: CarriedCard) -> None:
        carried.put_down()
        self.look.let_go()

    # Clicking

    def press_twice(self, point: QPointF) -> None:
        """The one obvious legal action of the card; where there are several, the choice. It ends
        what another button has begun, or a press whose release was lost."""
        self.cancel()
        item = self.card_at(point)
        if self._press_on_list(point) or self._turn_card(item, point):
            return
        if item is not None and item.is_known:
            self.look.spot = point
            self.choice.do_obvious(item.card)

    def _click(self, item: CardItem | None, point: QPointF) -> None:
        choice = self.choice
        card = item.card if item is not None and item.is_known else None
        again = card is not None and card == choice.card
        zone = target_at(self.stage, choice.targets, point)
        if zone is not None and card is not None and choice.is_quiet(zone) and choice.picks(card):
            zone = None
        if zone is not None and not again and self._act(zone, point):
            return
        if again and choice.asks_again:
            self._act("", point)
        elif card is None or again:
            self.closer.close()
            bare = item is None and not choice.busy
            seat = self.stage.background.seat_at(point) if bare else None
            choice.cancel()
            if seat is not None:
                self.examine(seat)
        else:
            self.look.looked.emit(card)
            choice.pick(card)

    def _act(self, zone: str, point: QPointF) -> bool:
        self.look.spot = point
        return self.choice.act(zone)

    def _press_on_list(self, point: QPointF) -> bool:
        """Take the move of the open list at this point; whether the list is there."""
        chooser = self.look.chooser
        if chooser is None or not chooser.covers(point):
            return False
        number = chooser.option_at(point)
        if number is not None and self.choice.decides:
            self.choice.choose(number)
        return True

    def _turn_card(self, item: CardItem | None, point: QPointF) -> bool:
        """Turn a card whose button for that is at this point; whether it is."""
        if item is None or not item.turn_button_at(point):
            return False
        self.choice.turn(item.card)
        return True

    # Looking

    def _hover_at(self, point: QPointF) -> None:
        """The pointer moves freely."""
        chooser = self.look.chooser
        if chooser is not None and chooser.covers(point):
            number = chooser.option_at(point)
            if number is not None:
                self.choice.point(number)
            self.hover(None)
            return
        self.choice.aim(target_at(self.stage, self.choice.targets, point))
        raised = self.look.hovered
        if raised is None or not raised.is_under_pointer(point):
            self.hover(self.card_at(point))

    def hover(self, item: CardItem | None) -> None:
        """The pointer is over this card now, or over none."""
        if item is self.look.hovered:
            return
        self.closer.close()
        self.look.hovered = item
        self.look.rise()
        if item is not None and item.is_known:
            self.closer.linger()
