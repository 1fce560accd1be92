"""Law 18: nothing is asked of a player who is out, and whoever is out stays out."""

from collections.abc import Iterable, Iterator

from tabletop.engine.model import State
from tabletop.games.meaning import Meaning


def disturbed(meaning: Meaning, tables: Iterable[State]) -> Iterator[str]:
    """A sentence for the first player of these tables, one after the other, for whom it is not so;
    the end of a game asks nobody."""
    out: set[int] = set()
    for table in tables:
        now = {seat for seat in range(table.seats) if meaning.is_out(table, seat)}
        for seat in sorted(out - now):
            yield f"Player {seat + 1} is out, and after move {table.ply} not any more"
            return
        for ask in table.asks:
            if ask.seat in now:
                yield f'Player {ask.seat + 1} is out, and is asked "{ask.what}" at move {table.ply}'
                return
        out = now
