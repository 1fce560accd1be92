"""A guest's part in fair shuffles: its shares of the seed, and which starts came to nothing."""

from collections.abc import Callable, Iterable

from tabletop.engine.model import Reason
from tabletop.net.fairness import FairnessTranscript, new_share
from tabletop.net.protocol import (
    Commit,
    Committed,
    FromGuest,
    Proof,
    Reveal,
    Shuffle,
    TableInfo,
)

BEGUN_ANEW = Reason(
    "The cards are dealt anew, though all shares were open already: this is deal number {n}. "
    "It will be said again at the end of the match."
)


class FairShuffle:
    """Of all matches of one table, one after the other."""

    def __init__(self, say: Callable[[FromGuest], None]) -> None:
        self.transcript: FairnessTranscript | None = None
        """Of the match that was begun last."""
        self.proved: FairnessTranscript | None = None
        """Of the match whose proof was heard last: the next one may begin before it is judged."""
        self._say = say
        self._settled = True
        """Whether the host has published the proof of that match."""
        self._missed = False
        """Whether the line broke in that match, so that its end may not have been heard."""

    def seal(self, info: TableInfo, seats: Iterable[int], shuffle: Shuffle) -> bool:
        """Seal the shares of these own seats once; whether a match begins that is not known yet.

        A start that was given up is begun afresh, with new shares; who had no part in it may be
        told of the next one only once that match is under way.
        """
        begins = info.phase == "shuffling"
        heard, place = self.transcript, (info.table, shuffle.round)
        known = heard is not None and (heard.table, heard.round) == place
        fresh = heard is None or not known
        if heard is not None and heard.host != shuffle.digest:
            fresh |= begins or not (heard.own or heard.dealt)
        if fresh:
            heard = FairnessTranscript(*place, shuffle.digest, self._restarts(shuffle.round))
            self.transcript, self._settled, self._missed = heard, False, False
        assert heard is not None
        if begins:
            for seat in seats:
                heard.own.setdefault(seat, new_share())
                self._say(Commit(seat, heard.seal(seat)))
        return fresh

    def reveal(self, info: TableInfo | None, committed: Committed) -> None:
        """All shares are sealed: tell the own ones, unless one's own seal is not among them."""
        heard = self.transcript
        if heard is None or heard.round != committed.round:
            return
        heard.seals = heard.seals or committed.digests
        if info is not None and info.phase == "shuffling":
            for seat, share in heard.own.items():
                if heard.seals.get(seat) == heard.seal(seat):
                    self._say(Reveal(seat, share))

    def settle(self, proof: Proof) -> None:
        """The match is over, and what was dealt is published."""
        heard = self.proved = self.transcript
        if heard is not None and heard.round == proof.round and heard.dealt:
            self._settled = True

    def lost(self) -> None:
        """The line broke."""
        self._missed = self.transcript is not None and self.transcript.dealt

    @property
    def warning(self) -> Reason | None:
        """What to tell everybody here as a start begins: that it is not the first one."""
        restarts = self.transcript.restarts if self.transcript else 0
        return BEGUN_ANEW.with_args(n=restarts + 1) if restarts else None

    def _restarts(self, round: int) -> int:
        """How many starts before this one came to nothing after all shares were sealed.

        Whatever round or table the host says it is: it alone knew what would have been dealt.
        """
        before = self.transcript
        if before is None or self._settled or (self._missed and round > before.round):
            return 0
        return before.restarts + bool(before.seals)
