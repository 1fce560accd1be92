"""The scores of a free table, as defined in its file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.engine.model import TableReader
from tabletop.free_table.components import FreeTable, ScoreEntry
from tabletop.free_table.offers import TableComponents

Deck = Sequence[Mapping[str, Any]]


def count_scores(
    table: FreeTable, deck: Deck, at: TableComponents, state: TableReader, openly: bool
) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """Return each player's total, and for each line of the score sheet every player's points.

    If `openly` is true, lines that depend on hidden cards give 0 points.
    """
    seats = range(state.seats)
    lines = tuple(
        tuple(_points(line, deck, at, state, seat, openly) * line.times for seat in seats)
        for line in table.score
    )
    return tuple(sum(line[seat] for line in lines) for seat in seats), lines


def _points(
    line: ScoreEntry, deck: Deck, at: TableComponents, state: TableReader, seat: int, openly: bool
) -> int:
    if line.counter:
        return int(state.values[f"{line.counter}/{seat}"])
    spots = [spot for spot in at.spots.values() if (spot.home, spot.owner) == (line.zone, seat)]
    if openly and line.column and spots[0].hidden:
        return 0
    cards = [card for spot in spots for card in state.cards[spot.name]]
    return (
        sum(field_number(deck[card].get(line.column, 0)) for card in cards)
        if line.column
        else len(cards)
    )


def field_number(field: object) -> int:
    """Return a card field as an integer; 0 if it isn't one.

    Numbers from spreadsheets may be text.
    """
    try:
        return int(str(field))
    except ValueError:
        return 0
