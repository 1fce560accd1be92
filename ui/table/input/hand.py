"""A person's choices at a table, by pointer or by key: choose, combine, answer.

It knows no rules: what may be done comes as offers, why not as a reason, what would come of it as a
preview. A hand's state is in `answer` and `selection`, its look in `presenter`; here they act on
each other.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPointF, QTimer, Signal

from tabletop.engine.model import Move, Reason
from tabletop.engine.refusals import NOT_ASKED, NOT_OFFERED
from tabletop.match import offer_matching as offered
from tabletop.match import tentative_cards as laid_aside
from tabletop.match.seat import Seat
from ui.table.animation.animator import Animator
from ui.table.input.drag import Drag
from ui.table.input.focus import Focus
from ui.table.input.lights import Lights
from ui.table.input.own_cards import OwnCards
from ui.table.input.pending_answer import PendingAnswer
from ui.table.input.presenter import Presenter
from ui.table.input.selection import CardSelection
from ui.table.items.card_item import CardItem
from ui.table.items.stage import Stage

PATIENCE = 100
"""Milliseconds for which nobody sees that an answer is on its way."""
GENERAL = (NOT_OFFERED.code, NOT_ASKED.code)
"""Codes of reasons that say nothing about the card itself."""


class Hand(QObject):
    """The hand of the player at the table."""

    refused = Signal(object)
    """Something could not be done: a Reason."""
    looked = Signal(object)
    """At the card of this number."""
    arranged = Signal(bool)
    """The cards put together so far are an answer, or are not yet."""
    acted = Signal(object)
    """A Move was sent."""
    delayed = Signal()
    """It is seen to be on its way (`Presenter.waits`), or not any more."""

    def __init__(self, stage: Stage, animator: Animator) -> None:
        super().__init__()
        self.stage = stage
        self.animator = animator
        self.lights = Lights(stage)
        self.focus = Focus(stage, self.lights)
        self.answer = PendingAnswer()
        self.selection = CardSelection(stage, self.answer, self.lights)
        self.presenter = Presenter(stage, animator, self.answer, self.selection, self.focus)
        self.selection.chosen.connect(self.play)
        self.selection.weighed.connect(self.presenter.turn_laid)
        self.own = OwnCards(stage, self.answer)
        self.drag: Drag | None = None
        self._stop: Callable[[], None] = lambda: None
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE)
        self._patience.timeout.connect(self._show_pending)

    # Sitting down, and updates

    def take(self, link: Seat | None) -> None:
        """Sit down with this link, or with None get up."""
        self.hear()
        self.focus.clear()
        self._stop()
        self._stop = link.on_refusal(self.refuse) if link is not None else lambda: None
        self.answer.link = link
        self.answer.gathering.arrangement = None
        if self.answer.pending is not None:
            self._patience.start()

    def hold(self, held: bool) -> None:
        """Nothing can be done until the table goes on, or it goes on."""
        if held == self.answer.held:
            return
        self.let_go()
        self.answer.held = held
        self.presenter.mark()
        self.presenter.light_bare()

    def hear(self) -> None:
        """Take in news of the seat: any unfinished move is over."""
        self._end_wait()
        self.let_go(relay=False)
        self.presenter.odds.clear()

    def _end_wait(self) -> bool:
        """No answer is seen to be on its way any more; whether one was."""
        self._patience.stop()
        waited, self.presenter.waits = self.presenter.waits, False
        return waited

    def take_up(self) -> None:
        """Have an arrangement while, and only while, a question asks for several cards."""
        if self.answer.gathering.take_up(self.stage.view):
            self.arranged.emit(self.answer.gathering.ready)

    # Deciding

    def play(self, move: Move) -> None:
        """Answer with this move. The cards wait on its target until the answer is heard."""
        link = self.answer.link
        if link is None:
            return
        self.let_go(relay=False)
        self._patience.start()
        link.send(move)
        self.acted.emit(move)

    def _show_pending(self) -> None:
        """The answer takes its time: let its cards wait where they go."""
        if self.answer.pending is not None:
            self.presenter.waits = True
            self.presenter.relay()
            self.delayed.emit()

    def refuse(self, reason: Reason) -> None:
        """Take back a refused answer: its cards go back, and the reason is shown."""
        if self._end_wait():
            self.delayed.emit()
        self.presenter.relay()
        self.presenter.light_bare()
        self.refused.emit(reason)

    def commit(self, verb: str = "") -> None:
        """Send what was put together (as this verb), where it is an answer."""
        moves = self.answer.gathering.moves(verb=verb)
        width, height = self.stage.size
        self._play_or_choose(moves, QPointF(width / 2, height / 2))

    def _play_or_choose(self, moves: list[Move], point: QPointF) -> bool:
        """Play the one move, or let one of several be chosen; whether there is any."""
        if self.selection.is_listed(moves):
            self.selection.choose(moves, point)
        elif moves:
            self.play(moves[0])
        return bool(moves)

    def light(self, move: Move) -> None:
        """Show a move without playing it: its cards, where they go, what would come of it."""
        self.cancel()
        items = [item for item in self.stage.items if item.card in move.cards]
        if items:
            self.select(items[0])
            for item in items[1:]:
                item.mark(selected=True)
        self.lights.show([move.target] if move.target else [])
        self.lights.near(move.target)
        chooser = self.selection.chooser
        if chooser is not None and move in chooser.moves:
            chooser.point(chooser.moves.index(move))

    def cancel(self) -> None:
        """Put down, choose nothing, close what is open."""
        self.let_go()
        self.presenter.light_bare()

    # Choosing a card, and where it goes

    def pick(self, item: CardItem) -> None:
        """Choose a card: light where it may go, or say why it may not."""
        self.cancel()
        if not item.known:
            return
        self.looked.emit(item.card)
        gathers = self.answer.gathering.wants(item.card)
        if gathers and not gathers.placed:
            self.toggle(item)
        elif gathers or offered.single(self.answer.offers, item.card):
            self.select(item)
        elif self.answer.offers:
            self.refuse_card(item)

    def refuse_card(self, item: CardItem) -> None:
        """Tilt a card that can do nothing now, and show the reason, where there is one."""
        reason = self.reason_against(item)
        if reason is not None:
            self.animator.tilt(item)
            self.refused.emit(reason)

    def reason_against(self, item: CardItem) -> Reason | None:
        """Return why this card can do nothing now; of another player's card only where the rules
        say something about it."""
        reason = self.answer.why(item.card)
        if reason is None or self.own.has(item.zone) or reason.code not in GENERAL:
            return reason
        return None

    def select(self, item: CardItem) -> None:
        """The card is chosen: all its targets light up."""
        self.selection.take(item)
        self.rise()
        self.presenter.odds.clear_places()
        self.selection.light()

    def act(self, zone: str, point: QPointF) -> bool:
        """Bring the chosen card (or, without one, the choice itself) to a lit place."""
        item, moves = self.selection.item, self.selection.moves_to(zone)
        if item is None:
            return self._play_or_choose(moves, point)
        if self.answer.gathering.wants(item.card) and not moves:
            self.arrange(item, zone)
            return True
        self.drop(item, zone, moves, point)
        return bool(moves)

    def drop(self, item: CardItem, zone: str, moves: list[Move], point: QPointF) -> None:
        """A card has come to a place that takes it: play, or let the rest be chosen."""
        if not moves:
            return
        if not self.selection.is_listed(moves):
            self.play(moves[0])
        else:
            self._unselect()
            self.selection.take(item)
            stays = laid_aside.stays(self.stage.prints.kit, moves[0])
            self.selection.laid = (item.card, item.zone if stays or not zone else zone)
            self.presenter.relay()
            item.mark(selected=True)
            self.selection.choose(moves, point, self.stage.rect(zone) if zone else None)

    # Putting several cards together

    def toggle(self, item: CardItem) -> None:
        """Put a card with the others, or take it back."""
        arrangement = self.answer.gathering.turn_to(item.card)
        arrangement.toggle(item.card)
        self._rearranged()
        if arrangement.chosen == [item.card] and offered.single(self.answer.offers, item.card):
            self.select(item)  # this one alone is an answer too
        elif self.answer.gathering.ready:
            self.lights.show(self.answer.gathering.lit())

    def turn(self, item: CardItem) -> None:
        """Lay a card that is being put together the next way round."""
        arrangement = self.answer.gathering.arrangement
        if arrangement is not None and item.card in self.answer.gathering.turning:
            arrangement.turn(item.card)
            self._rearranged()

    def arrange(self, item: CardItem, zone: str) -> None:
        """Put a card with the others at this place, or take it back to where it lies."""
        arrangement = self.answer.gathering.turn_to(item.card)
        if zone in arrangement.zones():
            arrangement.put(item.card, zone)
            self._rearranged()
        elif zone == self.selection.source(item.card):
            arrangement.take(item.card)
            self._rearranged()
        else:
            self.presenter.relay()

    def _rearranged(self) -> None:
        focus = self.focus.card
        self.let_go(relay=False)
        self.presenter.relay()
        if focus is not None:
            self.focus.on_card(focus)
        self.arranged.emit(self.answer.gathering.ready)

    # The cards on the table

    def rise(self) -> None:
        """The card under the pointer, else the focused or chosen one, is held up a little."""
        if self.drag is None:
            self.presenter.rise()

    def sort(self) -> None:
        """Lay the viewer's own cards in the order of the deck again."""
        if self.stage.view is not None:
            self.let_go(relay=False)
            self.own.sort()
            self.presenter.relay()

    def _unselect(self) -> None:
        self.selection.clear()
        if self.focus.place is not None:
            self.focus.clear()

    def let_go(self, relay: bool = True) -> None:
        """End any unfinished action of a person; with `relay`, everything moved goes back."""
        moved = self.selection.laid is not None or self.drag is not None
        self.selection.hovered = None
        if self.drag is not None:
            drag, self.drag = self.drag, None
            drag.end()
            self.stage.rest(drag.item)
        self._unselect()
        self.selection.laid = None
        raised, self.stage.raised = self.stage.raised, {}
        if relay and (moved or raised):
            self.presenter.relay()
