"""A guest's part in fair shuffles: its shares of the seed, and its count of what was dealt."""

from collections.abc import Callable, Iterable, Mapping

from tabletop.engine.model import Reason
from tabletop.net.guest.dealt_starts import DealtStarts, start_id
from tabletop.protocol.fairness import (
    SHARE_NOT_REQUESTED,
    FairnessTranscript,
    Verdict,
    generate_share,
    public_players,
)
from tabletop.protocol.messages import (
    CommitShare,
    FromGuest,
    MatchProof,
    RevealShare,
    SharesCommitted,
    ShuffleStarted,
    TableInfo,
)

DEALT_AGAIN = Reason(
    "The cards are dealt again: this is deal number {n}, and the ones before it were not seen to "
    "their end. You'll be reminded when the match is over.",
    code="dealt_again",
)


class FairShuffle:
    """Fair shuffles of one table, match after match."""

    def __init__(
        self,
        say: Callable[[FromGuest], None],
        warn: Callable[[Reason], None] = lambda reason: None,
        judge: Callable[[MatchProof], Verdict | None] = lambda proof: None,
    ) -> None:
        """`warn` shows everybody here a warning. `judge` replays a proof that nobody else has
        judged before the next deal."""
        self.starts = DealtStarts()
        self.transcript: FairnessTranscript | None = None
        """The evidence about the match that was started last."""
        self.proved: FairnessTranscript | None = None
        """The evidence about the match whose proof was heard last: the next match may begin before
        the proof is judged."""
        self._say = say
        self._warn = warn
        self._judge = judge
        self._host_seal = ""
        self._seals: Mapping[int, str] = {}
        """The seals that the host published last."""
        self._due: set[int] = set()
        """The seats here that the next start must ask for a share."""
        self._taken_over: set[int] = set()
        """The seats that came from another guest since the table gathered."""
        self._resumed = ""
        """The start in which an earlier run of this program had its shares."""
        self._unjudged: MatchProof | None = None

    def resume(self, starts: DealtStarts | None = None, seats: Iterable[int] = ()) -> None:
        """Continue the count of an earlier run of this program at a table where it holds these
        seats; None: it has counted nothing."""
        self._due = set() if starts is None else set(seats)
        self.starts = starts or DealtStarts()
        self._resumed = self.starts.start
        self._taken_over.clear()

    def expect(self, seats: Iterable[int]) -> None:
        """Note that these seats are held here before a start, so it must ask them for shares; those
        that were taken over, only the start after this one."""
        expected = set(seats) - self._taken_over
        self._due |= expected
        if self.transcript is not None and not self.transcript.has_messages:
            self.transcript.expected_seats |= expected

    def gather(self, seats: Iterable[int]) -> None:
        """Note that the table gathers: the next start must ask these seats, whoever they came
        from."""
        self._taken_over.clear()
        self.expect(seats)

    def excuse(self, seats: Iterable[int]) -> None:
        """Note that these seats came from another guest, who may already have been asked."""
        seats = set(seats)
        self._taken_over |= seats
        self._due.difference_update(seats)
        if self.transcript is not None:
            self.transcript.expected_seats.difference_update(seats)

    def seal(self, info: TableInfo, seats: Iterable[int], shuffle: ShuffleStarted) -> bool:
        """Seal the shares of these own seats, once. Return whether a match begins that is not known
        yet.

        A start that was given up is started again with new shares; a guest who had no part in it
        may learn of the next one only once that match is under way.
        """
        begins = info.phase == "shuffling"
        evidence, place = self.transcript, (info.table, shuffle.round)
        known = evidence is not None and (evidence.table, evidence.round) == place
        fresh = evidence is None or not known
        if evidence is not None and evidence.host_seal != shuffle.digest:
            fresh |= begins or not (evidence.own_shares or evidence.has_messages)
        if fresh:
            evidence = self._begin(*place, shuffle.digest)
        if self._host_seal != shuffle.digest:
            self._host_seal, self._seals = shuffle.digest, {}
        assert evidence is not None
        if begins:
            evidence.players = public_players(info.sitters)
            for seat in seats:
                evidence.own_shares.setdefault(seat, generate_share())
                self._say(CommitShare(seat, evidence.own_seal(seat)))
        return fresh

    def reveal(self, info: TableInfo | None, committed: SharesCommitted) -> None:
        """Publish the shares of the seats here once all are sealed, unless a seal of theirs is
        missing."""
        evidence = self.transcript
        if evidence is None or evidence.round != committed.round:
            return
        self._seals = committed.digests
        evidence.seals = evidence.seals or committed.digests
        if info is None or info.phase != "shuffling":
            return
        evidence.players = public_players(info.sitters)
        sealed_seats = [
            seat
            for seat in evidence.own_shares
            if evidence.seals.get(seat) == evidence.own_seal(seat)
        ]
        if sealed_seats or not evidence.own_shares:
            self._count(evidence)
        for seat in sealed_seats:
            self._say(RevealShare(seat, evidence.own_shares[seat]))

    def show(self, info: TableInfo, seats: Iterable[int]) -> FairnessTranscript:
        """Note that a table is shown to these own seats; return the evidence to add it to."""
        evidence, seats = self.transcript or self._begin(info.table, info.round, ""), set(seats)
        self._count(evidence)
        unasked = (seats & evidence.expected_seats) - evidence.own_shares.keys()
        if unasked and evidence.shares_requested and self.starts.start != self._resumed:
            evidence.shares_requested = False
            self._warn(SHARE_NOT_REQUESTED)
        self._due |= seats
        return evidence

    def prove(self, proof: MatchProof, seen: bool) -> None:
        """Note that a match's proof came; `seen`: it leads to an end that was seen here."""
        self.proved = self.transcript
        if seen:
            self._unjudged = proof
            self.starts = self.starts.with_event("end")

    def settle(self, proof: MatchProof, verdict: Verdict | None) -> None:
        """Note the verdict on a proof."""
        if proof == self._unjudged:
            self._unjudged = None
            fair = verdict is not None and verdict.fair
            self.starts = self.starts.with_event("settle" if fair else "reject")

    def _begin(self, table: str, round: int, host_seal: str) -> FairnessTranscript:
        self.transcript = FairnessTranscript(table, round, host_seal)
        self.transcript.expected_seats.update(self._due)
        return self.transcript

    def _count(self, evidence: FairnessTranscript) -> None:
        """Count the last start as dealt: its cards are, or the host could know them."""
        start = start_id(self._host_seal, self._seals)
        if start != self.starts.start:
            if self._unjudged is not None:
                self.settle(self._unjudged, self._judge(self._unjudged))
            self.starts = self.starts.with_event("deal", start)
            if self.starts.unfinished:
                self._warn(DEALT_AGAIN.with_args(n=self.starts.unfinished + 1))
        evidence.restarts = max(evidence.restarts, self.starts.unfinished)
