"""Fast computation of a house's score with packed integers.

Everything that counts at the end is a sum over cards: the production and the harvesters in each
category. A card is therefore a row of eleven numbers; a trade subtracts one row and adds another. A
row is packed into one integer with five bits for each number, so that two rows can be added in one
step. No sum over the whole deck overflows its bits (`PACKED_FIELDS`), and compiled code adds them
without memory allocation. Kinds can't be summed, so they are kept separately as bits.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from tabletop.games.sisters.deck import Deck

Row = int

PACKED_FIELDS: Final = "plant animal two one foods plants animals twos ones crowns food"
"""The names of a row's numbers, from the lowest bits up: production in the singular,
harvesters in the plural.

Food is last because the deck has 38 of it, which don't fit into five bits.
"""

KIND_COUNT: Final = [bits.bit_count() for bits in range(1 << 12)]
"""The number of kinds in a bit set, indexed by the bit set."""


def card_rows(deck: Deck) -> tuple[Row, ...]:
    """Return the row of each card in the deck."""
    rows = []
    for card in range(len(deck.rank)):
        food, plant, animal, two, one, _ = deck.production((card,))
        numbers = (plant, animal, two, one, *deck.harvesters((card,)), food)
        rows.append(sum([number << 5 * place for place, number in enumerate(numbers)]))
    return tuple(rows)


def sum_rows(rows: Sequence[Row], cards: Iterable[int]) -> Row:
    """Return the sum of the rows of these cards."""
    total = 0
    for card in cards:
        total += rows[card]
    return total


def house_score(row: Row, kinds: int) -> int:
    """Return what a house scores by itself (7.1 to 7.5).

    The factors are the same as in `TIMES`, repeated because compiled code is fastest with literals.
    """
    return (
        (row >> 50) * ((row >> 20 & 31) - 1)
        + (row & 31) * ((row >> 25 & 31) - 1) * 2
        + (row >> 5 & 31) * ((row >> 30 & 31) - 1) * 4
        + ((row >> 10 & 31) - 1) * (row >> 35 & 31) * 2
        + ((row >> 15 & 31) - 1) * (row >> 40 & 31) * 5
        + (KIND_COUNT[kinds] - 1) * (row >> 45 & 31) * 4
    )


def field_score(row: Row, kinds: int, guests: Row) -> int:
    """Return what `guests` harvest from a house (7.6). The factors are as in `house_score`."""
    return (
        (row >> 50) * (guests >> 20 & 31)
        + (row & 31) * (guests >> 25 & 31) * 2
        + (row >> 5 & 31) * (guests >> 30 & 31) * 4
        + (row >> 10 & 31) * (guests >> 35 & 31) * 2
        + (row >> 15 & 31) * (guests >> 40 & 31) * 5
        + KIND_COUNT[kinds] * (guests >> 45 & 31) * 4
    )
