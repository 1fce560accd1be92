"""The look of a choice: lights, tentative cards, marks, previews. It decides nothing."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, QRectF, QTimer, Signal

from tabletop.engine.model import Move, State
from tabletop.match import offer_matching as offered
from tabletop.match.choice import PlayerSelection
from tabletop.match.offer_matching import Offers
from tabletop.match.tentative_cards import TentativeCards
from ui.table.animation.animator import NUDGE_MS, RETURN_MS, Animator
from ui.table.input.chooser import OptionChooser
from ui.table.input.focus import KeyboardFocus
from ui.table.input.ghost_hand import GhostHand
from ui.table.input.hand_line import HandLine
from ui.table.input.odds import OddsTags
from ui.table.input.target_lights import TargetLights
from ui.table.items.card_item import CardItem
from ui.table.items.stage import Stage

PENDING_DELAY_MS = 100
"""Milliseconds for which nobody sees that an answer is on its way."""


class SelectionView(QObject):
    """Draws a choice on the stage whenever it has changed."""

    looked = Signal(object)
    """The card of this number is looked at; none any more, where it is None."""
    listed = Signal()
    """A list of choices has come or gone."""
    delayed = Signal()
    """An answer is seen to be on its way (`waits`), or not any more."""

    def __init__(self, stage: Stage, animator: Animator, choice: PlayerSelection) -> None:
        super().__init__()
        self.stage = stage
        self.animator = animator
        self.choice = choice
        self.lights = TargetLights(stage)
        verbs = stage.pixmaps.kit.words.verbs.values()
        self.odds = OddsTags(stage) if any(verb.odds for verb in verbs) else None
        """The odds beside cards and places, in a game that has any."""
        self.hand_line = HandLine(stage)
        self.focus = KeyboardFocus(stage, choice)
        self.chooser: OptionChooser | None = None
        """The open list of choices."""
        self.hand: GhostHand | None = None
        """The hand that shows the advised move."""
        self.hovered: CardItem | None = None
        """The card under the pointer."""
        self.held: CardItem | None = None
        """The card that the pointer carries: it is nowhere else."""
        self.spot: QPointF | None = None
        """The point where a person did what was done last."""
        self.waits = False
        """Whether the answer on its way is shown: its cards lie dimmed where they go."""
        self._patience = QTimer(self, singleShot=True, interval=PENDING_DELAY_MS)
        self._patience.timeout.connect(self._show_pending)
        self._laid_for: tuple[object, ...] | None = None
        """The tentative cards that the cards were laid out with (`_tentative_key`)."""
        self._tagged: Offers | None = None
        """The offers whose odds are shown."""
        choice.changed.add(lambda _: self.draw())
        choice.unable.add(self._tilt)

    def settle(self, glides: bool = False) -> None:
        """Make the table equal to the view, with the choice upon it; an own answer that others
        don't see yet `glides` to where it waits."""
        view = self.stage.view
        if view is None:
            return
        waiting = {card: target for card, target in self._tentative(view).waiting if glides}
        moved = [
            item for item in self.stage.items if item.zone != waiting.get(item.card, item.zone)
        ]
        seen = {item: item.placement for item in self.stage.items if moved and item.isVisible()}
        self.stage.show_view(view, self.shown())
        for item in seen.keys() & set(self.stage.items):
            item.placement = seen[item]
        if moved:
            self._glide(RETURN_MS)
        self.renew()

    def renew(self) -> None:
        """Show the choice on cards and places that are drawn again."""
        self._laid_for = self._tentative_key
        self.forget()
        self.focus.renew()
        self.draw()

    def draw(self) -> None:
        """Show the choice as it is now; while events are played, once they are over."""
        if self.stage.view is None or self.animator.is_running:
            return
        if self.focus.place is not None and self.focus.place not in self.choice.targets:
            self.focus.clear()
        self._light_targets()
        self._list_moves()
        if self._pending is not None and not self.waits:
            if not self._patience.isActive():
                self._patience.start()
            return  # most answers are heard at once: the table stays as it is until then
        if self._pending is None and self._end_wait():
            self.delayed.emit()
        if self._laid_for != self._tentative_key:
            self.bring_home()
        self._turn_on_target()
        self.rise()
        self._mark_cards()
        self._tag_odds()
        self._show_hand()

    def clear(self) -> None:
        """Take everything off the table that belongs to a choice, and leave the cards."""
        self._end_wait()
        self._show_hand()
        self.forget()
        self._close()
        self.hovered = None
        self.stage.raised = {}
        if self.focus.place is not None:
            self.focus.clear()
        for item in self.stage.items:
            item.set_marks(playable=False, selected=False)
            item.is_dimmed = False

    @property
    def _pending(self) -> Move | None:
        """The answer that is on its way."""
        return self.choice.seat.pending if self.choice.seat is not None else None

    def _show_pending(self) -> None:
        """The answer takes its time: let its cards wait where they go."""
        if self._pending is not None:
            self.waits = True
            self.draw()
            self.delayed.emit()

    def _end_wait(self) -> bool:
        """No answer is seen to be on its way any more; whether one was."""
        self._patience.stop()
        waited, self.waits = self.waits, False
        return waited

    def let_go(self) -> None:
        """The carried card lies somewhere, and goes where it belongs when this is drawn again."""
        self.held, self._laid_for = None, None

    def forget(self) -> None:
        """Have lights and odds drawn again: places are of another size, or of other colours."""
        self.lights.clear()
        self.hand_line.clear()
        if self.odds is not None:
            self.odds.clear()
        self._tagged = None

    # Cards

    def shown(self) -> State:
        """The view with what this seat has put elsewhere for the time being; the stage turns what
        is turned, and draws the values that are foreseen."""
        stage, choice = self.stage, self.choice
        assert stage.view is not None
        tentative = self._tentative(stage.view)
        stage.turned = tentative.turned
        stage.foreseen = choice.gathering.foresee(stage.foreseen, choice.preview)
        return tentative.shown

    def _tentative(self, view: State) -> TentativeCards:
        return self.choice.tentative_cards(view, self._pending if self.waits else None)

    @property
    def _tentative_key(self) -> tuple[object, ...]:
        """Differs once cards are to lie elsewhere, as after a move that was refused."""
        arrangement = self.choice.gathering.arrangement
        together = arrangement.key if arrangement is not None else ()
        return (*together, self._pending if self.waits else None, self.choice.laid)

    def bring_home(self) -> None:
        """Bring every card to where it lies now, from wherever it is."""
        if self.stage.view is None or self.choice.seat is None or self.animator.is_running:
            return
        self._laid_for = self._tentative_key
        self.stage.sync_cards(self.shown())
        self.stage.raised = self._raised_cards()
        self._glide(RETURN_MS)
        if self.focus.card is not None:
            self.focus.renew()
        self._mark_cards()

    def rise(self) -> None:
        """The card under the pointer, else the focused or picked one, is held up a little."""
        if self.animator.is_running or self.stage.view is None or self.held is not None:
            return
        raised = self._raised_cards()
        if raised != self.stage.raised:
            self.stage.raised = raised
            self._glide(NUDGE_MS)

    def _raised_cards(self) -> dict[str, int]:
        raised = {}
        for item in (self._picked, self.focus.card, self.hovered):
            items = self.stage.zones.get(item.zone, []) if item is not None else []
            if item is not None and item in items:
                raised[item.zone] = items.index(item)
        return raised

    def _turn_on_target(self) -> None:
        """Turn the card on its target as the move being weighed would turn it."""
        if self.stage.view is None or self.choice.laid is None:
            return
        turned = self._tentative(self.stage.view).turned
        if self.stage.turned != turned:
            self.stage.turned = turned
            self._glide(NUDGE_MS)

    def _glide(self, length: float) -> None:
        self.stage.lay_out()
        self.animator.glide(self.stage.slots(), length)

    def _tilt(self, card: int) -> None:
        item = self.stage.item_of(card)
        if item is not None:
            self.animator.shake(item)

    @property
    def _advice(self) -> Move | None:
        """The advice, while nothing of the person's own is shown instead."""
        hidden = self.choice.busy or self.held is not None
        return None if hidden else self.choice.advice

    @property
    def _picked(self) -> CardItem | None:
        """The card that is picked up, or the first one of an advised move."""
        cards = (self.choice.card,) if self._advice is None else self._advice.cards
        return next(
            (item for item in self.stage.items if item.is_known and item.card in cards), None
        )

    def _mark_cards(self) -> None:
        """Show which cards may be played, which are chosen or advised, and which wait."""
        choice, view = self.choice, self.stage.view
        if view is None:
            return
        gathering = choice.gathering
        playable = offered.playable_cards(choice.offers).difference(gathering.placed)
        chosen = {choice.card, *gathering.chosen, *(self._advice.cards if self._advice else ())}
        waiting = {card for card, _ in self._tentative(view).waiting}
        wholly, turning = self.hand_line.draw(playable), gathering.turning
        for item in self.stage.items:
            item.set_marks(
                playable=item.card in playable,
                selected=item.card in chosen,
                turns=item.card in turning,
                alike=item.zone in wholly,
            )
            item.is_dimmed = item.card in waiting
            item.setOpacity(item.resting_opacity)

    # Lights, lists and previews

    def _light_targets(self) -> None:
        """Light the targets; the one that is advised stronger, beside all others."""
        choice, lights = self.choice, self.lights
        if choice.busy or choice.gathering.chosen:
            lights.show(choice.targets)
        else:
            places, advice = choice.targets, self._advice
            shown = {advice.target} if advice is not None else set()
            quiet = {zone for zone in places if zone not in shown and choice.is_quiet(zone)}
            lights.show(places, quiet=quiet, bare=True)
        advised = self._advice.target if self._advice is not None else None
        lights.set_near(choice.aimed if choice.aimed is not None else advised)

    def _show_hand(self) -> None:
        """Show the advised move as a ghost hand, or none."""
        self.stage.remove_item(self.hand)
        self.hand = None
        if self._advice is not None:
            hand = GhostHand(self.stage, self._advice)
            if hand.exists:
                self.hand = hand
                self.stage.scene.addItem(hand)

    def _list_moves(self) -> None:
        """Show the moves being weighed, and what would come of the one that is pointed at."""
        options, seat = self.choice.options, self.choice.seat
        if options is None or seat is None:
            self._close()
            return
        if self.chooser is None or not self.chooser.shows(options):
            self._close()
            self.chooser = OptionChooser(self.stage, seat, options, *self._place)
            self.listed.emit()
        self.chooser.point(options.pointed)
        self.lights.make_room(self.chooser.preview)

    @property
    def _place(self) -> tuple[QPointF | None, QRectF | None]:
        """Where a list that decides is opened, and the place beside that; another has its own."""
        choice = self.choice
        if not choice.choosing or choice.options is None:
            return None, None
        target = choice.options.moves[0].target
        middle = QPointF(self.stage.size[0] / 2, self.stage.size[1] / 2)
        at = self.spot if target or choice.card is not None else None
        return at or middle, self.stage.zone_rect(target) if choice.card is not None else None

    def _close(self) -> None:
        if self.chooser is not None:
            self.chooser.close()
            self.chooser = None
            self.listed.emit()

    def _tag_odds(self) -> None:
        """Show the odds of what may be chosen; of places while no card is picked up or advised."""
        choice, odds = self.choice, self.odds
        if odds is None:
            return
        if choice.busy or (self._advice is not None and self._advice.cards):
            odds.clear_places()
            self._tagged = None
        elif choice.seat is not None and self._tagged != choice.offers:
            odds.show(choice.seat, choice.offers)
            self._tagged = choice.offers
