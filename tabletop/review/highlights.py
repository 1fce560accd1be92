"""Highlights of a finished match: its best move, and how the lead changed.

search = HighlightSearch(read_record, pool.submit)
result = search.run(progress)  # blocks; `search.cancel()` in another thread ends it
"""

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress

from msgspec import Struct

from tabletop.engine.teams import teams_at
from tabletop.files.errors import BadFile
from tabletop.match.playback import Playback
from tabletop.review.close_call import Lead, track_lead
from tabletop.review.review import (
    Feat,
    PlayedMove,
    Progress,
    Review,
    ReviewBudget,
    SubmitQuestion,
    played_moves,
    restore_feat,
    to_stored_finding,
)
from tabletop.storage import review_file
from tabletop.storage.plies import is_playable, plies
from tabletop.storage.record import Record, kit_for

MAX_REVIEWED_MOVES = 90
"""The maximum number of decisions reviewed.

If there are more, a sample spread evenly over the match is reviewed.
"""
HIGHLIGHT_BUDGET = ReviewBudget(quick_s=0.1, thorough_s=0.6)


class HighlightResult(Struct, frozen=True):
    """The highlights of a match: its best move and the changes of the lead, if known."""

    feat: Feat | None
    lead: Lead | None


class HighlightSearch:
    """Searches the moves of the winners and of all humans for the best one."""

    def __init__(self, source: Callable[[], Record], submit: SubmitQuestion) -> None:
        """`source`: reads and returns the record of a finished match."""
        self._read_record = source
        self._submit = submit
        self._review: Review | None = None
        self._cancelled = False

    def cancel(self) -> None:
        """Stop immediately. `run` then raises CancelledError."""
        self._cancelled = True
        if self._review is not None:
            self._review.cancel()

    def run(self, progress: Progress | None = None) -> HighlightResult:
        """Return the highlights, and store the best move beside the record.

        An unreadable record gives a result without highlights.

        Raises:
            CancelledError: the search was cancelled.
        """
        try:
            record = self._read_record()
            playback = Playback(kit_for(record), record.header.players, plies(record))
        except BadFile:
            return HighlightResult(None, None)
        score = playback.kit.meaning.score
        teams = teams_at(playback.plies[-1].state)
        led = track_lead((ply.state for ply in playback.plies), score, teams)
        if not is_playable(record):
            return HighlightResult(None, led)
        known = review_file.read_findings(record.path, record.entries).best
        if known is not None:
            with suppress(LookupError):  # the stored findings belong to another match
                return HighlightResult(
                    next((restore_feat(playback.plies, one) for one in known), None), led
                )
        self._review = Review(self._played_moves(playback), self._submit, HIGHLIGHT_BUDGET)
        if self._cancelled:  # another thread cancelled meanwhile
            raise CancelledError
        best = self._review.find_best_move(progress)
        kept = None if best is None else to_stored_finding(best)
        review_file.save_best_move(record.path, record.entries, kept)
        return HighlightResult(best, led)

    def _played_moves(self, playback: Playback) -> tuple[PlayedMove, ...]:
        moves = [
            played_move
            for seat in sorted(set(_seats(playback)))
            for played_move in played_moves(playback, seat, lambda: not self._cancelled)
        ]
        moves.sort(key=lambda played_move: played_move.ply)
        every = -(-len(moves) // MAX_REVIEWED_MOVES) or 1
        return tuple(moves[every - 1 :: every])


def _seats(playback: Playback) -> Iterator[int]:
    """Yield the seats whose moves are reviewed: those of the winners and of all humans."""
    result = playback.plies[-1].state.result
    yield from result.winners if result is not None else ()
    yield from (seat for seat, player in enumerate(playback.players) if player.kind == "person")
