"""Where cards lie and what is counted, by name; numbers of the game."""

from tabletop.engine.model import Look, each

SEATS = range(10)
TEN = 10
NUMBERS = range(1, TEN + 1)
SLOT_COUNT = 5
POINTS = (0, 5, 3, 3, 3, 2, 2, 2, 1, 1, 1)
"""Of each terminal card, by its number (9.2)."""

SHEET = ((1,), (2, 3, 4), (5, 6, 7), (8, 9, 10))
"""The numbers that each line of the score sheet counts."""


def _by_number(name: str) -> tuple[str, ...]:
    """By number; there is no number 0."""
    return ("", *each(name, NUMBERS))


PILE = each("pile", SEATS)
WORK = each("work", SEATS)
DONE = each("done", SEATS)
FLUSHED = each("flushed", SEATS)
SLOTS = tuple(each(own, range(1, SLOT_COUNT + 1)) for own in each("slot", SEATS))
TERMINAL = tuple(map(_by_number, each("terminal", SEATS)))

OUT = each("out", SEATS)
"""Why a seat has left the game: "stuck", "spent" (nothing left to score), "perfect"; "" is in."""
SCORE = each("score", SEATS)
NEED = each("need", SEATS)
"""The number that the seat's workspace takes next."""
UNSEEN = tuple(map(_by_number, each("unseen", SEATS)))
"""How many copies of a number lie face down in the seat's pile. Everybody can count them."""
TOOK = each("took", SEATS)
"""The terminal cards that the seat has taken, as numbers in the order of taking: "9 7 10"."""
CUT = _by_number("cut")


def takers(state: Look, number: int) -> int:
    """6.2: how many have taken their terminal card of this number."""
    return sum([not state.cards[TERMINAL[seat][number]] for seat in range(state.seats)])
