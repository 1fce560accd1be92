"""Why a card cannot go there, in a sentence with its paragraph."""

from tabletop.engine.model import Ask, Look, Reason, is_face
from tabletop.games.chains.openings import Openings, agreed
from tabletop.games.chains.places import (
    CUT,
    DONE,
    FLUSHED,
    NEED,
    NUMBERS,
    PILE,
    SLOTS,
    TERMINAL,
    WORK,
)


def why(openings: Openings, state: Look, ask: Ask, card: int, to: str) -> Reason | None:
    """Why this card cannot go there now; None where it can."""
    seat, cards = ask.seat, state.cards
    pile = cards[PILE[seat]]
    is_open = bool(pile) and pile[-1] in state.shown
    if ask.what == "place" and card != pile[-1]:
        return Reason("First the flipped card is placed, into the workspace or a slot.", {}, "5.1")
    if is_open and card == pile[-1]:
        return _why_not_placed(openings, state, seat, card, to)
    if not is_face(card):
        return _why_not_flipped(openings, state, seat, is_open)
    if card in cards[WORK[seat]]:
        return Reason("Nothing goes back from the workspace.", {}, "5.1")
    if any(card in cards[slot] for slot in SLOTS[seat]):
        return _why_not_linked(openings, state, seat, card, to)
    for number in NUMBERS:
        if card in cards[TERMINAL[seat][number]]:
            return _why_not_completed(openings, state, seat, number, to)
    if card in cards[DONE[seat]] or card in cards[FLUSHED[seat]]:
        return Reason("What lies there is out of play.", {}, "5.4")
    return Reason("Everybody plays with the cards of their own deck.", {}, "2.1")


def _why_not_placed(
    openings: Openings, state: Look, seat: int, card: int, to: str
) -> Reason | None:
    number = openings.number[card]
    slots = openings.slots_for(state, seat, number)
    if to == WORK[seat] or not (to or slots):
        if openings.fits(state, seat, number):
            return None
        if not to:
            return Reason(
                "No slot is free for {number}, and the workspace takes {need}: it stays here.",
                {"number": number, "need": state.values[NEED[seat]]},
                "5.6",
            )
        return _next_is(state, seat)
    if not to or to in slots:
        return None
    if to not in SLOTS[seat]:
        return Reason("A flipped card goes into the own workspace or an own slot.", {}, "5.1")
    if not slots:
        return Reason("All slots hold other numbers.", {}, "5.5")
    if state.cards[to]:
        return Reason("A slot holds copies of one number only.", {}, "5.5")
    if state.cards[slots[0]] and not agreed(state, "slots", "pile"):
        return Reason("There is a slot with {number} already.", {"number": number}, "5.5")
    return Reason("Of several empty slots the first one is used.", {}, "5.5")


def _why_not_flipped(openings: Openings, state: Look, seat: int, is_open: bool) -> Reason | None:
    if is_open:
        return Reason("The card that lies open on the pile has to go first.", {}, "5.6")
    if not state.cards[PILE[seat]]:
        return Reason("The pile is used up.", {}, "5.1")
    if not openings.can_flip(state, seat):
        return Reason("As agreed, a card is flipped only while a slot is empty.", {}, "11")
    return Reason("Flip the top card of your pile first, then place it.", {}, "5.1")


def _why_not_linked(
    openings: Openings, state: Look, seat: int, card: int, to: str
) -> Reason | None:
    if to and to != WORK[seat]:
        return Reason("A card of a slot only goes into the own workspace.", {}, "5.3")
    if not openings.fits(state, seat, openings.number[card]):
        return _next_is(state, seat)
    if all(state.cards[slot][-1:] != (card,) for slot in SLOTS[seat]):
        return Reason("Only the top card of a slot can be taken.", {}, "11")
    return None


def _why_not_completed(
    openings: Openings, state: Look, seat: int, number: int, to: str
) -> Reason | None:
    if to and to != WORK[seat]:
        return Reason("A terminal card goes into the own workspace, to end a chain.", {}, "5.4")
    if state.values[CUT[number]]:
        return Reason("Terminal {number} is cut off.", {"number": number}, "6.2")
    if not openings.is_live(state, seat, number):
        return Reason("The ten only after another terminal card of your own.", {}, "6.1")
    if number != state.values[NEED[seat]]:
        return _next_is(state, seat)
    return None


def _next_is(state: Look, seat: int) -> Reason:
    return Reason("The workspace takes {need} next.", {"need": state.values[NEED[seat]]}, "5.1")
