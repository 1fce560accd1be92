"""The reasons why moves are refused, with rulebook paragraphs. They don't decide what is legal."""

from msgspec.structs import replace

from tabletop.engine.model import NO_CARD, Ask, Number, Reason, TableReader, Value, Word, is_face
from tabletop.games.royale.areas import (
    CELLS,
    adjacent_areas,
    areas_within,
    others_at,
    passes_lines,
    walk_length,
)
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.effects import SNIPED, Attack, DrawEx, Heal, Salvage, Teleport
from tabletop.games.royale.places import (
    AT,
    CHARACTER,
    DROPPED,
    FIGHT,
    HAND,
    IN,
    ITEMS,
    ROUND,
    SNIPE,
    SPENT,
    STATUS,
    THROW,
    character_zones,
    seat_of,
)
from tabletop.games.royale.reaction_windows import lost_stamina

DEFAULT_REASONS = {
    "start": Reason("Your start area comes first: use the Festival Map, or pass.", {}, "4.2"),
    "stand": Reason("Choose where to start.", {}, "4.2"),
    "walk": Reason("Walk first, or stay where you are.", {}, "5.2"),
    "near": Reason("You can only answer with a Move card.", {}, "5.3"),
    "action": Reason("You can't do that as your action.", {}, "5.4"),
    "search": Reason("You can only play a card that finds something now.", {}, "5.7"),
    "salvage": Reason("Take an item from the discards.", {}, "5.7"),
    "ropeway": Reason("Choose an area for the ropeway.", {}, "5.7"),
    "proposal": Reason("First agree or refuse to negotiate.", {}, "5.8"),
    "take": Reason("Take one of the mixed items.", {}, "5.8"),
    "own_roll": Reason("You can only reroll or pass now.", {}, "6.7"),
    "targeted": Reason(
        "Only something that evades this attack, or your double, helps now.", {}, "6"
    ),
    "range": Reason("Choose the range.", {}, "6.1"),
    "gear": Reason("You can only turn face-down battle gear up now.", {}, "6.2"),
    "declare": Reason("Declare attack, defend or change range.", {}, "6.3"),
    "initiative": Reason("You can only play a card that claims the initiative now.", {}, "6.4"),
    "strike": Reason("Choose a weapon that works at this range, or skip the attack.", {}, "6.6"),
    "hit_suffered": Reason("Only a card that dodges helps now.", {}, "6.8"),
    "steal": Reason("Choose one of your opponent's items.", {}, "6.8"),
    "after_own_attack": Reason("You can only play a Chain Attack now.", {}, "6.9"),
    "after_enemy_attack": Reason("You can only play a Counter Attack now.", {}, "6.9"),
    "discard": Reason("You hold too many items: discard some.", {}, "8"),
    "forbid": Reason("You can only play a card that closes an area now.", {}, "4.4"),
    "close": Reason("Choose an area to close.", {}, "4.4"),
    "limit": Reason("Discard EX cards until you have one or none left.", {}, "4.5"),
    "break": Reason("That has no use in this intermission.", {}, "4.6"),
}
"""The default reason, by kind of question."""
OTHER_PARAGRAPHS: tuple[tuple[str, Number | Word, Value, str], ...] = (
    ("own_roll", THROW, "search", "5.7"),
    ("own_roll", THROW, "negotiate", "5.8"),
    ("targeted", FIGHT, SNIPE, "5.6"),
    ("range", ROUND, 1, "6.3"),
    ("range", ROUND, 2, "6.3"),
)
"""Rulebook paragraphs that replace the default one: the question, a public value,
its content, and the paragraph.
"""


def explain_refusal(deck: Deck, look: TableReader, ask: Ask, card: int, to: str) -> Reason:
    """Return the reason why `card`, or a move to the zone `to`, isn't offered."""
    seat = ask.seat
    if to in CELLS and not look.cards[to]:
        return Reason("This area is closed.", {}, "4.4")
    if card != NO_CARD and not _is_own(look, seat, card):
        return _not_own(ask)
    match ask.what:
        case "walk" if not is_face(card) and to in CELLS:
            return _too_far(deck, look, seat, to, walk_length(deck, look, seat))
        case "near" | "action" if card in deck.at["own_move"] and to in CELLS:
            return _too_far(deck, look, seat, to, 1)
        case "action" if not is_face(card) and to == AT.of(look, seat):
            return _useless_search(deck, look, to)
        case "action" if not is_face(card) and to in CELLS:
            return Reason("A Move card takes you one step.", {}, "5.4")
        case "action" if not is_face(card) and to in CHARACTER:
            return _out_of_reach(look, seat, seat_of(to))
        case "action" if is_face(card):
            return _no_action(deck, look, seat, card, to)
        case "strike" if is_face(card) and isinstance(deck.effect[card], Attack):
            return _no_strike(look, card)
        case _:
            return _default_reason(look, ask)


def _default_reason(look: TableReader, ask: Ask) -> Reason:
    """Return the default reason for a question,
    with the paragraph that applies in this situation.
    """
    paragraphs = (
        paragraph
        for question, fact, value, paragraph in OTHER_PARAGRAPHS
        if question == ask.what and fact.of(look) == value
    )
    reason = DEFAULT_REASONS[ask.what]
    return replace(reason, paragraph=next(paragraphs, reason.paragraph))


def _is_own(look: TableReader, seat: int, card: int) -> bool:
    cards = look.cards
    return any(card in cards[zone[seat]] for zone in (HAND, ITEMS, CHARACTER))


def _not_own(ask: Ask) -> Reason:
    if ask.what in ("take", "salvage", "steal"):
        return DEFAULT_REASONS[ask.what]
    return Reason("You can only use your own cards.", {}, "2.5")


def _too_far(deck: Deck, look: TableReader, seat: int, to: str, steps: int) -> Reason:
    """Return the reason why an area is out of reach: its distance, or a line (5.2)."""
    here = AT.of(look, seat)
    if to == here:
        return Reason("You are already here.", {}, "5.2")
    free = passes_lines(deck, look, seat)
    if not free and to in areas_within(deck, look.cards, here, steps, True):
        return Reason("A line blocks the way.", {}, "2.4")
    return Reason("That is too far: you can go {n} at most.", {"n": steps}, "5.2")


def _useless_search(deck: Deck, look: TableReader, cell: str) -> Reason:
    """Return the reason why a search of the area has no effect (5.7)."""
    (area,) = look.cards[cell]
    match deck.effect[area]:
        case Heal():
            return Reason("You haven't lost any stamina.", {}, "5.7")
        case DrawEx():
            return Reason("There is no EX card left to draw.", {}, "5.7")
        case Salvage():
            return Reason("There are no discarded items.", {}, "5.7")
        case Teleport():
            return Reason("There is no other area to go to.", {}, "5.7")
        case _:
            return Reason("There is no item left to draw.", {}, "5.7")


def _out_of_reach(look: TableReader, seat: int, other: int) -> Reason:
    """Return the reason why a player can't be attacked (5.5, 5.6)."""
    if other == seat:
        return Reason("Choose another player's character.", {}, "5.5")
    if other >= look.seats or STATUS.of(look, other) != IN:
        return Reason("That character isn't in play right now.", {}, "7.2")
    if AT.of(look, other) not in adjacent_areas(look, AT.of(look, seat)):
        return Reason(
            "You can attack in your own area and snipe into the areas next to it.", {}, "5.6"
        )
    return Reason("You have no weapon that can snipe.", {}, "5.6")


def _no_action(deck: Deck, look: TableReader, seat: int, card: int, to: str) -> Reason:
    """Return the reason why a card can't be used as an action (5.4 to 5.9)."""
    if card in deck.at["own_move"]:
        return Reason("A Move card takes you one step.", {}, "5.4")
    if card in deck.heal and card in deck.at["action"] and not lost_stamina(deck, look, seat):
        return Reason("You haven't lost any stamina.", {}, "5.9")
    if card in deck.negotiate:
        return _no_negotiation(look, seat, card, to)
    if isinstance(effect := deck.effect[card], Attack):
        if SNIPED in effect.perf:
            return Reason(
                "Choose someone to attack or snipe first; you pick the weapon later.", {}, "5.6"
            )
        return Reason("Choose someone to attack first; you pick the weapon later.", {}, "5.5")
    return Reason("You can't use this card now.", {}, "11")


def _no_negotiation(look: TableReader, seat: int, card: int, to: str) -> Reason:
    here = character_zones(others_at(look, seat, (AT.of(look, seat),)))
    if not here or (to and to not in here):
        return Reason("You can only negotiate with someone in your area.", {}, "5.8")
    if card in look.cards[CHARACTER[seat]] and SPENT.of(look, seat):
        return Reason("You have used this ability already.", {}, "5.8")
    return Reason("Neither of you has an item to negotiate for.", {}, "5.8")


def _no_strike(look: TableReader, card: int) -> Reason:
    if card in DROPPED.of(look):
        return Reason("You dropped this weapon: it's out until the battle is over.", {}, "6.7")
    return Reason("This weapon doesn't work at this range.", {}, "6.6")
