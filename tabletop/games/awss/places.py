"""Names of zones and public values, except those of `board`."""

from typing import Final

from tabletop.engine.model import Flag, Number, Numbers, TableReader, Word, each
from tabletop.games.awss.board import BOARD, SEATS, Board, read_board

SEASONS: Final = ("autumn", "winter", "spring", "summer")
"""The names of the seasons as in `effects`, but translated when used in sentences."""
SUMMER: Final = 3

YEARS: Final = 3
PICKS: Final = 4
DIRECTION: Final = {1: 1, 2: -1, 3: 1}
"""The direction in which hands are passed, by year: 1 is left, -1 is right (A2)."""
SLOTS: Final = (1, 2)
PUBLIC: Final = each("public", SLOTS)
HAND: Final = each("hand", SEATS)
NEXT: Final = each("next", SEATS)
LAID: Final = each("laid", SEATS)
"""The zone for a pick that can still be changed (A3)."""
PICKED: Final = each("picks", SEATS)
OLDER: Final = each("older", SEATS)
CLAIM: Final = tuple(each(slot, SEATS) for slot in each("claim", SLOTS))
PHASE: Final = Word("phase")
YEAR: Final = Number("year")
ROUND: Final = Number("round")
POINTS: Final = Number("points/{season}/{seat}")
VICTORY: Final = Number("victory/{season}/{seat}")
SCORE: Final = Number("score/{seat}")
LOCKED: Final = Flag("locked/{seat}")
AWARD: Final = Word("award/{seat}")
GAIN: Final = Number("gain/{seat}")
"""The victory points that the seat has just gained. `AWARD` says whether to show them at the season
or at the total.
"""
WITH_THE_SUM: Final = len(SEASONS)
CALL: Final = Word("call")
"""The action being announced, which all players take at the same time; "" for none."""
CONTEST: Final = Numbers("contest", between=",")
"""The seats that roll for a card. `ROLLS` contains what they roll, `PRIZE` the card.

All three are empty after the contest.
"""
ROLLS: Final = Numbers("rolls", between=",")
PRIZE: Final = Word("prize")
STRENGTH: Final = Number("strength/{season}")
"""The points that the player's own board would score in a season; only in previews of the order."""


def free_cells(state: TableReader, seat: int) -> tuple[str, ...]:
    """Return the empty cells on the seat's board."""
    return tuple([zone for zone in BOARD[seat] if not state.cards[zone]])


def other_boards(state: TableReader, seat: int) -> list[Board]:
    """Return the boards of all players except `seat`."""
    return [read_board(state, other) for other in range(state.seats) if other != seat]
