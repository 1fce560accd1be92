"""Draws the player's selection: highlights, cards of a
draft move, marks and previews. It makes no decisions.
"""

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

PENDING_DELAY_MS = 600
"""Delay before a move that awaits the response is shown as pending, in milliseconds."""


class SelectionView(QObject):
    """Redraws the selection on the stage whenever it changes."""

    viewed_card_changed = Signal(object)
    """Emitted with the number of the card that the user is looking at, or None."""
    carried_card_moved = Signal()
    """Emitted when the dragged card has moved, or has been dropped."""
    chooser_toggled = Signal()
    """Emitted when a list of options opens or closes."""
    pending_shown_changed = Signal()
    """Emitted when `shows_pending` changes."""

    def __init__(self, stage: Stage, animator: Animator, choice: PlayerSelection) -> None:
        super().__init__()
        self.stage = stage
        self.animator = animator
        self.choice = choice
        self.target_lights = TargetLights(stage)
        verbs = stage.pixmaps.kit.words.verbs.values()
        self.odds_tags = OddsTags(stage) if any(verb.odds for verb in verbs) else None
        """The odds tags; None if the game shows no odds."""
        self.hand_line = HandLine(stage)
        self.focus = KeyboardFocus(stage, choice)
        self.chooser: OptionChooser | None = None
        """The open list of options."""
        self.ghost_hand: GhostHand | None = None
        """The ghost hand that shows the advised move."""
        self.hovered_card: CardItem | None = None
        """The card under the mouse."""
        self.carried_card: CardItem | None = None
        """The card being dragged."""
        self.last_point: QPointF | None = None
        """The scene point of the user's latest action."""
        self.shows_pending = False
        """Whether the pending move is shown, with its cards dimmed at their targets."""
        self._pending_timer = QTimer(self, singleShot=True, interval=PENDING_DELAY_MS)
        self._pending_timer.timeout.connect(self._show_pending)
        self._laid_for: tuple[object, ...] | None = None
        """The value of `_tentative_key` at the latest layout."""
        self._tagged_offers: Offers | None = None
        """The offers whose odds are currently shown."""
        choice.changed.add(lambda _: self.draw())
        choice.card_refused.add(self._shake)

    def settle(self, glides: bool = False) -> None:
        """Sync the stage with the view, and draw the selection on it.

        If `glides`, the cards of the viewer's sealed answer glide to the zones where they wait.
        """
        view = self.stage.view
        if view is None:
            return
        waiting = {
            card: target for card, target in self._tentative(view).cards_on_targets if glides
        }
        moved = [
            item for item in self.stage.items if item.zone != waiting.get(item.card, item.zone)
        ]
        seen = {item: item.placement for item in self.stage.items if moved and item.isVisible()}
        self.stage.show_view(view, self.tentative_view())
        for item in seen.keys() & set(self.stage.items):
            item.placement = seen[item]
        if moved:
            self._glide(RETURN_MS)
        self.redraw()

    def redraw(self) -> None:
        """Redraw the selection after a new layout."""
        self._laid_for = self._tentative_key
        self.clear_overlays()
        self.focus.refresh()
        self.draw()

    def draw(self) -> None:
        """Draw the current selection. Does nothing while animations run."""
        if self.stage.view is None or self.animator.is_running:
            return
        if self.focus.zone is not None and self.focus.zone not in self.choice.targets:
            self.focus.clear()
        self._light_targets()
        self._list_moves()
        if self._pending is not None and not self.shows_pending:
            if not self._pending_timer.isActive():
                self._pending_timer.start()
            return  # most answers arrive at once, so avoid flicker
        if self._pending is None and self._end_wait():
            self.pending_shown_changed.emit()
        if self._laid_for != self._tentative_key:
            self.return_cards()
        self._turn_on_target()
        self.raise_cards()
        self._mark_cards()
        self._tag_odds()
        self._show_hand()

    def clear(self) -> None:
        """Remove everything drawn for the selection. Cards stay at their positions."""
        self._end_wait()
        self._show_hand()
        self.clear_overlays()
        self._close_chooser()
        self.hovered_card = None
        self.stage.raised = {}
        if self.focus.zone is not None:
            self.focus.clear()
        for item in self.stage.items:
            item.set_marks(playable=False, selected=False)
            item.is_dimmed = False

    @property
    def _pending(self) -> Move | None:
        """The move that awaits the response, or None."""
        return self.choice.seat.pending if self.choice.seat is not None else None

    def _show_pending(self) -> None:
        """Show the move as pending if the response still hasn't arrived."""
        if self._pending is not None:
            self.shows_pending = True
            self.draw()
            self.pending_shown_changed.emit()

    def _end_wait(self) -> bool:
        """Stop showing the pending move. Return whether it was shown."""
        self._pending_timer.stop()
        waited, self.shows_pending = self.shows_pending, False
        return waited

    def release_card(self) -> None:
        """Record that the dragged card was dropped; the next `draw` moves it to its position."""
        self.carried_card, self._laid_for = None, None
        self.carried_card_moved.emit()

    def clear_overlays(self) -> None:
        """Remove highlights and odds tags, so that they
        are drawn again in the current size and colours.
        """
        self.target_lights.clear()
        self.hand_line.clear()
        if self.odds_tags is not None:
            self.odds_tags.clear()
        self._tagged_offers = None

    # Cards

    def tentative_view(self) -> State:
        """Return the view with the cards of the draft move at their tentative positions.

        Also updates the `turned` and `foreseen` attributes of the stage.
        """
        stage, choice = self.stage, self.choice
        assert stage.view is not None
        tentative = self._tentative(stage.view)
        stage.turned = tentative.card_angles
        stage.foreseen = choice.multi_selection.preview_values(stage.foreseen, choice.preview)
        return tentative.shown

    def _tentative(self, view: State) -> TentativeCards:
        return self.choice.tentative_cards(view, self._pending if self.shows_pending else None)

    @property
    def _tentative_key(self) -> tuple[object, ...]:
        """A key that changes whenever cards must be moved, for example after a rejected move."""
        arrangement = self.choice.multi_selection.draft
        together = arrangement.state_key if arrangement is not None else ()
        return (*together, self._pending if self.shows_pending else None, self.choice.undecided)

    def return_cards(self) -> None:
        """Slide every card to its position in the tentative view."""
        if self.stage.view is None or self.choice.seat is None or self.animator.is_running:
            return
        self._laid_for = self._tentative_key
        self.stage.sync_cards(self.tentative_view())
        self.stage.raised = self._raised_cards()
        self._glide(RETURN_MS)
        if self.focus.card_item is not None:
            self.focus.refresh()
        self._mark_cards()

    def raise_cards(self) -> None:
        """Raise the card under the mouse, or the focused or selected card if there is none."""
        if self.animator.is_running or self.stage.view is None or self.carried_card is not None:
            return
        raised = self._raised_cards()
        if raised != self.stage.raised:
            self.stage.raised = raised
            self._glide(NUDGE_MS)

    def _raised_cards(self) -> dict[str, int]:
        raised = {}
        for item in (self._picked, self.focus.card_item, self.hovered_card):
            items = self.stage.zones.get(item.zone, []) if item is not None else []
            if item is not None and item in items:
                raised[item.zone] = items.index(item)
        return raised

    def _turn_on_target(self) -> None:
        """Turn the card on its target to the angle that the highlighted option would give it."""
        if self.stage.view is None or self.choice.undecided is None:
            return
        turned = self._tentative(self.stage.view).card_angles
        if self.stage.turned != turned:
            self.stage.turned = turned
            self._glide(NUDGE_MS)

    def _glide(self, length: float) -> None:
        self.stage.lay_out()
        self.animator.glide(self.stage.slots(), length)

    def _shake(self, card: int) -> None:
        item = self.stage.item_of(card)
        if item is not None:
            self.animator.shake(item)

    @property
    def _advice(self) -> Move | None:
        """The advised move, unless the user has selected something."""
        hidden = self.choice.is_busy or self.carried_card is not None
        return None if hidden else self.choice.advice

    @property
    def _picked(self) -> CardItem | None:
        """The selected card, or the first card of the advised move."""
        cards = (self.choice.picked_up,) if self._advice is None else self._advice.cards
        return next(
            (item for item in self.stage.items if item.is_known and item.card in cards), None
        )

    def _mark_cards(self) -> None:
        """Mark playable, selected, advised and waiting cards."""
        choice, view = self.choice, self.stage.view
        if view is None:
            return
        gathering = choice.multi_selection
        playable = offered.playable_cards(choice.offers).difference(gathering.placed)
        chosen = {
            choice.picked_up,
            *gathering.chosen,
            *(self._advice.cards if self._advice else ()),
        }
        waiting = {card for card, _ in self._tentative(view).cards_on_targets}
        wholly, turning = self.hand_line.draw(playable), gathering.turnable_cards
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
        """Highlight all targets, the advised one more strongly."""
        choice, lights = self.choice, self.target_lights
        if choice.is_busy or choice.multi_selection.chosen:
            lights.show_targets(choice.targets)
        else:
            places, advice = choice.targets, self._advice
            shown = {advice.target} if advice is not None else set()
            quiet = {zone for zone in places if zone not in shown and choice.is_quiet(zone)}
            lights.show_targets(places, quiet=quiet, bare=True)
        advised = self._advice.target if self._advice is not None else None
        aimed = choice.aimed_zone if choice.aimed_zone is not None else advised
        lights.highlight(aimed, covered=self.carried_card is not None)

    def _show_hand(self) -> None:
        """Show the advised move as a ghost hand, if there is one."""
        self.stage.remove_item(self.ghost_hand)
        self.ghost_hand = None
        if self._advice is not None:
            hand = GhostHand(self.stage, self._advice)
            if hand.is_visible_on_table:
                self.ghost_hand = hand
                self.stage.scene.addItem(hand)

    def _list_moves(self) -> None:
        """Show the list of options and the preview of the highlighted one, or close the list if
        there are none.
        """
        options, seat = self.choice.options, self.choice.seat
        if options is None or seat is None:
            self._close_chooser()
            return
        if self.chooser is None or not self.chooser.is_for(options):
            self._close_chooser()
            self.chooser = OptionChooser(self.stage, seat, options, *self._chooser_anchor)
            self.chooser_toggled.emit()
        self.chooser.highlight(options.highlighted)
        self.target_lights.hide_crossed_invitations(self.chooser.preview)

    @property
    def _chooser_anchor(self) -> tuple[QPointF | None, QRectF | None]:
        """The position of a list of moves to choose from, and the rectangle beside which it is
        placed. Both are None for other lists, which have a fixed position.
        """
        choice = self.choice
        if not choice.listed_verb or choice.options is None:
            return None, None
        target = choice.options.moves[0].target
        middle = QPointF(self.stage.size[0] / 2, self.stage.size[1] / 2)
        at = self.last_point if target or choice.picked_up is not None else None
        return at or middle, self.stage.zone_rect(target) if choice.picked_up is not None else None

    def _close_chooser(self) -> None:
        if self.chooser is not None:
            self.chooser.close()
            self.chooser = None
            self.chooser_toggled.emit()

    def _tag_odds(self) -> None:
        """Show the odds of possible moves. Zones have
        tags only while no card is selected or advised.
        """
        choice, odds = self.choice, self.odds_tags
        if odds is None:
            return
        if choice.is_busy or (self._advice is not None and self._advice.cards):
            odds.clear_zone_tags()
            self._tagged_offers = None
        elif choice.seat is not None and self._tagged_offers != choice.offers:
            odds.show_tags(choice.seat, choice.offers)
            self._tagged_offers = choice.offers
