"""The pointer at a table: look, pick up, carry, put down, choose."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QApplication, QGraphicsScene

from tabletop.match import offer_matching as offered
from ui.table.input import carrying
from ui.table.input.hand import Hand
from ui.table.input.magnifier import Magnifier
from ui.table.items.card_item import CardItem
from ui.table.items.piece_item import PictureItem


class Pointer:
    """Does with the hand what the keys do. Points are those of the scene."""

    def __init__(self, scene: QGraphicsScene, hand: Hand, closer: Magnifier) -> None:
        self.scene = scene
        self.hand = hand
        self.selection = hand.selection
        self.closer = closer
        self._pressed: tuple[CardItem | None, QPointF, QPointF] | None = None
        """The card that the button went down on, and where: in the scene, on the screen."""
        self._unlifted: QPointF | None = None
        """The pointer's place with the button down on a thing that cannot be carried."""
        self._kept: tuple[int, str] | None = None
        """The card that was carried when an event came, and its zone; the button is still down."""

    def forget(self) -> None:
        """Let the present press have no effect."""
        self._pressed = self._kept = self._unlifted = None

    @property
    def carried(self) -> tuple[int, str] | None:
        """The card that is carried, or was when an event came, and its zone."""
        drag = self.hand.drag
        if drag is not None and drag.item.known:
            return drag.item.card, drag.home
        return self._kept

    def keep(self, carried: tuple[int, str] | None) -> None:
        """Keep the carried card at an event, which ends every unfinished action: the card is taken
        up again afterwards, if it is still there and may still go somewhere."""
        self._kept = carried

    def card_at(self, point: QPointF) -> CardItem | None:
        """The card that lies uppermost at this point; none where a drawing covers the table."""
        for item in self.scene.items(point):
            if isinstance(item, PictureItem) and item.aloft:
                return None
            if isinstance(item, CardItem) and item.holds(point):
                return item
        return None

    def press(self, point: QPointF, screen: QPointF) -> None:
        """The left button goes down; in play by mouse nothing shows where the keys are."""
        self._kept = self._unlifted = None
        self.hand.focus.clear()
        if self._in_chooser(point):
            self._choose(point)
        elif not self._turned_at(point):
            self._pressed = (self.card_at(point), point, screen)

    def move(self, point: QPointF, screen: QPointF) -> None:
        """The pointer is here now."""
        if self.hand.drag is not None:
            carrying.carry(self.hand, point)
            return
        if self._kept is not None:
            self._take_up_again(point)
            return
        if self._unlifted is not None:
            self._unlifted = point
            return
        if self._pressed is None:
            self._weigh(point)
            return
        item, start, pressed = self._pressed
        if (screen - pressed).manhattanLength() >= QApplication.startDragDistance():
            self._pressed = None
            if item is not None and not carrying.lift(self.hand, item, start):
                self._unlifted = point
            carrying.carry(self.hand, point)

    def release(self) -> None:
        """The left button goes up."""
        self._kept = None
        if self.hand.drag is not None:
            carrying.put_down(self.hand)
        elif self._unlifted is not None:  # as a piece over a card of the table that is drawn there
            point, self._unlifted = self._unlifted, None
            if (zone := self.hand.lights.at(point)) is not None:
                self.hand.act(zone, point)
        elif self._pressed is not None:
            item, point, _ = self._pressed
            self._pressed = None
            self._click(item, point)

    def press_twice(self, point: QPointF) -> None:
        """The one obvious legal action of the card; where there are several, the choice."""
        item = self.card_at(point)
        if self._in_chooser(point):
            self._choose(point)
            return
        if self._turned_at(point) or item is None or not item.known:
            return
        if self.hand.answer.gathering.wants(item.card):
            self.hand.toggle(item)
            return
        moves = self.hand.answer.legal_of(item.card)
        if len({move.target for move in moves}) == 1:
            self.hand.drop(item, moves[0].target, moves, point)

    def hover(self, item: CardItem | None) -> None:
        """The pointer is over this card now, or over none."""
        if item is self.selection.hovered:
            return
        self.closer.close()
        self.selection.hovered = item
        self.hand.rise()
        if item is not None and item.known:
            self.closer.linger()

    def _in_chooser(self, point: QPointF) -> bool:
        return self.selection.chooser is not None and self.selection.chooser.covers(point)

    def _choose(self, point: QPointF) -> None:
        chooser = self.selection.chooser
        number = chooser.at(point) if chooser is not None else None
        if chooser is not None and number is not None and self.selection.decides:
            chooser.choose(number)

    def _turned_at(self, point: QPointF) -> bool:
        """Turn the card whose button for that lies at this point, if one does."""
        item = self.card_at(point)
        if item is None or not item.turner_at(point):
            return False
        self.hand.turn(item)
        return True

    def _weigh(self, point: QPointF) -> None:
        """The pointer moves freely."""
        if self.selection.chooser is not None and self.selection.chooser.covers(point):
            number = self.selection.chooser.at(point)
            if number is not None:
                self.selection.chooser.point(number)
            self.hover(None)
            return
        if self.hand.lights:
            self.selection.weigh(self.hand.lights.at(point))
        raised = self.selection.hovered
        if raised is None or not raised.reaches(point):
            self.hover(self.card_at(point))

    def _click(self, item: CardItem | None, point: QPointF) -> None:
        zone = self.hand.lights.at(point)
        again = item is not None and item is self.selection.item
        if zone is not None and self._picks(item) and self.hand.lights.is_quiet(zone):
            zone = None
        if zone is not None and not again and self.hand.act(zone, point):
            return
        if item is None:
            self._cancel()
        elif item is self.selection.item:
            if offered.targets(self.selection.chances) == [""] or self._lists():
                self.hand.act("", point)
            else:
                self._cancel()
        else:
            self.hand.pick(item)

    def _take_up_again(self, point: QPointF) -> None:
        """Once everything has stopped, bring the carried card back under the pointer."""
        assert self._kept is not None
        if self.hand.animator.running:
            return
        (card, zone), self._kept = self._kept, None
        item = self.hand.stage.item_of(card)
        if item is not None and item.zone == zone and self._picks(item):
            carrying.lift(self.hand, item, item.pos())
            carrying.carry(self.hand, point)

    def _picks(self, item: CardItem | None) -> bool:
        """Whether this card would be taken up, and can do something of its own."""
        if item is None or not item.known:
            return False
        return bool(offered.single(self.hand.answer.offers, item.card))

    def _lists(self) -> bool:
        """Whether another press on the chosen card offers what it may do without a place."""
        return self.selection.is_listed(self.selection.moves_to(""))

    def _cancel(self) -> None:
        self.closer.close()
        self.hand.cancel()
