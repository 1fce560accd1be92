"""A player's choice: what is picked up, put together and aimed at, and which answer that could be.

Keys, pointer, touch, list of moves, hints and screen reader all drive this one. It knows no rules:
what may be done comes as offers. Advice is shown and decides nothing. No Qt.
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
"""Codes of reasons that say nothing about the card itself."""


class PlayerSelection:
    """The choice at one seat, from the question until its answer is heard."""

    def __init__(self, kit: GameKit) -> None:
        self.kit = kit
        self.layout = kit.layout
        self.seat: Seat | None = None
        """The seat that is answered for."""
        self.blocked = False
        """Whether nothing can be done for the time being, in spite of offers."""
        self.picked_up: int | None = None
        """The card that is picked up."""
        self.pile = ""
        """The place whose uppermost card is picked up, face down."""
        self.undecided: tuple[int, str] | None = None
        """The card on a target while a choice is still open."""
        self.multi_selection = MultiSelection(lambda: self.offers)
        """The cards put together, while a question asks for several."""
        self.aimed_zone: str | None = None
        """The target that is aimed at."""
        self.options: Options | None = None
        """The moves being weighed."""
        self.listed_verb = ""
        """The verb of the moves one of which is to be chosen; empty where none is."""
        self.advice: Move | None = None
        """The move that is shown as advice."""
        self.changed = Listeners[None]()
        self.refused = Listeners[Reason]()
        self.card_refused = Listeners[int]()
        """This card was tried, and can do nothing now."""
        self.answer_sent = Listeners[Move]()
        """This answer was sent, and not refused at once."""
        self._sending = False
        self._stop: Callable[[], None] = lambda: None

    # The seat, and its answer

    def set_seat(self, seat: Seat | None) -> None:
        """Choose at this seat from now on, or with None at none."""
        self._stop()
        self.seat, self._stop = seat, lambda: None
        if seat is not None:
            self._stop = seat.on_refusal(self._on_refusal)
        self.multi_selection.draft = None
        self.clear_picked()

    def set_blocked(self, held: bool) -> None:
        """Nothing can be done until the table goes on; or it goes on."""
        if held != self.blocked:
            self.blocked = held
            self.cancel()

    def play(self, move: Move) -> None:
        """Answer with this move."""
        if self.seat is not None:
            self.clear_picked()
            self._sending = True
            self.seat.send(move)
            if self._sending:
                self._sending = False
                self.answer_sent.notify(move)
            self._notify_changed()

    def _on_refusal(self, reason: Reason) -> None:
        """The answer was refused: its question is open again."""
        self._sending = False
        self._notify_changed()
        self.refused.notify(reason)

    def _notify_changed(self) -> None:
        self.changed.notify(None)

    @property
    def offers(self) -> Offers:
        """The offers that may be answered now."""
        return {} if self.blocked or self.seat is None else self.seat.offers

    def legal_moves(self) -> list[Move]:
        """Return the legal moves, at most LEGAL_CAP of them."""
        return offered.list_moves(self.offers, MAX_LEGAL_MOVES)

    def preview(self, move: Move) -> Preview | None:
        """Return the visible outcome of a move, or of one that is only started."""
        return self.seat.preview(move) if self.seat is not None else None

    def explain_refusal(self, card: int, to: str = "") -> Reason | None:
        """Return why this card cannot go there (or anywhere); None if nothing is against it."""
        if self.blocked:
            return NOT_ASKED
        return self.seat.explain_refusal(card, to) if self.seat is not None else None

    def reason_card_is_idle(self, card: int) -> Reason | None:
        """Return why this card can do nothing now; of another player's card only where the rules
        say something about it."""
        reason = self.explain_refusal(card)
        own = self.owns_zone(self.zone_of(card))
        return reason if reason is None or own or reason.code not in GENERAL_REASON_CODES else None

    def owns_zone(self, zone: str) -> bool:
        """Whether the zone is the viewer's own."""
        view = self.seat.view if self.seat is not None else None
        if view is None or zone not in view.zones:
            return False
        return view.zones[zone].owner == view.viewer != AUDIENCE

    def zone_of(self, card: int) -> str:
        """The zone of a card in the view, no matter where it has been put since."""
        cards = self.seat.view.cards if self.seat is not None else {}
        return next((zone for zone, held in cards.items() if card in held), "")

    # Where it may go

    @property
    def targets(self) -> list[str]:
        """The places that a press may choose now; "" is the whole table."""
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
        """The places where this card may go, alone or with others."""
        zones = offered.targets_of(self._offers_of(card))
        if (joined := self.multi_selection.draft_accepting(card)) is not None:
            spot = joined.zone_holding(card)
            zones += [zone for zone in joined.spot_zones() if zone != spot]
            zones += [self.zone_of(card)] if spot else []
        return zones

    def is_quiet(self, zone: str) -> bool:
        """Whether this target shows itself only while it is near, and a card in it comes first."""
        if self.is_busy or self._is_placing_selection:
            return False
        gesture = self.layout.gesture
        bare = offered.cardless_offers(self.offers)
        return not any(zone in c.offer.targets and not gesture(c.offer.verb).quiet for c in bare)

    def moves_to(self, zone: str) -> list[Move]:
        """Return the moves to this place: with what is picked up, those put together, or none; and
        where nothing is, with the card that is advised."""
        if self.pile:
            return [move for move in self._pile_moves(self.pile) if move.choice == zone]
        if self.picked_up is not None:
            return offered.moves_to(self._offers_of(self.picked_up), (self.picked_up,), zone)
        if self._is_placing_selection:
            return self.multi_selection.moves(zone)
        advised = self.advice.cards if self.advice is not None else ()
        return self.cardless_moves_to(zone) or offered.moves_to(self._advised_offers, advised, zone)

    def cardless_moves_to(self, zone: str) -> list[Move]:
        """Return the moves to this place without any card."""
        return offered.moves_to(offered.cardless_offers(self.offers), (), zone)

    def _pile_moves(self, zone: str) -> list[Move]:
        """The moves that carry the top card of this place to another."""
        gesture = self.layout.gesture
        return [move for move in self.cardless_moves_to(zone) if gesture(move.verb).carries]

    @property
    def _is_placing_selection(self) -> bool:
        """Whether cards that are put together go to a place next."""
        return bool(self.multi_selection.chosen) and self.multi_selection.is_active

    @property
    def _advised_offers(self) -> list[AskedOffer]:
        """The offers of the card that is advised alone."""
        cards = self.advice.cards if self.advice is not None else ()
        return self._offers_of(cards[0]) if len(cards) == 1 else []

    def _offers_of(self, card: int) -> list[AskedOffer]:
        """The offers that this card alone fulfils."""
        return offered.single_card_offers(self.offers, card)

    def is_playable_alone(self, card: int) -> bool:
        """Whether this card can do something of its own."""
        return bool(self._offers_of(card))

    @property
    def second_press_plays(self) -> bool:
        """Whether another press on the picked card does what it does without a place."""
        if self.picked_up is None:
            return False
        alone = offered.targets_of(self._offers_of(self.picked_up))
        return alone == [""] or self._is_listed(self.moves_to(""))

    # Picking up, and bringing to a place

    def pick_or_toggle(self, card: int) -> None:
        """Pick up a card, or put it with the others; or hear why it can do nothing."""
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
        """Pick up a card: its targets are where it may go, be it alone or with others."""
        if card != self.picked_up:
            self.clear_picked()
            self._set_picked_up(card)
            self._notify_changed()

    def pick_up_top(self, zone: str) -> bool:
        """Pick up the card that lies face down on top of this place; whether it may be."""
        if not self._pile_moves(zone):
            return False
        self.clear_picked()
        self.pile = zone
        self._notify_changed()
        return True

    def report_idle_card(self, card: int) -> None:
        """Say why this card can do nothing now, where there is a reason."""
        reason = self.reason_card_is_idle(card)
        if reason is not None:
            self.card_refused.notify(card)
            self.refused.notify(reason)

    def play_to(self, zone: str) -> bool:
        """Bring what is picked up, or nothing, to a target; whether anything comes of it."""
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
        """Do the one obvious thing with a card; where several are left, have one chosen."""
        moves = offered.single_card_moves(self.offers, card)
        if self.multi_selection.draft_accepting(card) is not None:
            self.toggle_card(card)
        elif len({move.target for move in moves}) == 1:
            self._play_or_list(moves, card)

    def _play_or_list(self, moves: Sequence[Move], card: int | None) -> None:
        """Play the one move; several are listed, while the card waits on their target."""
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
        """Have one of these moves without a card chosen from a list, or close it again."""
        shown = self.options.moves if self.options is not None and self.listed_verb else None
        self.clear_picked()
        if shown != Options(moves).moves:
            self.options, self.listed_verb = Options(moves, 0), moves[0].verb
        self._notify_changed()

    def _set_picked_up(self, card: int) -> None:
        """This card is picked up; what turns may be turned from here on."""
        self.picked_up = card
        alone = self._offers_of(card)
        moves = offered.moves_to(alone, (card,), offered.targets_of(alone)[0]) if alone else []
        if moves and self._has_dial(moves[0]):
            self._set_options(moves)

    def _has_dial(self, move: Move) -> bool:
        return self.layout.gesture(move.verb).chooser == "dial"

    @property
    def is_busy(self) -> bool:
        """Whether a card is picked up, or a list is open that decides."""
        return self.picked_up is not None or bool(self.pile) or bool(self.listed_verb)

    @property
    def picked_card(self) -> int:
        """The card that is picked up; NO_CARD where none is."""
        return NO_CARD if self.picked_up is None else self.picked_up

    def cancel(self) -> None:
        """Put down, choose nothing; advice that came meanwhile, and was not seen, is shown then."""
        unseen = self.advice if self.is_busy else None
        self.clear_picked()
        self.advice = unseen
        self._notify_changed()

    def clear_picked(self) -> None:
        """End all that is unfinished; what is put together stays. Nobody is told."""
        self.picked_up, self.pile, self.undecided, self.aimed_zone = None, "", None, None
        self.options, self.listed_verb, self.advice = None, "", None

    def show_advice(self, move: Move) -> None:
        """Show a move: its cards, where they go, what would come of it. The choice stays as it is,
        and all that is legal may still be done."""
        self.advice = move
        if not self.is_busy:
            self.options = None
            moves = offered.moves_to(self._advised_offers, move.cards, move.target)
            if move in moves and self._has_dial(move):
                self.options = Options(moves, moves.index(move))
        self._notify_changed()

    # Choosing what is left

    @property
    def options_are_final(self) -> bool:
        """Whether one of the options would be played, because the place is decided."""
        alone = self._advised_offers if self.picked_up is None else self._offers_of(self.picked_up)
        settled = bool(self.listed_verb) or len(offered.targets_of(alone)) < 2
        return self.options is not None and settled

    def aim(self, zone: str | None) -> None:
        """Aim at a target, or with None at none: what would come of it is weighed."""
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
        """Weigh this option."""
        if self.options is not None and number != self.options.highlighted:
            self.options.highlighted = number
            self._notify_changed()

    def step_highlight(self, by: int) -> None:
        """Weigh the next option, or the one before."""
        if self.options is not None:
            start = self.options.highlighted
            start = -1 if start is None and by > 0 else start or 0
            self.highlight_option((start + by) % len(self.options.moves))

    def choose_option(self, number: int) -> None:
        """Take this option: it is played, or leads to further ones."""
        if self.options is not None and 0 <= number < len(self.options.moves):
            move = self.options.choose(number)
            if move is None:
                self._notify_changed()
            else:
                self.play(move)

    def send_selection(self, verb: str = "") -> None:
        """Send what was put together (as this verb), where it is an answer."""
        moves = self.multi_selection.moves(verb=verb)
        if moves:
            self._play_or_list(moves, self.picked_up)

    def _is_listed(self, moves: Sequence[Move]) -> bool:
        """Whether these are chosen from a list, be it of one."""
        gesture = self.layout.gesture
        return len(moves) > 1 or any(gesture(move.verb).menu for move in moves)

    # Putting several cards together

    def toggle_card(self, card: int) -> None:
        """Put a card with the others, or take it back."""
        if (joined := self.multi_selection.switch_draft(card)) is not None:
            joined.toggle(card)
            self.clear_picked()
            if joined.chosen == [card] and self.is_playable_alone(card):
                self._set_picked_up(card)  # this one alone is an answer too
            self._notify_changed()

    def put_card(self, card: int, zone: str) -> None:
        """Put a card with the others at this place, or take it back to where it lies."""
        if (joined := self.multi_selection.switch_draft(card)) is not None:
            if zone in joined.spot_zones():
                joined.put_in_zone(card, zone)
            elif zone == self.zone_of(card):
                joined.remove(card)
            self.clear_picked()
            self._notify_changed()

    def turn_card(self, card: int) -> None:
        """Lay a card that is being put together the next way round."""
        if card in self.multi_selection.turnable_cards and self.multi_selection.draft is not None:
            self.multi_selection.draft.turn(card)
            self.clear_picked()
            self._notify_changed()

    # What it makes of the table meanwhile

    def tentative_cards(self, view: State, pending: Move | None = None) -> TentativeCards:
        """The view with the cards of this choice, and with those of the answer on its way."""
        options, angle = self.options, None
        if self.undecided is not None and options is not None and options.highlighted is not None:
            angle = angle_of(options.moves[options.highlighted], self.kit)
        put_together = self.multi_selection.draft
        return TentativeCards(view, self.kit, pending, put_together, self.undecided, angle)
