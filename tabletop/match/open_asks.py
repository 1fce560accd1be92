"""The open questions of a table and the seats that must answer them."""

from tabletop.engine.model import Ask, State


def open_asks(state: State) -> tuple[Ask, ...]:
    """Return the mandatory questions that haven't been answered."""
    return tuple(a for a in state.asks if not a.optional and a.id not in state.answers)


def awaited_seats(state: State) -> tuple[int, ...]:
    """Return the seats with unanswered mandatory questions, in ascending order."""
    return tuple(sorted({ask.seat for ask in open_asks(state)}))
