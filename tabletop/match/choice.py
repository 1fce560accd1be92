"""One player's selection: picked-up and arranged cards, the target, and the resulting answer.

Keyboard, pointer, touch, the move list, hints and the screen reader all drive one
`PlayerSelection`. It doesn't know the rules, only the current offers. Displaying advice doesn't
restrict the player's choice. This module doesn't use Qt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import AUDIENCE, NO_CARD, Move, Preview, Reason, State
from tabletop.engine.refusals import NOT_ASKED, NOT_OFFERED
from tabletop.match import offer_matching as offered
from tabletop.match.listeners import Listeners
from tabletop.match.multi_selection import MultiSelection
from tabletop.match.offer_matching import AskedOffer, Offers, Options
from tabletop.match.seat import Seat
from tabletop.match.tentative_cards import TentativeCards, angle_of

MAX_LEGAL_MOVES = 300
GENERAL_REASON_CODES = (NOT_OFFERED.code, NOT_ASKED.code)
"""Codes of reasons that aren't about a particular card."""


class PlayerSelection:
    """What the player at one seat has selected so far, from an open question to the sent answer."""

    def __init__(self, kit: GameKit) -> None:
        self.kit = kit
        self.layout = kit.layout
        self.seat: Seat | None = None
        """The seat that the selection answers for."""
        self.blocked = False
        """Whether input is blocked for now, in spite of open offers."""
        self.picked_up: int | None = None
        """The picked-up card; None if no card is picked up."""
        self.pile = ""
        """The zone whose face-down top card is picked up, or ""."""
        self.undecided: tuple[int, str] | None = None
        """A card and the zone it is shown in while the player chooses among its moves; else None.
        """
        self.multi_selection = MultiSelection(lambda: self.offers)
        """The cards arranged for a question that asks for several cards."""
        self.aimed_zone: str | None = None
        """The target zone under the pointer or focus; None for no target."""
        self.options: Options | None = None
        """The moves to choose from, with the highlighted one; None if there aren't any."""
        self.listed_verb = ""
        """The verb of the moves in the open list; "" if no list is open."""
        self.advice: Move | None = None
        """The move displayed as advice."""
        self.changed = Listeners[None]()
        self.refused = Listeners[Reason]()
        self.card_refused = Listeners[int]()
        """Notified with a card that the player tried to use although it has no legal move."""
        self.answer_sent = Listeners[Move]()
        """Notified with each answer that was sent and not refused immediately."""
        self._sending = False
        self._stop: Callable[[], None] = lambda: None

    # Seat and answer

    def set_seat(self, seat: Seat | None) -> None:
        """Switch to `seat` (None for no seat) and clear the selection."""
        self._stop()
        self.seat, self._stop = seat, lambda: None
        if seat is not None:
            self._stop = seat.on_refusal(self._on_refusal)
        self.multi_selection.draft = None
        self.clear_picked()

    def set_blocked(self, held: bool) -> None:
        """Block or unblock all input, and cancel the unfinished selection if that changes."""
        if held != self.blocked:
            self.blocked = held
            self.cancel()

    def play(self, move: Move) -> None:
        """Send `move` as the seat's answer, and notify `answer_sent` unless refused immediately."""
        if self.seat is not None:
            self.clear_picked()
            self._sending = True
            self.seat.send(move)
            if self._sending:
                self._sending = False
                self.answer_sent.notify(move)
            self._notify_changed()

    def _on_refusal(self, reason: Reason) -> None:
        self._sending = False
        self._notify_changed()
        self.refused.notify(reason)

    def _notify_changed(self) -> None:
        self.changed.notify(None)

    @property
    def offers(self) -> Offers:
        """The offers that the seat can answer now; empty while input is blocked."""
        return {} if self.blocked or self.seat is None else self.seat.offers

    def legal_moves(self) -> list[Move]:
        """Return the legal moves, about `MAX_LEGAL_MOVES` at most."""
        return offered.list_moves(self.offers, MAX_LEGAL_MOVES)

    def preview(self, move: Move) -> Preview | None:
        """Return the visible effect of a finished or unfinished move, or None."""
        return self.seat.preview(move) if self.seat is not None else None

    def explain_refusal(self, card: int, to: str = "") -> Reason | None:
        """Return why `card` can't move to zone `to` ("" for anywhere), or None if unknown."""
        if self.blocked:
            return NOT_ASKED
        return self.seat.explain_refusal(card, to) if self.seat is not None else None

    def reason_card_is_idle(self, card: int) -> Reason | None:
        """Return why `card` has no legal move now, or None.

        For another player's card, only a reason specific to the card is returned.
        """
        reason = self.explain_refusal(card)
        own = self.owns_zone(self.zone_of(card))
        return reason if reason is None or own or reason.code not in GENERAL_REASON_CODES else None

    def owns_zone(self, zone: str) -> bool:
        """Return whether `zone` belongs to the viewer."""
        view = self.seat.view if self.seat is not None else None
        if view is None or zone not in view.zones:
            return False
        return view.zones[zone].owner == view.viewer != AUDIENCE

    def zone_of(self, card: int) -> str:
        """Return the zone that holds `card` in the view, without tentative placements, or ""."""
        cards = self.seat.view.cards if self.seat is not None else {}
        return next((zone for zone, held in cards.items() if card in held), "")

    # Targets

    @property
    def targets(self) -> list[str]:
        """The zones that a press can choose now; "" stands for the whole table."""
        if self.listed_verb:
            return []
        if self.pile:
            return [move.choice for move in self._pile_moves(self.pile)]
        if self.picked_up is not None:
            return self._targets_of(self.picked_up)
        if self._is_placing_selection:
            return self.multi_selection.targets()
        places = [
            zone for asked in offered.cardless_offers(self.offers) for zone in asked.offer.targets
        ]
        return list(dict.fromkeys([*places, *offered.targets_of(self._advised_offers)]))

    def _targets_of(self, card: int) -> list[str]:
        """Return the zones that `card` can go to, alone or as one of several cards."""
        zones = offered.targets_of(self._offers_of(card))
        if (joined := self.multi_selection.draft_accepting(card)) is not None:
            spot = joined.zone_holding(card)
            zones += [zone for zone in joined.spot_zones() if zone != spot]
            zones += [self.zone_of(card)] if spot else []
        return zones

    def is_quiet(self, zone: str) -> bool:
        """Return whether `zone` is highlighted as a target only when the pointer is near.

        Cards in such a zone take precedence over the zone itself.
        """
        if self.is_busy or self._is_placing_selection:
            return False
        gesture = self.layout.gesture
        bare = offered.cardless_offers(self.offers)
        return not any(zone in c.offer.targets and not gesture(c.offer.verb).quiet for c in bare)

    def moves_to(self, zone: str) -> list[Move]:
        """Return the moves that pressing `zone` could play.

        The moves use the picked-up card, or else the selected cards. Without such cards, they are
        the moves that use no card, or else those of the advised card.
        """
        if self.pile:
            return [move for move in self._pile_moves(self.pile) if move.choice == zone]
        if self.picked_up is not None:
            return offered.moves_to(self._offers_of(self.picked_up), (self.picked_up,), zone)
        if self._is_placing_selection:
            return self.multi_selection.moves(zone)
        advised = self.advice.cards if self.advice is not None else ()
        return self.cardless_moves_to(zone) or offered.moves_to(self._advised_offers, advised, zone)

    def cardless_moves_to(self, zone: str) -> list[Move]:
        """Return the moves to `zone` that use no card."""
        return offered.moves_to(offered.cardless_offers(self.offers), (), zone)

    def _pile_moves(self, zone: str) -> list[Move]:
        """Return the moves that carry the top card of `zone` to another zone."""
        gesture = self.layout.gesture
        return [move for move in self.cardless_moves_to(zone) if gesture(move.verb).carries]

    @property
    def _is_placing_selection(self) -> bool:
        """Whether selected cards are ready to be sent to a target."""
        return bool(self.multi_selection.chosen) and self.multi_selection.is_active

    @property
    def _advised_offers(self) -> list[AskedOffer]:
        """The offers of the advised card, if the advice is about a single card."""
        cards = self.advice.cards if self.advice is not None else ()
        return self._offers_of(cards[0]) if len(cards) == 1 else []

    def _offers_of(self, card: int) -> list[AskedOffer]:
        return offered.single_card_offers(self.offers, card)

    def is_playable_alone(self, card: int) -> bool:
        """Return whether `card` alone makes an answer."""
        return bool(self._offers_of(card))

    @property
    def second_press_plays(self) -> bool:
        """Whether pressing the picked-up card again plays it, or lists moves, without a target."""
        if self.picked_up is None:
            return False
        alone = offered.targets_of(self._offers_of(self.picked_up))
        return alone == [""] or self._is_listed(self.moves_to(""))

    # Picking up and playing

    def pick_or_toggle(self, card: int) -> None:
        """Pick up `card`, or toggle it in the multi-card selection; if it is idle, report why."""
        joined = self.multi_selection.draft_accepting(card)
        if joined is not None and not joined.placed:
            self.toggle_card(card)
        elif joined is not None or self.is_playable_alone(card):
            self.pick_up(card)
        else:
            self.clear_picked()
            self._notify_changed()
            if self.offers:
                self.report_idle_card(card)

    def pick_up(self, card: int) -> None:
        """Pick up `card`; its targets are the zones it can go to, alone or with others."""
        if card != self.picked_up:
            self.clear_picked()
            self._set_picked_up(card)
            self._notify_changed()

    def pick_up_top(self, zone: str) -> bool:
        """Pick up the face-down top card of `zone`. Return whether the offers allow that."""
        if not self._pile_moves(zone):
            return False
        self.clear_picked()
        self.pile = zone
        self._notify_changed()
        return True

    def report_idle_card(self, card: int) -> None:
        """Notify `card_refused` and `refused` if there is a reason why `card` has no legal move."""
        reason = self.reason_card_is_idle(card)
        if reason is not None:
            self.card_refused.notify(card)
            self.refused.notify(reason)

    def play_to(self, zone: str) -> bool:
        """Play the picked-up or selected cards to `zone`, or list the moves if there are several.

        Return whether any move was possible.
        """
        moves = self.moves_to(zone)
        if (
            self.picked_up is not None
            and not moves
            and self.multi_selection.draft_accepting(self.picked_up) is not None
        ):
            self.put_card(self.picked_up, zone)
            return True
        if moves:
            advised = moves[0].cards if not self.is_busy and not self._is_placing_selection else ()
            self._play_or_list(moves, advised[0] if advised else self.picked_up)
        return bool(moves)

    def play_obvious_move(self, card: int) -> None:
        """Toggle `card` in the multi-card selection, or play it if its moves have one target.

        Several moves to that target are listed instead.
        """
        moves = offered.single_card_moves(self.offers, card)
        if self.multi_selection.draft_accepting(card) is not None:
            self.toggle_card(card)
        elif len({move.target for move in moves}) == 1:
            self._play_or_list(moves, card)

    def _play_or_list(self, moves: Sequence[Move], card: int | None) -> None:
        """Play the only move, or list `moves` and show `card` at their target meanwhile."""
        if self.pile or not self._is_listed(moves):
            self.play(moves[0])
            return
        first = moves[0]
        self.clear_picked()
        if card is not None:
            self.picked_up = card
            stays = not first.target or self.layout.gesture(first.verb).stays
            self.undecided = (card, self.zone_of(card) if stays else first.target)
        self.options, self.listed_verb = Options(moves, 0), first.verb
        self._notify_changed()

    def toggle_move_list(self, moves: Sequence[Move]) -> None:
        """Open a list of the cardless `moves`, or close that list if it is open."""
        shown = self.options.moves if self.options is not None and self.listed_verb else None
        self.clear_picked()
        if shown != Options(moves).moves:
            self.options, self.listed_verb = Options(moves, 0), moves[0].verb
        self._notify_changed()

    def _set_picked_up(self, card: int) -> None:
        """Mark `card` as picked up.

        If its gesture uses the dial, offer its moves there immediately.
        """
        self.picked_up = card
        alone = self._offers_of(card)
        moves = offered.moves_to(alone, (card,), offered.targets_of(alone)[0]) if alone else []
        if moves and self._has_dial(moves[0]):
            self._set_options(moves)

    def _has_dial(self, move: Move) -> bool:
        return self.layout.gesture(move.verb).chooser == "dial"

    @property
    def is_busy(self) -> bool:
        """Whether a card is picked up or a move list is open."""
        return self.picked_up is not None or bool(self.pile) or bool(self.listed_verb)

    @property
    def picked_card(self) -> int:
        """The picked-up card, or NO_CARD."""
        return NO_CARD if self.picked_up is None else self.picked_up

    def cancel(self) -> None:
        """Put down the picked-up card, close the list, and display advice that has arrived."""
        unseen = self.advice if self.is_busy else None
        self.clear_picked()
        self.advice = unseen
        self._notify_changed()

    def clear_picked(self) -> None:
        """Reset everything except the multi-card selection, without notifying listeners."""
        self.picked_up, self.pile, self.undecided, self.aimed_zone = None, "", None, None
        self.options, self.listed_verb, self.advice = None, "", None

    def show_advice(self, move: Move) -> None:
        """Display `move` as advice: its cards, target and effect.

        The player can still make any other legal move.
        """
        self.advice = move
        if not self.is_busy:
            self.options = None
            moves = offered.moves_to(self._advised_offers, move.cards, move.target)
            if move in moves and self._has_dial(move):
                self.options = Options(moves, moves.index(move))
        self._notify_changed()

    # Options

    @property
    def options_are_final(self) -> bool:
        """Whether choosing an option plays it immediately, because its target is decided."""
        alone = self._advised_offers if self.picked_up is None else self._offers_of(self.picked_up)
        settled = bool(self.listed_verb) or len(offered.targets_of(alone)) < 2
        return self.options is not None and settled

    def aim(self, zone: str | None) -> None:
        """Aim at the target `zone` (None for no target), and update the options previewed there."""
        if self.listed_verb or zone == self.aimed_zone:
            return
        self.aimed_zone = zone
        if zone is not None and self.layout.table.outlook is not None:
            moves, shown = self.moves_to(zone), self.options.moves if self.options else None
            if moves != shown and any(map(self.preview, moves)):
                self._set_options(moves)
        elif zone is None and self.picked_up is None and self.advice is None:
            self.options = None
        self._notify_changed()

    def _set_options(self, moves: list[Move]) -> None:
        self.options = Options(moves, 0 if len(moves) == 1 else None)

    def highlight_option(self, number: int) -> None:
        """Highlight the option at index `number`."""
        if self.options is not None and number != self.options.highlighted:
            self.options.highlighted = number
            self._notify_changed()

    def step_highlight(self, by: int) -> None:
        """Move the highlight by `by` options, wrapping around."""
        if self.options is not None:
            start = self.options.highlighted
            start = -1 if start is None and by > 0 else start or 0
            self.highlight_option((start + by) % len(self.options.moves))

    def choose_option(self, number: int) -> None:
        """Choose the option at index `number`: play it, or list its next steps."""
        if self.options is not None and 0 <= number < len(self.options.moves):
            move = self.options.choose(number)
            if move is None:
                self._notify_changed()
            else:
                self.play(move)

    def send_selection(self, verb: str = "") -> None:
        """Send the selected cards as an answer, or list the answers if there are several.

        `verb` restricts the answers to that verb. Do nothing if the cards don't make an answer.
        """
        moves = self.multi_selection.moves(verb=verb)
        if moves:
            self._play_or_list(moves, self.picked_up)

    def _is_listed(self, moves: Sequence[Move]) -> bool:
        """Return whether `moves` are offered as a list, which can contain a single move."""
        gesture = self.layout.gesture
        return len(moves) > 1 or any(gesture(move.verb).menu for move in moves)

    # Selecting several cards

    def toggle_card(self, card: int) -> None:
        """Add `card` to the multi-card selection, or remove it."""
        if (joined := self.multi_selection.switch_draft(card)) is not None:
            joined.toggle(card)
            self.clear_picked()
            if joined.chosen == [card] and self.is_playable_alone(card):
                self._set_picked_up(card)  # a single card is an answer too
            self._notify_changed()

    def put_card(self, card: int, zone: str) -> None:
        """Put `card` into a spot in `zone`, or take it back if `zone` is its original zone."""
        if (joined := self.multi_selection.switch_draft(card)) is not None:
            if zone in joined.spot_zones():
                joined.put_in_zone(card, zone)
            elif zone == self.zone_of(card):
                joined.remove(card)
            self.clear_picked()
            self._notify_changed()

    def turn_card(self, card: int) -> None:
        """Rotate a selected `card` to its next orientation."""
        if card in self.multi_selection.turnable_cards and self.multi_selection.draft is not None:
            self.multi_selection.draft.turn(card)
            self.clear_picked()
            self._notify_changed()

    # Display

    def tentative_cards(self, view: State, pending: Move | None = None) -> TentativeCards:
        """Return `view` with the selected cards and the `pending` answer's cards at their
        targets.
        """
        options, angle = self.options, None
        if self.undecided is not None and options is not None and options.highlighted is not None:
            angle = angle_of(options.moves[options.highlighted], self.kit)
        put_together = self.multi_selection.draft
        return TentativeCards(view, self.kit, pending, put_together, self.undecided, angle)
