"""The names of zones and public values, and constants of the game."""

from typing import Final

from tabletop.engine.model import Flag, Number, Numbers, TableReader, Word, each

SEATS: Final = range(10)
TEN: Final = 10
NUMBERS: Final = range(1, TEN + 1)
SLOT_COUNT: Final = 5
POINTS: Final = (0, 5, 3, 3, 3, 2, 2, 2, 1, 1, 1)
"""The points for each terminal card, indexed by number (9.2)."""

SCORE_SHEET_NUMBERS: Final = ((1,), (2, 3, 4), (5, 6, 7), (8, 9, 10))
"""The numbers that are counted together in each line of the score sheet."""


def _by_number(name: str) -> tuple[str, ...]:
    """Return the names of zones indexed by number. The element at index 0 is ""."""
    return ("", *each(name, NUMBERS))


PILE: Final = each("pile", SEATS)
WORK: Final = each("work", SEATS)
DONE: Final = each("done", SEATS)
FLUSHED: Final = each("flushed", SEATS)
SLOTS: Final = tuple(each(own, range(1, SLOT_COUNT + 1)) for own in each("slot", SEATS))
TERMINAL: Final = tuple(map(_by_number, each("terminal", SEATS)))

OUT: Final = Word("out/{seat}")
"""The reason why a seat has left: "stuck", `SPENT` (nothing left to score) or "perfect";
"" if it hasn't left.
"""
SPENT: Final = "spent"
SCORE: Final = Number("score/{seat}")
NEED: Final = Number("need/{seat}")
"""The number that comes next in the seat's workspace."""
UNSEEN: Final = Number("unseen/{seat}/{number}")
"""The number of face-down copies of a number in the seat's pile. This is public information."""
TOOK: Final = Numbers("took/{seat}")
"""The numbers of the terminal cards that the seat has taken, in order."""
CUT: Final = Flag("cut/{number}")
"""Whether the terminal cards with this number are cut off for all players."""
TURN: Final = Number("turn")
LIMIT: Final = Number("limit")
"""The number of players who can take their terminal card with the same number."""


def count_takers(state: TableReader, number: int) -> int:
    """Return how many players have taken their terminal card with this number (6.2)."""
    return sum([not state.cards[TERMINAL[seat][number]] for seat in range(state.seats)])
