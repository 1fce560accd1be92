"""Highlights of a finished match: its best move, and how the lead changed.

highlights = Highlights(source, pool.ponder)
found = highlights.run(progress)   # waits; `highlights.cancel()` from another thread ends it
"""

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress

from msgspec import Struct

from tabletop.engine.teams import teams_at
from tabletop.files.errors import BadFile
from tabletop.match.playback import Playback
from tabletop.review.close_call import Lead, lead
from tabletop.review.review import (
    Feat,
    PlayedMove,
    Ponder,
    Progress,
    Review,
    ReviewBudget,
    feat_of,
    finding_of,
    played_moves,
)
from tabletop.storage import review_file
from tabletop.storage.plies import is_playable, plies
from tabletop.storage.record import Record, kit_for

MOST_LOOKED = 90
"""The most decisions looked at; of more, this many are spread over the match."""
PACE = ReviewBudget(quick=0.1, thorough=0.6)


class Highlight(Struct, frozen=True):
    """The highlights found; None where no move stands out, or no lead is known."""

    feat: Feat | None
    lead: Lead | None


class Highlights:
    """The search for them among the moves of the winners and of every person."""

    def __init__(self, source: Callable[[], Record], ponder: Ponder) -> None:
        """`source` reads the record of a match that is over."""
        self._source = source
        self._ponder = ponder
        self._review: Review | None = None
        self._cancelled = False

    def cancel(self) -> None:
        """Stop now; `run` raises."""
        self._cancelled = True
        if self._review is not None:
            self._review.cancel()

    def run(self, progress: Progress | None = None) -> Highlight:
        """Play the match through, and look at its moves; a record that can't be read any more has
        none.

        Raises:
            CancelledError: it was cancelled meanwhile.
        """
        try:
            record = self._source()
            playback = Playback(kit_for(record), record.header.players, plies(record))
        except BadFile:
            return Highlight(None, None)
        score = playback.kit.meaning.score
        teams = teams_at(playback.plies[-1].state)
        led = lead((ply.state for ply in playback.plies), score, teams)
        if not is_playable(record):
            return Highlight(None, led)
        known = review_file.read_findings(record.path, record.entries).best
        if known is not None:
            with suppress(LookupError):  # the findings are of another match
                return Highlight(next((feat_of(playback.plies, one) for one in known), None), led)
        self._review = Review(self._played_moves(playback), self._ponder, PACE)
        if self._cancelled:  # just now
            raise CancelledError
        best = self._review.best(progress)
        kept = None if best is None else finding_of(best)
        review_file.save_best_move(record.path, record.entries, kept)
        return Highlight(best, led)

    def _played_moves(self, playback: Playback) -> tuple[PlayedMove, ...]:
        moves = [
            played_move
            for seat in sorted(set(_seats(playback)))
            for played_move in played_moves(playback, seat, lambda: not self._cancelled)
        ]
        moves.sort(key=lambda played_move: played_move.ply)
        every = -(-len(moves) // MOST_LOOKED) or 1
        return tuple(moves[every - 1 :: every])


def _seats(playback: Playback) -> Iterator[int]:
    """Yield the seats whose moves are looked at: the winners and every person."""
    result = playback.plies[-1].state.result
    yield from result.winners if result is not None else ()
    yield from (seat for seat, player in enumerate(playback.players) if player.kind == "person")
