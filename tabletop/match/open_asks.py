"""The questions of a table that must be answered, and who must answer them."""

from tabletop.engine.model import Ask, State


def open_asks(state: State) -> tuple[Ask, ...]:
    """The questions that must be answered and are not."""
    return tuple(a for a in state.asks if not a.optional and a.id not in state.answers)


def awaited_seats(state: State) -> tuple[int, ...]:
    """The seats that must answer now, in seat order; players with only optional answers are
    skipped."""
    return tuple(sorted({ask.seat for ask in open_asks(state)}))
