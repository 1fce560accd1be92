"""Opportunities to react, offered so that being asked doesn't reveal what a player holds (11).

Every player who could have a suitable card, as far as others know, is asked. The decision uses only
public information: the numbers of EX cards and face-down items, discards, face-up items, abilities.
A player who is asked but can't react gets `pass` as the only offer.
"""

from collections.abc import Sequence
from typing import Final

from tabletop.engine.model import Offer, TableReader, one
from tabletop.games.royale.areas import areas_one_step_away
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.places import (
    CHARACTER,
    DOUBLE,
    EX_DISCARD,
    EX_PILE,
    FIGHT,
    HAND,
    IN,
    ITEM_DISCARD,
    ITEM_PILE,
    ITEMS,
    SNIPE,
    SPENT,
    STAMINA,
    STATUS,
    THROW,
    face_up_items,
    is_face_up,
)

PASS: Final = Offer("pass")

# Public knowledge


def might_hold_ex(look: TableReader, seat: int, kinds: Sequence[int]) -> bool:
    """Return whether, as far as others know, the player may hold an EX card in `kinds`."""
    if not look.cards[HAND[seat]]:
        return False
    discarded = look.cards[EX_DISCARD]
    return any(card not in discarded for card in kinds)


def might_own_item(look: TableReader, seat: int, kinds: Sequence[int]) -> bool:
    """Return whether, as far as others know, the player may have an item in `kinds` face down."""
    held = look.cards[ITEMS[seat]]
    if len(held) == len(face_up_items(look, seat)):
        return False
    discarded = look.cards[ITEM_DISCARD]
    return any(card not in discarded and not is_face_up(look, card) for card in kinds)


# Cards that a player really has


def ex_cards_at(deck: Deck, look: TableReader, seat: int, timing: str) -> tuple[int, ...]:
    """Return the player's EX cards that can be used at this point in time."""
    fits = deck.at[timing]
    return tuple([card for card in look.cards[HAND[seat]] if card in fits])


def face_down_items(look: TableReader, seat: int, kinds: Sequence[int]) -> tuple[int, ...]:
    """Return the items in `kinds` that the player has face down."""
    return tuple(
        [card for card in look.cards[ITEMS[seat]] if card in kinds and not is_face_up(look, card)]
    )


def usable_ability(deck: Deck, look: TableReader, seat: int, timing: str) -> tuple[int, ...]:
    """Return the player's character card if its ability can be used at this point in time,
    or ().
    """
    held = look.cards[CHARACTER[seat]]
    if not held or held[0] not in deck.at[timing] or SPENT.of(look, seat):
        return ()
    return held


# The windows, each as the question whether to ask, and what the question admits


def may_reroll_start(deck: Deck, look: TableReader, seat: int) -> bool:
    """Return whether the player might have the Festival Map (4.2)."""
    fits = deck.items_at["start"]
    return any(card in fits for card in face_up_items(look, seat)) or might_own_item(
        look, seat, fits
    )


def reroll_start_offers(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    """Return the offers to reroll the start position with the Festival Map."""
    fits = deck.at["start"]
    maps = tuple([card for card in look.cards[ITEMS[seat]] if card in fits])
    return _with_pass("again", maps)


def may_react_to_movement(deck: Deck, look: TableReader, seat: int) -> bool:
    """Return whether the player might have a Move card and has an area to go to (5.3)."""
    return might_hold_ex(look, seat, deck.ex_at["near_move"]) and bool(
        areas_one_step_away(deck, look, seat)
    )


def move_card_offers(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    """Return the offers to react with a Move card that leads to an area one step away."""
    cards = ex_cards_at(deck, look, seat, "near_move")
    return (one("answer", cards, areas_one_step_away(deck, look, seat)), PASS) if cards else (PASS,)


def may_evade(deck: Deck, look: TableReader, seat: int) -> bool:
    """Return whether the player has a double,
    or might have a card to evade the attack (5.5, 5.6).
    """
    if DOUBLE.of(look, seat):
        return True
    fits = _evasions(deck, look)
    return any(card in fits for card in face_up_items(look, seat)) or might_own_item(
        look, seat, fits
    )


def evade_offers(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    """Return the offers to evade the attack, or to send the double."""
    offers = [PASS]
    fits = _evasions(deck, look)
    cards = tuple([card for card in look.cards[ITEMS[seat]] if card in fits])
    if cards:
        offers.append(one("evade", cards))
    if DOUBLE.of(look, seat):
        offers.append(one("stand_in", look.cards[CHARACTER[seat]]))
    return tuple(offers)


def _evasions(deck: Deck, look: TableReader) -> tuple[int, ...]:
    return deck.hides if FIGHT.of(look) == SNIPE else deck.escapes


def may_turn_up_gear(deck: Deck, look: TableReader, seat: int) -> bool:
    """Return whether the player might have face-down gear that works in a fight (6.2)."""
    return might_own_item(look, seat, deck.fighting)


def gear_offers(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    """Return the offers to turn up any number of gear items."""
    cards = face_down_items(look, seat, deck.fighting)
    return (Offer("gear", cards, least=1, most=len(cards)), PASS) if cards else (PASS,)


def may_play_ex(deck: Deck, look: TableReader, seat: int, timing: str) -> bool:
    """Return whether the player might hold an EX card for this point
    in time (4.4, 5.7, 6.4, 6.8, 6.9).
    """
    return might_hold_ex(look, seat, deck.ex_at[timing])


def ex_offers(deck: Deck, look: TableReader, seat: int, timing: str) -> tuple[Offer, ...]:
    """Return the offers to play an EX card at this point in time."""
    return _with_pass(VERBS[timing], ex_cards_at(deck, look, seat, timing))


VERBS: Final = {
    "initiative": "go_first",
    "hit_suffered": "dodge",
    "after_own_attack": "chain",
    "after_enemy_attack": "counter",
    "search": "find",
}


def may_reroll(deck: Deck, look: TableReader, seat: int, throw: str) -> bool:
    """Return whether the player has an ability to reroll,
    or might hold an EX card for it (6.7, S17).
    """
    fits = deck.rerolls[throw]
    return any(
        card in fits for card in usable_ability(deck, look, seat, "own_roll")
    ) or might_hold_ex(look, seat, deck.ex_rerolls[throw])


def reroll_offers(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    """Return the offers to reroll the dice that are on the table."""
    fits = deck.rerolls[THROW.of(look)]
    cards = ex_cards_at(deck, look, seat, "own_roll") + usable_ability(deck, look, seat, "own_roll")
    return _with_pass("reroll", tuple([card for card in cards if card in fits]))


def may_forbid(deck: Deck, look: TableReader, seat: int) -> bool:
    """Return whether the player is in play and might hold a card to close an area (4.4, S24)."""
    return STATUS.of(look, seat) == IN and may_play_ex(deck, look, seat, "forbid")


def may_use_intermission(deck: Deck, look: TableReader, seat: int) -> bool:
    """Return whether the player has an ability or might have an item to use
    in the intermission (4.6).
    """
    if intermission_ability(deck, look, seat):
        return True
    fits = useful_items(deck, look, seat)
    return any(card in fits for card in face_up_items(look, seat)) or might_own_item(
        look, seat, fits
    )


def useful_items(deck: Deck, look: TableReader, seat: int) -> tuple[int, ...]:
    """Return the items that would have an effect for the player in the intermission (S27).

    Only public information is used: lost stamina, numbers of cards, items that were seen.
    """
    useless: set[int] = set()
    if not lost_stamina(deck, look, seat):
        useless |= deck.heal.keys()
    if not (look.cards[HAND[seat]] and has_items_to_draw(look)):
        useless |= deck.trades
    if not peekable_zones(look, seat):
        useless |= deck.peeks
    return tuple([card for card in deck.items_at["intermission"] if card not in useless])


def peekable_zones(look: TableReader, seat: int) -> tuple[str, ...]:
    """Return the item zones of other players that contain a face-down item `seat` hasn't seen."""
    shown = look.shown
    return tuple(
        [
            ITEMS[other]
            for other in range(look.seats)
            if other != seat
            and any(
                not is_face_up(look, card) and seat not in shown.get(card, ())
                for card in look.cards[ITEMS[other]]
            )
        ]
    )


def lost_stamina(deck: Deck, look: TableReader, seat: int) -> int:
    """Return how much stamina the player's character has lost (S18)."""
    (card,) = look.cards[CHARACTER[seat]]
    return deck.sister[card].stamina - STAMINA.of(look, seat)


def intermission_ability(deck: Deck, look: TableReader, seat: int) -> tuple[int, ...]:
    """Return the character card if its ability has an effect in the intermission,
    or () (4.6, S27).
    """
    card = usable_ability(deck, look, seat, "intermission")
    if not card or (card[0] in deck.doubles and DOUBLE.of(look, seat)):
        return ()
    if card[0] not in deck.doubles and not look.cards[EX_PILE]:
        return ()
    return card


def has_items_to_draw(look: TableReader) -> bool:
    """Return whether there are any items left to draw."""
    return bool(look.cards[ITEM_PILE] or look.cards[ITEM_DISCARD])


def _with_pass(verb: str, cards: tuple[int, ...]) -> tuple[Offer, ...]:
    return (one(verb, cards), PASS) if cards else (PASS,)
