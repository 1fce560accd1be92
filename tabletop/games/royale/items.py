"""Items and EX cards change hands: drawn, turned up, used, discarded down to the limit (8)."""

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
    face_up,
)

MANY: Final = 9
"""The number of players from which fewer EX cards are dealt and fewer items held."""


def item_limit(look: TableReader) -> int:
    """8, S20: how many items a player may hold."""
    return 3 if look.seats >= MANY else 4


def draw_items(table: Pen, seat: int, count: int) -> None:
    """8, S20: from the pile, or from the discards made into a new one; then the limit."""
    drawn: list[int] = []
    for _ in range(count):
        if not table.state.cards[ITEM_PILE] and table.state.cards[ITEM_DISCARD]:
            for card in table.state.cards[ITEM_DISCARD]:
                table.move(card, ITEM_DISCARD, ITEM_PILE)
            table.shuffle(ITEM_PILE)
        drawn += table.draw(ITEM_PILE, ITEMS[seat])
    if drawn:
        table.say("{seat} draws {cards}.", *drawn, seat=seat)
    keep_limit(table, seat)


def keep_limit(table: Pen, seat: int) -> None:
    """8: a player with too many items discards at once, by their own choice."""
    look = table.state
    if len(look.cards[ITEMS[seat]]) > item_limit(look):
        table.ask(seat, "discard")


def draw_ex(table: Pen, seat: int, count: int) -> None:
    """S21: an empty pile gives nothing; it is made afresh only at the end of a turn."""
    drawn = table.draw(EX_PILE, HAND[seat], count)
    if drawn:
        table.say("{seat} draws {cards}.", *drawn, seat=seat)


def turn_up(table: Pen, seat: int, card: int) -> None:
    """S19: from now on everybody sees this item."""
    if not face_up(table.state, card):
        table.show(ITEMS[seat], card)


def throw_away(table: Pen, seat: int, card: int) -> None:
    """Put a card on the discards of its kind."""
    if card in table.state.cards[HAND[seat]]:
        table.move(card, HAND[seat], EX_DISCARD)
    else:
        table.move(card, ITEMS[seat], ITEM_DISCARD)


def discard(deck: Deck, table: Pen, seat: int, move: Move) -> None:
    """8, 4.5: discard down to the limit; discards are open."""
    for card in move.cards:
        throw_away(table, seat, card)
    table.say("{seat} discards {cards}.", *move.cards, seat=seat)


def use(deck: Deck, table: Pen, seat: int, card: int) -> None:
    """S14, S19: use a card. EX cards and single-use items are discarded, other items are opened."""
    look = table.state
    if card in look.cards[HAND[seat]] or card in deck.single_use:
        throw_away(table, seat, card)
    elif card in look.cards[ITEMS[seat]]:
        turn_up(table, seat, card)
    else:
        SPENT.set(table, seat, True)  # an ability


def give(table: Pen, card: int, giver: int, taker: int) -> None:
    """S16, S22: an item goes from one player to another and keeps its side."""
    was_up = face_up(table.state, card)
    table.move(card, ITEMS[giver], ITEMS[taker])
    if was_up:
        table.show(ITEMS[taker], card)
