"""Names of zones and counters besides the board's own (`board`)."""

from typing import Final

from tabletop.engine.model import Flag, Number, Numbers, TableReader, Word, each
from tabletop.games.awss.board import BOARD, SEATS, Board, read

SEASONS: Final = ("autumn", "winter", "spring", "summer")
"""As in `effects`, but here they are words of sentences and get translated."""
SUMMER: Final = 3

YEARS: Final = 3
PICKS: Final = 4
DIRECTION: Final = {1: 1, 2: -1, 3: 1}
"""Hands go to the left in the first and third year, to the right in the second (A2)."""
SLOTS: Final = (1, 2)
PUBLIC: Final = each("public", SLOTS)
HAND: Final = each("hand", SEATS)
NEXT: Final = each("next", SEATS)
LAID: Final = each("laid", SEATS)
"""The zone of a pick that may still be changed (A3)."""
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
"""The points that a seat has just gained; `AWARD` says whether they lie with the season or the
sum."""
WITH_THE_SUM: Final = len(SEASONS)
CALL: Final = Word("call")
"""The simultaneous action that is being announced; "" for none."""
CONTEST: Final = Numbers("contest", between=",")
"""The seats that are rolling for a card. Their throws and the card are in `ROLLS` and `PRIZE`; all
three are empty afterwards."""
ROLLS: Final = Numbers("rolls", between=",")
PRIZE: Final = Word("prize")
STRENGTH: Final = Number("strength/{season}")
"""The points that one's own board would bring in a season. Only previews of the order have it: it
is no value of the table."""


def free_cells(state: TableReader, seat: int) -> tuple[str, ...]:
    """The cells of the seat's board with no card."""
    return tuple([zone for zone in BOARD[seat] if not state.cards[zone]])


def other_boards(state: TableReader, seat: int) -> list[Board]:
    """The boards of all but the seat."""
    return [read(state, other) for other in range(state.seats) if other != seat]
