"""Items and EX cards: drawing, turning up, using, and discarding down to the limit (rulebook 8)."""

from typing import Final

from tabletop.engine.model import Move, Pen, TableReader
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.places import (
    EX_DISCARD,
    EX_PILE,
    HAND,
    ITEM_DISCARD,
    ITEM_PILE,
    ITEMS,
    SPENT,
    is_face_up,
)

MANY_PLAYERS: Final = 9
"""The number of players from which fewer EX cards are dealt and fewer items may be kept."""


def item_limit(look: TableReader) -> int:
    """Return the maximum number of items that a player may keep (8, S20)."""
    return 3 if look.seats >= MANY_PLAYERS else 4


def draw_items(table: Pen, seat: int, count: int) -> None:
    """Draw items, reshuffling the discards if necessary, and enforce the item limit (8, S20)."""
    drawn: list[int] = []
    for _ in range(count):
        if not table.state.cards[ITEM_PILE] and table.state.cards[ITEM_DISCARD]:
            for card in table.state.cards[ITEM_DISCARD]:
                table.move(card, ITEM_DISCARD, ITEM_PILE)
            table.shuffle(ITEM_PILE)
        drawn += table.draw(ITEM_PILE, ITEMS[seat])
    if drawn:
        table.say("{seat} draws {cards}.", *drawn, seat=seat)
    enforce_item_limit(table, seat)


def enforce_item_limit(table: Pen, seat: int) -> None:
    """Ask a player with too many items to discard (8)."""
    look = table.state
    if len(look.cards[ITEMS[seat]]) > item_limit(look):
        table.ask(seat, "discard")


def draw_ex(table: Pen, seat: int, count: int) -> None:
    """Draw EX cards. The pile isn't replenished before the end of a turn (S21)."""
    drawn = table.draw(EX_PILE, HAND[seat], count)
    if drawn:
        table.say("{seat} draws {cards}.", *drawn, seat=seat)


def turn_up(table: Pen, seat: int, card: int) -> None:
    """Turn an item face up for good (S19)."""
    if not is_face_up(table.state, card):
        table.show(ITEMS[seat], card)


def discard_card(table: Pen, seat: int, card: int) -> None:
    """Move a card to the discard pile of its kind."""
    if card in table.state.cards[HAND[seat]]:
        table.move(card, HAND[seat], EX_DISCARD)
    else:
        table.move(card, ITEMS[seat], ITEM_DISCARD)


def discard_chosen(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """Discard the cards that the player has chosen to get down to the limit (8, 4.5)."""
    for card in move.cards:
        discard_card(table, seat, card)
    table.say("{seat} discards {cards}.", *move.cards, seat=seat)


def use_card(deck: Deck, table: Pen, seat: int, card: int) -> None:
    """Use a card: discard an EX card or a single-use item, turn another item up (S14, S19).

    An ability is marked as used.
    """
    look = table.state
    if card in look.cards[HAND[seat]] or card in deck.single_use:
        discard_card(table, seat, card)
    elif card in look.cards[ITEMS[seat]]:
        turn_up(table, seat, card)
    else:
        SPENT.set(table, seat, True)  # an ability


def give_item(table: Pen, card: int, giver: int, taker: int) -> None:
    """Move an item to another player without turning it over (S16, S22)."""
    was_up = is_face_up(table.state, card)
    table.move(card, ITEMS[giver], ITEMS[taker])
    if was_up:
        table.show(ITEMS[taker], card)
