"""Scores of a house in whole numbers, counted quickly for every trade considered.

Everything that counts at the end is a sum over cards, category by category: what they produce, and
how many of them harvest. So a card is a row of eleven numbers, and a trade subtracts one row and
adds another. The numbers of a row are packed into one integer of five bits each, so that rows are
added in one step; no sum over the whole deck overflows its bits (`PACKED`), and compiled code adds
them without making an object. Kinds are no sums; they are kept apart as bits.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from tabletop.games.sisters.deck import Deck

Row = int

PACKED: Final = "plant animal two one foods plants animals twos ones crowns food"
"""The numbers of a row from its lowest bits on: production is named by one card, harvesters by
several. Food comes last, where bits have no limit: 38 are more than five cards hold."""

COUNT: Final = [bits.bit_count() for bits in range(1 << 12)]
"""The number of kinds in a set of bits."""


def rows_of(deck: Deck) -> tuple[Row, ...]:
    """The row of each card of the deck."""
    rows = []
    for card in range(len(deck.rank)):
        food, plant, animal, two, one, _ = deck.production((card,))
        numbers = (plant, animal, two, one, *deck.harvesters((card,)), food)
        rows.append(sum([number << 5 * place for place, number in enumerate(numbers)]))
    return tuple(rows)


def added(rows: Sequence[Row], cards: Iterable[int]) -> Row:
    """Return the production and harvests of these cards together."""
    total = 0
    for card in cards:
        total += rows[card]
    return total


def home(row: Row, kinds: int) -> int:
    """7.1 to 7.5: the score of such a house by itself. The factors are repeated in `TIMES`: a
    compiled module is fastest with plain numbers."""
    return (
        (row >> 50) * ((row >> 20 & 31) - 1)
        + (row & 31) * ((row >> 25 & 31) - 1) * 2
        + (row >> 5 & 31) * ((row >> 30 & 31) - 1) * 4
        + ((row >> 10 & 31) - 1) * (row >> 35 & 31) * 2
        + ((row >> 15 & 31) - 1) * (row >> 40 & 31) * 5
        + (COUNT[kinds] - 1) * (row >> 45 & 31) * 4
    )


def harvest(row: Row, kinds: int, guests: Row) -> int:
    """7.6: what guests harvest from such a house; times as in `home`."""
    return (
        (row >> 50) * (guests >> 20 & 31)
        + (row & 31) * (guests >> 25 & 31) * 2
        + (row >> 5 & 31) * (guests >> 30 & 31) * 4
        + (row >> 10 & 31) * (guests >> 35 & 31) * 2
        + (row >> 15 & 31) * (guests >> 40 & 31) * 5
        + COUNT[kinds] * (guests >> 45 & 31) * 4
    )
