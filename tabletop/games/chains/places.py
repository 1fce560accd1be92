"""Names of zones and public values, and the constants of the game."""

from typing import Final

from tabletop.engine.model import Flag, Number, Numbers, TableReader, Word, each

SEATS: Final = range(10)
TEN: Final = 10
NUMBERS: Final = range(1, TEN + 1)
SLOT_COUNT: Final = 5
POINTS: Final = (0, 5, 3, 3, 3, 2, 2, 2, 1, 1, 1)
"""The points of each terminal card, by number (9.2)."""

SCORE_SHEET_NUMBERS: Final = ((1,), (2, 3, 4), (5, 6, 7), (8, 9, 10))
"""The numbers counted in each line of the score sheet."""


def _by_number(name: str) -> tuple[str, ...]:
    """Return zone names indexed by number; the name at index 0 is ""."""
    return ("", *each(name, NUMBERS))


PILE: Final = each("pile", SEATS)
WORK: Final = each("work", SEATS)
DONE: Final = each("done", SEATS)
FLUSHED: Final = each("flushed", SEATS)
SLOTS: Final = tuple(each(own, range(1, SLOT_COUNT + 1)) for own in each("slot", SEATS))
TERMINAL: Final = tuple(map(_by_number, each("terminal", SEATS)))

OUT: Final = Word("out/{seat}")
"""Why a seat has left: "stuck", `SPENT` (nothing left to score) or "perfect"; "" if it hasn't."""
SPENT: Final = "spent"
SCORE: Final = Number("score/{seat}")
NEED: Final = Number("need/{seat}")
"""The next number in the seat's workspace."""
UNSEEN: Final = Number("unseen/{seat}/{number}")
"""The number of face-down copies of a number in the seat's pile, which is public information."""
TOOK: Final = Numbers("took/{seat}")
"""The terminal cards that the seat has taken, in order."""
CUT: Final = Flag("cut/{number}")
"""Whether a terminal card is cut off for all players."""
TURN: Final = Number("turn")
LIMIT: Final = Number("limit")
"""The number of players who can take their terminal card of the same number."""


def count_takers(state: TableReader, number: int) -> int:
    """Return how many players have taken their terminal card of this number (6.2)."""
    return sum([not state.cards[TERMINAL[seat][number]] for seat in range(state.seats)])
