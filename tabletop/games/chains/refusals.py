"""The reasons why a card can't be moved."""

from tabletop.engine.model import Ask, Reason, TableReader, is_face
from tabletop.games.chains.openings import Openings, has_option
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


def explain_refusal(
    openings: Openings, state: TableReader, ask: Ask, card: int, to: str
) -> Reason | None:
    """Return the reason why this card can't be moved to `to` now; None if it can."""
    seat, cards = ask.seat, state.cards
    pile = cards[PILE[seat]]
    is_open = bool(pile) and pile[-1] in state.shown
    if ask.what == "place" and card != pile[-1]:
        return Reason("Place the flipped card first, in your workspace or a slot.", {}, "5.1")
    if is_open and card == pile[-1]:
        return _why_not_placed(openings, state, seat, card, to)
    if not is_face(card):
        return _why_not_flipped(openings, state, seat, is_open)
    if card in cards[WORK[seat]]:
        return Reason("You can't take cards back from the workspace.", {}, "5.1")
    if any(card in cards[slot] for slot in SLOTS[seat]):
        return _why_not_linked(openings, state, seat, card, to)
    for number in NUMBERS:
        if card in cards[TERMINAL[seat][number]]:
            return _why_not_completed(openings, state, seat, number, to)
    if card in cards[DONE[seat]]:
        return Reason("Those cards are out of play.", {}, "5.4")
    if card in cards[FLUSHED[seat]]:
        return Reason("Those cards are out of play.", {}, "7")
    return Reason("Everyone plays with their own deck.", {}, "2.1")


def _why_not_placed(
    openings: Openings, state: TableReader, seat: int, card: int, to: str
) -> Reason | None:
    number = openings.number[card]
    slots = openings.slots_for(state, seat, number)
    if to == WORK[seat] or not (to or slots):
        if openings.fits(state, seat, number):
            return None
        if not to:
            return Reason(
                "No slot is free for {number}, and your workspace needs {need}: the card stays "
                "here.",
                {"number": number, "need": NEED.of(state, seat)},
                "5.6",
            )
        return _wrong_number(state, seat)
    if not to or to in slots:
        return None
    if to not in SLOTS[seat]:
        return Reason("A flipped card goes to your own workspace or one of your slots.", {}, "5.1")
    if not slots:
        return Reason("All your slots hold other numbers.", {}, "5.5")
    if state.cards[to]:
        return Reason("A slot can only hold copies of one number.", {}, "5.5")
    if state.cards[slots[0]] and not has_option(state, "slots", "pile"):
        return Reason("You already have a slot with {number}.", {"number": number}, "5.5")
    return Reason("Use the first of your empty slots.", {}, "5.5")


def _why_not_flipped(
    openings: Openings, state: TableReader, seat: int, is_open: bool
) -> Reason | None:
    if is_open:
        return Reason("The face-up card on your pile has to go first.", {}, "5.6")
    if not state.cards[PILE[seat]]:
        return Reason("Your pile is empty.", {}, "5.1")
    if not openings.can_flip(state, seat):
        return Reason(
            "By your house rule you can only flip a card while a slot is empty.", {}, "11"
        )
    return Reason("Flip the top card of your pile first, then place it.", {}, "5.1")


def _why_not_linked(
    openings: Openings, state: TableReader, seat: int, card: int, to: str
) -> Reason | None:
    if to and to != WORK[seat]:
        return Reason("A card in a slot can only go to your own workspace.", {}, "5.3")
    if not openings.fits(state, seat, openings.number[card]):
        return _wrong_number(state, seat)
    if all(state.cards[slot][-1:] != (card,) for slot in SLOTS[seat]):
        return Reason("You can only take the top card of a slot.", {}, "11")
    return None


def _why_not_completed(
    openings: Openings, state: TableReader, seat: int, number: int, to: str
) -> Reason | None:
    if to and to != WORK[seat]:
        return Reason("A terminal card goes to your own workspace, to end a chain.", {}, "5.4")
    if CUT.of(state, number):
        return Reason("Terminal {number} is cut off.", {"number": number}, "6.2")
    if not openings.is_terminal_live(state, seat, number):
        return Reason(
            "You can only take terminal 10 after another of your terminal cards.", {}, "6.1"
        )
    if number != NEED.of(state, seat):
        return _wrong_number(state, seat)
    return None


def _wrong_number(state: TableReader, seat: int) -> Reason:
    return Reason("Your workspace needs {need} next.", {"need": NEED.of(state, seat)}, "5.1")
