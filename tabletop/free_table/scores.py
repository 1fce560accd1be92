"""The points of a free table, as its file counts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.engine.model import TableReader
from tabletop.free_table.components import FreeTable, ScoreEntry
from tabletop.free_table.offers import At

Deck = Sequence[Mapping[str, Any]]


def scores(
    table: FreeTable, deck: Deck, at: At, state: TableReader, openly: bool
) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """Each seat's points, and each seat's of every line of the sheet.

    `openly`: only those lines that everybody can count.
    """
    seats = range(state.seats)
    lines = tuple(
        tuple(_points(line, deck, at, state, seat, openly) * line.times for seat in seats)
        for line in table.score
    )
    return tuple(sum(line[seat] for line in lines) for seat in seats), lines


def _points(
    line: ScoreEntry, deck: Deck, at: At, state: TableReader, seat: int, openly: bool
) -> int:
    if line.counter:
        return int(state.values[f"{line.counter}/{seat}"])
    spots = [spot for spot in at.spots.values() if (spot.home, spot.owner) == (line.zone, seat)]
    if openly and line.column and spots[0].hidden:
        return 0
    cards = [card for spot in spots for card in state.cards[spot.name]]
    return (
        sum(number(deck[card].get(line.column, 0)) for card in cards) if line.column else len(cards)
    )


def number(field: object) -> int:
    """Return the number in a column: a spreadsheet's numbers may have come as text."""
    try:
        return int(str(field))
    except ValueError:
        return 0
