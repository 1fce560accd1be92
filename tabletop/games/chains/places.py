"""Names of zones and counters, and the numbers of the game."""

from typing import Final

from tabletop.engine.model import Flag, Number, Numbers, TableReader, Word, each

SEATS: Final = range(10)
TEN: Final = 10
NUMBERS: Final = range(1, TEN + 1)
SLOT_COUNT: Final = 5
POINTS: Final = (0, 5, 3, 3, 3, 2, 2, 2, 1, 1, 1)
"""The points of each terminal card, by its number (9.2)."""

SHEET: Final = ((1,), (2, 3, 4), (5, 6, 7), (8, 9, 10))
"""The numbers that each line of the score sheet counts."""


def _by_number(name: str) -> tuple[str, ...]:
    """The places of one name by number; there is no number 0."""
    return ("", *each(name, NUMBERS))


PILE: Final = each("pile", SEATS)
WORK: Final = each("work", SEATS)
DONE: Final = each("done", SEATS)
FLUSHED: Final = each("flushed", SEATS)
SLOTS: Final = tuple(each(own, range(1, SLOT_COUNT + 1)) for own in each("slot", SEATS))
TERMINAL: Final = tuple(map(_by_number, each("terminal", SEATS)))

OUT: Final = Word("out/{seat}")
"""Why a seat has left the game: "stuck", `SPENT` (nothing left to score), "perfect"; "" is in."""
SPENT: Final = "spent"
SCORE: Final = Number("score/{seat}")
NEED: Final = Number("need/{seat}")
"""The number that the seat's workspace takes next."""
UNSEEN: Final = Number("unseen/{seat}/{number}")
"""The number of face-down copies of a number in the seat's pile. Everybody can count them."""
TOOK: Final = Numbers("took/{seat}")
"""The terminal cards that the seat has taken, in the order of taking."""
CUT: Final = Flag("cut/{number}")
"""Whether a terminal card is cut off for everybody."""
TURN: Final = Number("turn")
LIMIT: Final = Number("limit")
"""How many may take their terminal card of a number."""


def takers(state: TableReader, number: int) -> int:
    """6.2: how many have taken their terminal card of this number."""
    return sum([not state.cards[TERMINAL[seat][number]] for seat in range(state.seats)])
