"""Why something cannot be done now, with the paragraph that says so. Explains, never decides."""

from msgspec.structs import replace

from tabletop.engine.model import Ask, Look, Reason, is_face
from tabletop.games.royale.areas import CELLS, adjacent, passes_lines, stride, within
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.effects import SNIPED, Attack
from tabletop.games.royale.places import (
    AT,
    CHARACTER,
    HAND,
    IN,
    ITEMS,
    SNIPE,
    STATUS,
    seat_of,
)
from tabletop.games.royale.windows import lost

MOMENTS = {
    "start": Reason("First the start position: use the map of short cuts, or pass.", {}, "4.2"),
    "stand": Reason("Choose the area where you start.", {}, "4.2"),
    "walk": Reason("First walk, or stay where you are.", {}, "5.2"),
    "near": Reason("Only a Move card answers somebody who comes near.", {}, "5.3"),
    "action": Reason("This is none of the actions of a phase.", {}, "5.4"),
    "search": Reason("Only a card that finds something can be played now.", {}, "5.7"),
    "salvage": Reason("Take one of the item discards.", {}, "5.7"),
    "ropeway": Reason("Choose an area for the ropeway.", {}, "5.7"),
    "proposal": Reason("Say whether you agree to negotiate.", {}, "5.8"),
    "take": Reason("Take one of the mixed items.", {}, "5.8"),
    "own_roll": Reason("Only what throws your dice again can be used now.", {}, "6.7"),
    "targeted": Reason("Only what evades this attack, or your double, helps now.", {}, "6"),
    "range": Reason("Choose the range.", {}, "6.1"),
    "gear": Reason("Only face-down gear for fighting can be turned up now.", {}, "6.2"),
    "declare": Reason("Declare an attack, defending, or a change of range.", {}, "6.3"),
    "initiative": Reason("Only a card that claims the initiative can be played now.", {}, "6.4"),
    "strike": Reason("Choose means of attack that work at this range, or none.", {}, "6.6"),
    "hit_suffered": Reason("Only a card that dodges helps now.", {}, "6.8"),
    "steal": Reason("Choose an item of your opponent.", {}, "6.8"),
    "after_own_attack": Reason("Only a Chain Attack can follow your attack.", {}, "6.9"),
    "after_enemy_attack": Reason("Only a Counter Attack can answer now.", {}, "6.9"),
    "discard": Reason("You hold too many items: discard some of your own.", {}, "8"),
    "forbid": Reason("Only a card that closes an area can be played now.", {}, "4.4"),
    "close": Reason("Choose the area to be closed.", {}, "4.4"),
    "limit": Reason("Discard EX cards until one is left.", {}, "4.5"),
    "break": Reason("In the intermission this has no use now.", {}, "4.6"),
}
"""What each question waits for."""
ELSEWHERE = {
    ("own_roll", "throw", "search"): "5.7",
    ("own_roll", "throw", "negotiate"): "5.8",
    ("targeted", "battle", SNIPE): "5.6",
    ("range", "round", 1): "6.3",
    ("range", "round", 2): "6.3",
}
"""Where else the book tells of a question, by what a public value is."""


def why(deck: Deck, look: Look, ask: Ask, card: int, to: str) -> Reason:
    """Why this card, or a move to this place, is not among the offers."""
    seat = ask.seat
    if to in CELLS and not look.cards[to]:
        return Reason("This area is closed.", {}, "4.4")
    if is_face(card) and not _is_own(look, seat, card):
        return _not_own(ask)
    match ask.what:
        case "walk" if not is_face(card) and to in CELLS:
            return _too_far(deck, look, seat, to, stride(deck, look, seat))
        case "near" | "action" if card in deck.at["own_move"] and to in CELLS:
            return _too_far(deck, look, seat, to, 1)
        case "action" if not is_face(card) and to in CHARACTER:
            return _out_of_reach(look, seat, seat_of(to))
        case "action" if is_face(card):
            return _no_action(deck, look, seat, card)
        case "strike" if is_face(card) and isinstance(deck.effect[card], Attack):
            return _no_strike(look, card)
        case _:
            return _moment(look, ask)


def _moment(look: Look, ask: Ask) -> Reason:
    """Return what the question waits for, with the paragraph that tells of it as the table
    stands."""
    found = (
        paragraph
        for (what, key, value), paragraph in ELSEWHERE.items()
        if what == ask.what and look.values[key] == value
    )
    reason = MOMENTS[ask.what]
    return replace(reason, paragraph=next(found, reason.paragraph))


def _is_own(look: Look, seat: int, card: int) -> bool:
    cards = look.cards
    return any(card in cards[zone[seat]] for zone in (HAND, ITEMS, CHARACTER))


def _not_own(ask: Ask) -> Reason:
    if ask.what in ("take", "salvage", "steal"):
        return MOMENTS[ask.what]
    return Reason("Only your own cards can be used.", {}, "2.5")


def _too_far(deck: Deck, look: Look, seat: int, to: str, steps: int) -> Reason:
    """5.2: the way is too long, or a line is in it."""
    here = str(look.values[AT[seat]])
    if to == here:
        return Reason("You are here already.", {}, "5.2")
    free = passes_lines(deck, look, seat)
    if not free and to in within(deck, look.cards, here, steps, True):
        return Reason("A line bars the way.", {}, "2.4")
    return Reason("It is farther than {n} steps.", {"n": steps}, "5.2")


def _out_of_reach(look: Look, seat: int, other: int) -> Reason:
    """5.5, 5.6: whom no attack reaches."""
    if other == seat:
        return Reason("Choose another player's character.", {}, "5.5")
    if other >= look.seats or look.values[STATUS[other]] != IN:
        return Reason("This character does not take part at the moment.", {}, "7.2")
    if look.values[AT[other]] not in adjacent(look, str(look.values[AT[seat]])):
        return Reason("Attacks reach your own area, snipes the areas beside it.", {}, "5.6")
    return Reason("You have no means that can snipe.", {}, "5.6")


def _no_action(deck: Deck, look: Look, seat: int, card: int) -> Reason:
    """5.4 to 5.9: why a card is no action now."""
    if card in deck.at["own_move"]:
        return Reason("A Move card leads to an area one step away.", {}, "5.4")
    if card in deck.heal and card in deck.at["action"] and not lost(deck, look, seat):
        return Reason("No stamina is lost.", {}, "5.9")
    if card in deck.negotiate:
        return Reason("Negotiating needs somebody in your own area.", {}, "5.8")
    if isinstance(effect := deck.effect[card], Attack):
        if SNIPED in effect.perf:
            return Reason("Choose whom to snipe at or attack; the means come later.", {}, "5.6")
        return Reason("Choose whom to attack; the means come later.", {}, "5.5")
    return Reason("This card waits for another moment.", {}, "11")


def _no_strike(look: Look, card: int) -> Reason:
    if str(card) in str(look.values["dropped"]).split():
        return Reason("These means were dropped until the battle is over.", {}, "6.7")
    return Reason("These means do not work at this range.", {}, "6.6")
