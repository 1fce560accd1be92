"""Check that an eliminated player isn't asked anything and stays eliminated (law 18)."""

from collections.abc import Iterable, Iterator

from tabletop.engine.model import State
from tabletop.games.game_semantics import GameSemantics


def find_violation(meaning: GameSemantics, tables: Iterable[State]) -> Iterator[str]:
    """Yield a message about the first violation in consecutive `tables` of
    a match, if there is one.

    The last state of a match has no questions.
    """
    out: set[int] = set()
    for table in tables:
        now = {seat for seat in range(table.seats) if meaning.is_eliminated(table, seat)}
        for seat in sorted(out - now):
            yield f"Player {seat + 1} is out, and after move {table.ply} not any more"
            return
        for ask in table.asks:
            if ask.seat in now:
                yield f'Player {ask.seat + 1} is out, and is asked "{ask.what}" at move {table.ply}'
                return
        out = now
