"""Law 18: a player who is out is asked nothing, and stays out."""

from collections.abc import Iterable, Iterator

from tabletop.engine.model import State
from tabletop.games.game_semantics import GameSemantics


def disturbed(meaning: GameSemantics, tables: Iterable[State]) -> Iterator[str]:
    """Yield a sentence for the first player of these consecutive tables for whom that isn't so; the
    end of a game has no questions."""
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
