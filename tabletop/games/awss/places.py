"""Where cards lie and what is counted, by name, beside the board's own (`board`)."""

from tabletop.engine.model import Look
from tabletop.games.awss.board import BOARD, SEATS, Board, read

SEASONS = ("autumn", "winter", "spring", "summer")
"""As in `effects`, but here they are words of sentences and get translated."""
SUMMER = 3

YEARS = 3
PICKS = 4
DIRECTION = {1: 1, 2: -1, 3: 1}
"""Hands go to the left in the first and third year, to the right in the second (A2)."""
SLOTS = (1, 2)
PUBLIC = tuple(f"public/{slot}" for slot in SLOTS)
HAND = tuple(f"hand/{seat}" for seat in SEATS)
NEXT = tuple(f"next/{seat}" for seat in SEATS)
LAID = tuple(f"laid/{seat}" for seat in SEATS)
"""Where a pick lies that may still be changed (A3)."""
PICKED = tuple(f"picks/{seat}" for seat in SEATS)
OLDER = tuple(f"older/{seat}" for seat in SEATS)
CLAIM = tuple(tuple(f"claim/{slot}/{seat}" for seat in SEATS) for slot in SLOTS)
POINTS = tuple(tuple(f"points/{season}/{seat}" for seat in SEATS) for season in SEASONS)
VICTORY = tuple(tuple(f"victory/{season}/{seat}" for seat in SEATS) for season in SEASONS)
SCORE = tuple(f"score/{seat}" for seat in SEATS)
LOCKED = tuple(f"locked/{seat}" for seat in SEATS)
AWARD = tuple(f"award/{seat}" for seat in SEATS)
GAIN = tuple(f"gain/{seat}" for seat in SEATS)
"""What somebody has just gained, and whether it still lies with the season or with the sum."""
WITH_THE_SUM = len(SEASONS)
STRENGTH = tuple(f"strength/{season}" for season in SEASONS)
"""What the own board would bring: told by previews of the order alone, no value of the table."""


def free_cells(state: Look, seat: int) -> tuple[str, ...]:
    """The cells of the seat's board with no card."""
    return tuple([zone for zone in BOARD[seat] if not state.cards[zone]])


def other_boards(state: Look, seat: int) -> list[Board]:
    """The boards of all but the seat."""
    return [read(state, other) for other in range(state.seats) if other != seat]
