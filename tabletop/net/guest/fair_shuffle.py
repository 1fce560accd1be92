"""A guest's part in fair shuffles: its shares of the seed, and its count of deals."""

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
    """The fair shuffles of one table, one for each match."""

    def __init__(
        self,
        say: Callable[[FromGuest], None],
        warn: Callable[[Reason], None] = lambda reason: None,
        judge: Callable[[MatchProof], Verdict | None] = lambda proof: None,
    ) -> None:
        """`warn`: shows a warning to all local players.

        `judge`: verifies a proof that is still unchecked at the next deal.
        """
        self.starts = DealtStarts()
        self.transcript: FairnessTranscript | None = None
        """The evidence about the latest started match."""
        self.proved_transcript: FairnessTranscript | None = None
        """The evidence about the match of the latest proof.

        It may differ from `transcript`, because the next match
        may start before that proof is checked.
        """
        self._say = say
        self._warn = warn
        self._judge = judge
        self._host_seal = ""
        self._seals: Mapping[int, str] = {}
        """The latest commitments that the host has published, by seat."""
        self._due_seats: set[int] = set()
        """The local seats that the host must ask for a share at the next start."""
        self._taken_over_seats: set[int] = set()
        """Seats taken over from other guests since players last gathered at the table."""
        self._resumed_start = ""
        """The ID of the start in which an earlier run of the
        program took part; "" if there is none.
        """
        self._unjudged: MatchProof | None = None

    def resume(self, starts: DealtStarts | None = None, seats: Iterable[int] = ()) -> None:
        """Continue the count of deals from an earlier run of the program, which held these `seats`.

        `starts`: the saved count; None if there is none.
        """
        self._due_seats = set() if starts is None else set(seats)
        self.starts = starts or DealtStarts()
        self._resumed_start = self.starts.start
        self._taken_over_seats.clear()

    def expect(self, seats: Iterable[int]) -> None:
        """Expect the host to ask these local `seats` for shares at the next start.

        Seats that were taken over from other guests are left out until players gather again.
        """
        expected = set(seats) - self._taken_over_seats
        self._due_seats |= expected
        if self.transcript is not None and not self.transcript.has_messages:
            self.transcript.expected_seats |= expected

    def on_gathering(self, seats: Iterable[int]) -> None:
        """Expect the host to ask all `seats` at the next start,
        including those taken over from other guests.
        """
        self._taken_over_seats.clear()
        self.expect(seats)

    def excuse(self, seats: Iterable[int]) -> None:
        """Don't expect the host to ask `seats` at the next start.

        It may already have asked the guests that held them before.
        """
        seats = set(seats)
        self._taken_over_seats |= seats
        self._due_seats.difference_update(seats)
        if self.transcript is not None:
            self.transcript.expected_seats.difference_update(seats)

    def commit_shares(self, info: TableInfo, seats: Iterable[int], shuffle: ShuffleStarted) -> bool:
        """Send commitments to the shares of the own `seats`.

        Return whether the match or its start is new.

        A cancelled start is repeated with new shares. A guest that takes no part in the new start
        may hear about it only when the match is already running.
        """
        begins = info.phase == "shuffling"
        evidence, place = self.transcript, (info.table, shuffle.round)
        known = evidence is not None and (evidence.table, evidence.round) == place
        fresh = evidence is None or not known
        if evidence is not None and evidence.host_seal != shuffle.digest:
            fresh |= begins or not (evidence.own_shares or evidence.has_messages)
        if fresh:
            evidence = self._start_transcript(*place, shuffle.digest)
        if self._host_seal != shuffle.digest:
            self._host_seal, self._seals = shuffle.digest, {}
        assert evidence is not None
        if begins:
            evidence.players = public_players(info.sitters)
            for seat in seats:
                evidence.own_shares.setdefault(seat, generate_share())
                self._say(CommitShare(seat, evidence.own_seal(seat)))
        return fresh

    def reveal_shares(self, info: TableInfo | None, committed: SharesCommitted) -> None:
        """Send the shares of the own seats, except those whose commitment the host has dropped."""
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
            self._count_deal(evidence)
        for seat in sealed_seats:
            self._say(RevealShare(seat, evidence.own_shares[seat]))

    def on_table_shown(self, info: TableInfo, seats: Iterable[int]) -> FairnessTranscript:
        """Record that the host has shown the table to the own `seats`.

        Return the transcript to extend.
        """
        evidence, seats = (
            self.transcript or self._start_transcript(info.table, info.round, ""),
            set(seats),
        )
        self._count_deal(evidence)
        unasked = (seats & evidence.expected_seats) - evidence.own_shares.keys()
        if unasked and evidence.shares_requested and self.starts.start != self._resumed_start:
            evidence.shares_requested = False
            self._warn(SHARE_NOT_REQUESTED)
        self._due_seats |= seats
        return evidence

    def on_proof(self, proof: MatchProof, saw_end: bool) -> None:
        """Record the proof of a match; `saw_end`: whether this guest saw the end of that match."""
        self.proved_transcript = self.transcript
        if saw_end:
            self._unjudged = proof
            self.starts = self.starts.with_event("end")

    def record_verdict(self, proof: MatchProof, verdict: Verdict | None) -> None:
        """Record the `verdict` on `proof` in the count of deals."""
        if proof == self._unjudged:
            self._unjudged = None
            fair = verdict is not None and verdict.fair
            self.starts = self.starts.with_event("settle" if fair else "reject")

    def _start_transcript(self, table: str, round: int, host_seal: str) -> FairnessTranscript:
        self.transcript = FairnessTranscript(table, round, host_seal)
        self.transcript.expected_seats.update(self._due_seats)
        return self.transcript

    def _count_deal(self, evidence: FairnessTranscript) -> None:
        """Count the latest start as dealt, because the host could know the cards by now."""
        start = start_id(self._host_seal, self._seals)
        if start != self.starts.start:
            if self._unjudged is not None:
                self.record_verdict(self._unjudged, self._judge(self._unjudged))
            self.starts = self.starts.with_event("deal", start)
            if self.starts.unfinished:
                self._warn(DEALT_AGAIN.with_args(n=self.starts.unfinished + 1))
        evidence.restarts = max(evidence.restarts, self.starts.unfinished)
