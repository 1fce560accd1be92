"""Timing windows: every player who could answer by open information is asked (rulebook 11).

Asking only the holders of a fitting card would reveal them. So only open information counts: the
number of a hand's EX cards and of face-down items, discards, face-up items, abilities. A player for
whom it can't be ruled out is asked, with `pass` alone where nothing fits.
"""

from collections.abc import Sequence
from typing import Final

from tabletop.engine.model import Offer, TableReader, one
from tabletop.games.royale.areas import steps
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
    face_up,
    turned_up,
)

PASS: Final = Offer("pass")

# Public knowledge


def could_hold(look: TableReader, seat: int, kinds: Sequence[int]) -> bool:
    """Whether one of these EX cards may be in the player's hand."""
    if not look.cards[HAND[seat]]:
        return False
    discarded = look.cards[EX_DISCARD]
    return any(card not in discarded for card in kinds)


def could_own(look: TableReader, seat: int, kinds: Sequence[int]) -> bool:
    """Whether one of these items may be face-down before the player."""
    held = look.cards[ITEMS[seat]]
    if len(held) == len(turned_up(look, seat)):
        return False
    discarded = look.cards[ITEM_DISCARD]
    return any(card not in discarded and not face_up(look, card) for card in kinds)


# Cards that a player really has


def in_hand(deck: Deck, look: TableReader, seat: int, timing: str) -> tuple[int, ...]:
    """The EX cards of the hand that fit the moment."""
    fits = deck.at[timing]
    return tuple([card for card in look.cards[HAND[seat]] if card in fits])


def face_down(look: TableReader, seat: int, kinds: Sequence[int]) -> tuple[int, ...]:
    """The player's own among these items that are not turned up yet."""
    return tuple(
        [card for card in look.cards[ITEMS[seat]] if card in kinds and not face_up(look, card)]
    )


def ability(deck: Deck, look: TableReader, seat: int, timing: str) -> tuple[int, ...]:
    """The character card, where its ability fits the moment and is not used up."""
    held = look.cards[CHARACTER[seat]]
    if not held or held[0] not in deck.at[timing] or SPENT.of(look, seat):
        return ()
    return held


# The windows, each as the question whether to ask, and what the question admits


def may_start_again(deck: Deck, look: TableReader, seat: int) -> bool:
    """4.2: the map of short cuts, face-up or possibly face-down."""
    fits = deck.items_at["start"]
    return any(card in fits for card in turned_up(look, seat)) or could_own(look, seat, fits)


def start_again(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    """The map, face-up or face-down."""
    fits = deck.at["start"]
    maps = tuple([card for card in look.cards[ITEMS[seat]] if card in fits])
    return _with_pass("again", maps)


def may_come_near(deck: Deck, look: TableReader, seat: int) -> bool:
    """5.3: a Move card, and somewhere to go with it."""
    return could_hold(look, seat, deck.ex_at["near_move"]) and bool(steps(deck, look, seat))


def come_near(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    """Each Move card, with every area one step away."""
    cards = in_hand(deck, look, seat, "near_move")
    return (one("answer", cards, steps(deck, look, seat)), PASS) if cards else (PASS,)


def may_evade(deck: Deck, look: TableReader, seat: int) -> bool:
    """5.5, 5.6: a double that is ready, or a card that prevents a battle or a snipe."""
    if DOUBLE.of(look, seat):
        return True
    fits = _evasions(deck, look)
    return any(card in fits for card in turned_up(look, seat)) or could_own(look, seat, fits)


def evade(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    """Return the cards that prevent this, and the double."""
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


def may_gear(deck: Deck, look: TableReader, seat: int) -> bool:
    """6.2: face-down gear."""
    return could_own(look, seat, deck.fighting)


def gear(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    """As many as the player likes, at once."""
    cards = face_down(look, seat, deck.fighting)
    return (Offer("gear", cards, least=1, most=len(cards)), PASS) if cards else (PASS,)


def may_play(deck: Deck, look: TableReader, seat: int, timing: str) -> bool:
    """6.4, 6.8, 6.9, 5.7, 4.4: an EX card for the moment."""
    return could_hold(look, seat, deck.ex_at[timing])


def play(deck: Deck, look: TableReader, seat: int, timing: str) -> tuple[Offer, ...]:
    """The EX cards for the moment."""
    return _with_pass(VERBS[timing], in_hand(deck, look, seat, timing))


VERBS: Final = {
    "initiative": "go_first",
    "hit_suffered": "dodge",
    "after_own_attack": "chain",
    "after_enemy_attack": "counter",
    "search": "find",
}


def may_reroll(deck: Deck, look: TableReader, seat: int, throw: str) -> bool:
    """6.7, S17: an ability that isn't used up, or an EX card."""
    fits = deck.rerolls[throw]
    return any(card in fits for card in ability(deck, look, seat, "own_roll")) or could_hold(
        look, seat, deck.ex_rerolls[throw]
    )


def reroll(deck: Deck, look: TableReader, seat: int) -> tuple[Offer, ...]:
    """The cards and the ability that throw the dice on the table again."""
    fits = deck.rerolls[THROW.of(look)]
    cards = in_hand(deck, look, seat, "own_roll") + ability(deck, look, seat, "own_roll")
    return _with_pass("reroll", tuple([card for card in cards if card in fits]))


def may_forbid(deck: Deck, look: TableReader, seat: int) -> bool:
    """4.4, S24: only players who take part."""
    return STATUS.of(look, seat) == IN and may_play(deck, look, seat, "forbid")


def may_use_break(deck: Deck, look: TableReader, seat: int) -> bool:
    """4.6: an ability, or items; without any of them the player is passed over."""
    if break_ability(deck, look, seat):
        return True
    fits = useful(deck, look, seat)
    return any(card in fits for card in turned_up(look, seat)) or could_own(look, seat, fits)


def useful(deck: Deck, look: TableReader, seat: int) -> tuple[int, ...]:
    """S27: the items that would change something for this player in the intermission.

    That depends on open information: lost stamina, the number of EX cards, the looks at cards.
    """
    useless: set[int] = set()
    if not lost(deck, look, seat):
        useless |= deck.heal.keys()
    if not (look.cards[HAND[seat]] and items_to_draw(look)):
        useless |= deck.trades
    if not peekable(look, seat):
        useless |= deck.peeks
    return tuple([card for card in deck.items_at["intermission"] if card not in useless])


def peekable(look: TableReader, seat: int) -> tuple[str, ...]:
    """The places of players with a face-down item that this one does not see."""
    shown = look.shown
    return tuple(
        [
            ITEMS[other]
            for other in range(look.seats)
            if other != seat
            and any(
                not face_up(look, card) and seat not in shown.get(card, ())
                for card in look.cards[ITEMS[other]]
            )
        ]
    )


def lost(deck: Deck, look: TableReader, seat: int) -> int:
    """S18: how much stamina the character has lost."""
    (card,) = look.cards[CHARACTER[seat]]
    return deck.sister[card].stamina - STAMINA.of(look, seat)


def break_ability(deck: Deck, look: TableReader, seat: int) -> tuple[int, ...]:
    """4.6, S27: the ability for an intermission, unless it would change nothing."""
    card = ability(deck, look, seat, "intermission")
    if not card or (card[0] in deck.doubles and DOUBLE.of(look, seat)):
        return ()
    if card[0] not in deck.doubles and not look.cards[EX_PILE]:
        return ()
    return card


def items_to_draw(look: TableReader) -> bool:
    """Whether an item can still be drawn."""
    return bool(look.cards[ITEM_PILE] or look.cards[ITEM_DISCARD])


def _with_pass(verb: str, cards: tuple[int, ...]) -> tuple[Offer, ...]:
    return (one(verb, cards), PASS) if cards else (PASS,)
