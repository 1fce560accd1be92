"""Where cards lie and what is counted, by name; numbers of the game."""

from tabletop.engine.model import Look

MOST_SEATS = 10
TEN = 10
NUMBERS = range(1, TEN + 1)
SLOT_COUNT = 5
POINTS = (0, 5, 3, 3, 3, 2, 2, 2, 1, 1, 1)
"""Of each terminal card, by its number (9.2)."""

SHEET = ((1,), (2, 3, 4), (5, 6, 7), (8, 9, 10))
"""The numbers that each line of the score sheet counts."""


def _for_seats(name: str) -> tuple[str, ...]:
    return tuple(f"{name}/{seat}" for seat in range(MOST_SEATS))


def _for_numbers(name: str) -> tuple[tuple[str, ...], ...]:
    """By seat and number; there is no number 0."""
    return tuple(
        ("", *(f"{name}/{seat}/{number}" for number in NUMBERS)) for seat in range(MOST_SEATS)
    )


PILE = _for_seats("pile")
WORK = _for_seats("work")
DONE = _for_seats("done")
FLUSHED = _for_seats("flushed")
SLOTS = tuple(
    tuple(f"slot/{seat}/{slot}" for slot in range(1, SLOT_COUNT + 1)) for seat in range(MOST_SEATS)
)
TERMINAL = _for_numbers("terminal")

OUT = _for_seats("out")
"""Why a seat has left the game: "stuck", "spent" (nothing left to score), "perfect"; "" is in."""
SCORE = _for_seats("score")
NEED = _for_seats("need")
"""The number that the seat's workspace takes next."""
UNSEEN = _for_numbers("unseen")
"""How many copies of a number lie face down in the seat's pile. Everybody can count them."""
TOOK = _for_seats("took")
"""The terminal cards that the seat has taken, as numbers in the order of taking: "9 7 10"."""
CUT = ("", *(f"cut/{number}" for number in NUMBERS))


def takers(state: Look, number: int) -> int:
    """6.2: how many have taken their terminal card of this number."""
    return sum([not state.cards[TERMINAL[seat][number]] for seat in range(state.seats)])
