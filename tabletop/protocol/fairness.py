"""Commit-reveal protocol for fair shuffles and dice, and its verification.

Before a match the host commits to its share of the seed by publishing the digest of the share. Then
every seat commits to a share, and only then do the seats reveal their shares to the host. The seed
is the digest of all shares, so nobody can choose the seed if at least one share was chosen
honestly. After the match the host publishes all shares and the record. Each guest compares the
shares with the commitments, and replays the record to compare it with the messages that the guest
received during the match.

The host learns the order of the cards as soon as it has all shares, and could deal
again until it likes the cards. So both ends count the starts whose match wasn't
finished (`tabletop.net.guest.dealt_starts`). The count is shown at the next start, in
the verdict and in the record.

The protocol doesn't prove that the host hasn't looked at hidden cards: the host's computer holds
the whole table.
"""

import hmac
import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tabletop.engine.events import Event, Said
from tabletop.engine.model import AUDIENCE, Reason, Value
from tabletop.engine.play import Illegal
from tabletop.match.match import FairStart, Match, Player, Reset, Update
from tabletop.match.replaying import refuse_unplayable
from tabletop.protocol.messages import MatchProof, SeatInfo

E = TypeVar("E", bound=Event)


MatchFactory = Callable[[tuple[Player, ...], dict[str, Value], str], Match]
"""Starts a match of the proof's game. The arguments are the players, the options and the seed."""


class Verdict(Struct, frozen=True):
    """The result of verifying a match."""

    fair: bool
    """Whether shuffle and dice were fair."""
    reason: Reason
    """What was verified, or the first mismatch."""
    at: int = -1
    """The index of the record entry that doesn't match; -1 for none."""
    restarts: int = 0
    """How many earlier starts had no finished match."""
    shares_requested: bool = True
    """Whether the host requested a share from every local seat."""

    @property
    def is_clean(self) -> bool:
        """Whether there is nothing to warn about."""
        return self.fair and self.shares_requested and not self.restarts


FAIR = Verdict(True, Reason("Shuffle and dice verified."))
FAIR_AFTER_RESTARTS = Reason(
    "Shuffle and dice are as they were sealed. But this was deal number {n}: the ones before it "
    "were not seen to their end, so a host could have kept the deal it liked."
)
SHARE_NOT_REQUESTED = Reason(
    "Your program wasn't asked for its share of the shuffle, so it can't tell whether the host "
    "chose the cards.",
    code="unasked",
)
CONFLICTING_DIGEST = b""
"""A placeholder for two contradictory messages. It differs from every digest."""
SHARE_MISMATCH = Reason("The seed was not made of the shares that were sealed before the match.")
SEED_MISMATCH = Reason("The seed is not the one that the sealed shares make.")
PLAYERS_MISMATCH = Reason("The players in the record are not those who sat at the table.")
RECORD_MISMATCH = Reason(
    "The record does not fit what was seen at the table: it differs at move {n}."
)
ILLEGAL_RECORD = Reason("The record does not fit the rules: it breaks them at move {n}.")
UNVERIFIABLE = Verdict(
    False,
    Reason(
        "Shuffle and dice could not be verified: what was published after the match makes no match."
    ),
    0,
)


def generate_share() -> str:
    """Return a random share of a seed."""
    return secrets.token_hex(16)


def seal_share(share: str, table: str, round: int, seat: int) -> str:
    """Return the digest that commits `seat` to `share`.

    The digest covers table, match and seat, so no commitment can be reused.
    """
    return sha256(f"share/{table}/{round}/{seat}/{share}".encode()).hexdigest()


def is_seal_of(digest: str, share: str, table: str, round: int, seat: int) -> bool:
    """Return whether `digest` is the commitment to `share`."""
    return hmac.compare_digest(digest.encode(), seal_share(share, table, round, seat).encode())


def derive_seed(table: str, round: int, host: str, shares: Mapping[int, str]) -> str:
    """Return the seed derived from the host's share and the seats' `shares`."""
    words = "/".join(f"{seat}:{shares[seat]}" for seat in sorted(shares))
    return sha256(f"seed/{table}/{round}/{host}/{words}".encode()).hexdigest()


def check_seed(start: FairStart, seed: str) -> Verdict | None:
    """Compare all shares with their commitments, and `seed` with the seed derived from the shares.

    Return the verdict on the first mismatch; None if everything matches.
    """
    table, round = start.table, start.round
    fitting = (
        start.shares.keys() == start.seals.keys()
        and is_seal_of(start.host_seal, start.host_share, table, round, AUDIENCE)
        and all(
            is_seal_of(start.seals[seat], share, table, round, seat)
            for seat, share in start.shares.items()
        )
    )
    if not fitting:
        return Verdict(False, SHARE_MISMATCH, 0)
    if seed != derive_seed(table, round, start.host_share, start.shares):
        return Verdict(False, SEED_MISMATCH, 0)
    return None


def _fair_verdict(restarts: int) -> Verdict:
    if not restarts:
        return FAIR
    return Verdict(True, FAIR_AFTER_RESTARTS.with_args(n=restarts + 1), restarts=restarts)


def verify_fair_start(start: FairStart, seed: str, players: Sequence[Player]) -> Verdict:
    """Return the verdict on a match's seed: whether every person
    contributed the committed share.
    """
    persons = {seat for seat, player in enumerate(players) if player.kind != "bot"}
    if start.shares.keys() != persons:
        return Verdict(False, SHARE_MISMATCH, 0)
    try:
        with refuse_unplayable():
            return check_seed(start, seed) or _fair_verdict(start.restarts)
    except Illegal:
        return UNVERIFIABLE


def digest_of_news(message: Update | Reset) -> bytes:
    """Return the digest of a message, for comparison after the match.

    The tags of sentences and `redo` are left out: other versions of the program may not know the
    tags, and the record doesn't contain `redo`.
    """
    match message:
        case Update(events=events):
            message = replace(message, events=tuple(map(_untag, events)), redo=msgspec.UNSET)
        case Reset(log=log):
            message = replace(message, log=tuple(map(_untag, log)), redo=msgspec.UNSET)
    return sha256(msgspec.json.encode(message)).digest()


def _untag(event: E) -> E:
    return replace(event, tag="") if isinstance(event, Said) and event.tag else event


class FairnessTranscript:
    """What a guest recorded about one match as evidence: commitments, its own shares, and a digest
    of each message.
    """

    def __init__(self, table: str, round: int, host_seal: str) -> None:
        self.table = table
        self.round = round
        self.host_seal = host_seal
        """The host's commitment."""
        self.restarts = 0
        """How many earlier starts had no finished match."""
        self.expected_seats: set[int] = set()
        """The local seats that the host has to request a share from."""
        self.shares_requested = True
        """Whether the host has requested a share from each local seat that was shown the match."""
        self.players: tuple[Player, ...] = ()
        """The players at the start; empty if the guest didn't see the start."""
        self.seals: dict[int, str] = {}
        self.own_shares: dict[int, str] = {}
        self._digests: dict[tuple[int, int, bool], bytes] = {}

    def own_seal(self, seat: int) -> str:
        """Return the commitment to the share of the local `seat`."""
        return seal_share(self.own_shares[seat], self.table, self.round, seat)

    @property
    def has_messages(self) -> bool:
        """Whether the guest received any message about the match."""
        return bool(self._digests)

    def add_message(self, viewer: int, at: int, message: Update | Reset) -> None:
        """Store the digest of a message for `viewer`, received when the record had `at` entries.

        If two different messages are added for the same viewer and entry, verification fails.
        """
        key, noted = (viewer, at, isinstance(message, Reset)), digest_of_news(message)
        self._digests[key] = noted if self._digests.get(key, noted) == noted else CONFLICTING_DIGEST

    def verify(self, proof: MatchProof, start_match: MatchFactory) -> Verdict:
        """Replay the record of `proof` and compare it with this evidence.

        The replay can take seconds. Every proof gets a verdict, even one that can't be replayed.
        """
        try:
            with refuse_unplayable():
                mismatch = self._check_seed(proof) or self._check_players(proof)
                mismatch = mismatch or self._check_record(proof, start_match)
        except Illegal:
            return UNVERIFIABLE
        if mismatch:
            return mismatch
        verdict = _fair_verdict(max(self.restarts, proof.restarts))
        return (
            verdict
            if self.shares_requested
            else replace(verdict, reason=SHARE_NOT_REQUESTED, shares_requested=False)
        )

    def fair_start(self, proof: MatchProof) -> FairStart:
        """Return the start as described by `proof`, with the commitments that the guest saw."""
        return FairStart(
            self.table,
            self.round,
            self.host_seal,
            proof.secret,
            dict(self.seals),
            dict(proof.shares),
            max(self.restarts, proof.restarts),
        )

    def _check_seed(self, proof: MatchProof) -> Verdict | None:
        own = all(proof.shares.get(seat) == share for seat, share in self.own_shares.items())
        if proof.round != self.round or not own:
            return Verdict(False, SHARE_MISMATCH, 0)
        return check_seed(self.fair_start(proof), proof.seed)

    def _check_players(self, proof: MatchProof) -> Verdict | None:
        """Compare the players with those seated at the start. All people count as "far" here."""
        if self.players and tuple(map(_public_player, proof.players)) != self.players:
            return Verdict(False, PLAYERS_MISMATCH, 0)
        return None

    def _check_record(self, proof: MatchProof, start_match: MatchFactory) -> Verdict | None:
        try:
            with refuse_unplayable():
                match = start_match(proof.players, proof.options, proof.seed)
        except Illegal:
            return _mismatch(ILLEGAL_RECORD, 0)
        viewers = {viewer for viewer, _, _ in self._digests}
        latest: dict[int, Update | Reset] = {}
        for viewer in viewers:
            match.add_listener(viewer, partial(latest.__setitem__, viewer))
        last = max((at for _, at, _ in self._digests), default=0)
        if last > len(proof.record):
            return _mismatch(RECORD_MISMATCH, len(proof.record))
        for at in range(len(proof.record) + 1):
            if at:
                try:
                    with refuse_unplayable():
                        match.restore(proof.record[at - 1])
                except Illegal:
                    return _mismatch(ILLEGAL_RECORD, at)
            for viewer in viewers:
                if not self._news_matches(match, viewer, at, latest.get(viewer)):
                    return _mismatch(RECORD_MISMATCH, at)
        return None

    def _news_matches(
        self, match: Match, viewer: int, at: int, news: Update | Reset | None
    ) -> bool:
        update = self._digests.get((viewer, at, False))
        if update is not None and (news is None or digest_of_news(news) != update):
            return False
        reset = self._digests.get((viewer, at, True))
        return reset is None or digest_of_news(match.make_reset(viewer)) == reset


def _public_player(player: Player) -> Player:
    """Return `player` as remote guests see them."""
    return replace(player, kind="bot" if player.kind == "bot" else "far")


def public_players(sitters: Sequence[SeatInfo]) -> tuple[Player, ...]:
    """Return the players at a table as the proof has to name them."""
    return tuple(
        Player(each.name, each.symbol, "bot" if each.kind == "bot" else "far", each.level)
        for each in sitters
    )


def _mismatch(reason: Reason, at: int) -> Verdict:
    return Verdict(False, reason.with_args(n=at), at)
