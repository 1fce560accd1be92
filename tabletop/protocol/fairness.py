"""Fair shuffles and dice by commit-reveal: nobody chose the order, and everybody can check it.

Before a match the host seals its share of the seed by publishing its digest, then every seat seals
one, and only then are the seats' shares sent to the host. The seed is the digest of all of them, so
that it is nobody's choice as long as one of them was honest. After the match the host publishes all
shares and the record; each guest checks that the shares are the sealed ones and plays the record
again, comparing it with what it was sent at the time.

A host knows a deal as soon as it has all shares. So both ends count the deals that were not played
to their end (`tabletop.net.guest.dealt_starts`): everybody reads of them when the next cards are
dealt, in the verdict and in the record, or a host could deal until it likes the cards.

It does not prove that the host did not look: the host's computer knows the whole table.
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
"""Begins a match of the game that a proof is of, from its players, options and seed."""


class Verdict(Struct, frozen=True):
    """Whether a match was fair."""

    fair: bool
    """Whether it was."""
    reason: Reason
    """The result of the check: what was checked, or what does not fit."""
    at: int = -1
    """The entry of the record that does not fit; -1 for none."""
    restarts: int = 0
    """Deals before this one that were not seen to their end."""
    asked: bool = True
    """Whether every seat here had its share in the seed."""

    @property
    def good(self) -> bool:
        """Whether there is nothing to warn of."""
        return self.fair and self.asked and not self.restarts


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
"""A digest that equals no other, where two messages contradict each other."""
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
    """A share of a seed, from the operating system's entropy."""
    return secrets.token_hex(16)


def seal_share(share: str, table: str, round: int, seat: int) -> str:
    """The digest that seals a share: of this table, match and seat, so that none can be reused."""
    return sha256(f"share/{table}/{round}/{seat}/{share}".encode()).hexdigest()


def is_seal_of(digest: str, share: str, table: str, round: int, seat: int) -> bool:
    """Whether the digest seals this share."""
    return hmac.compare_digest(digest.encode(), seal_share(share, table, round, seat).encode())


def derive_seed(table: str, round: int, host: str, shares: Mapping[int, str]) -> str:
    """The seed that the shares make together."""
    words = "/".join(f"{seat}:{shares[seat]}" for seat in sorted(shares))
    return sha256(f"seed/{table}/{round}/{host}/{words}".encode()).hexdigest()


def check_seed(start: FairStart, seed: str) -> Verdict | None:
    """Check that a seed was made of these sealed shares. Return what is wrong; None if nothing
    is."""
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


def _fair_after(restarts: int) -> Verdict:
    if not restarts:
        return FAIR
    return Verdict(True, FAIR_AFTER_RESTARTS.with_args(n=restarts + 1), restarts=restarts)


def judge(start: FairStart, seed: str, players: Sequence[Player]) -> Verdict:
    """Whether a seed was made by all persons together, from the shares that each had sealed."""
    persons = {seat for seat, player in enumerate(players) if player.kind != "bot"}
    if start.shares.keys() != persons:
        return Verdict(False, SHARE_MISMATCH, 0)
    try:
        with refuse_unplayable():
            return check_seed(start, seed) or _fair_after(start.restarts)
    except Illegal:
        return UNVERIFIABLE


def digest(message: Update | Reset) -> bytes:
    """Return the digest of a message, to be compared after the match.

    Tags of sentences are left out: the program at the other end may be one that knows none. So is
    `redo`, which the record doesn't tell.
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
    """A guest's evidence about a match, for its proof: the seals, its own shares, and a digest of
    every message."""

    def __init__(self, table: str, round: int, host: str) -> None:
        self.table = table
        self.round = round
        self.host = host
        """The host's seal."""
        self.restarts = 0
        """Deals before this one that were not seen to their end."""
        self.due: set[int] = set()
        """The seats here that the start must ask for a share."""
        self.asked = True
        """Whether it asked all of them that were shown its table."""
        self.players: tuple[Player, ...] = ()
        """The players when the match started; empty where its start wasn't seen."""
        self.seals: dict[int, str] = {}
        self.own: dict[int, str] = {}
        self._digests: dict[tuple[int, int, bool], bytes] = {}

    def seal(self, seat: int) -> str:
        """The digest that seals a share of one's own."""
        return seal_share(self.own[seat], self.table, self.round, seat)

    @property
    def dealt(self) -> bool:
        """Whether a match was seen."""
        return bool(self._digests)

    def note(self, viewer: int, at: int, message: Update | Reset) -> None:
        """Remember a viewer's message, received when the record had `at` entries. Two different
        messages of one moment fit no record."""
        key, noted = (viewer, at, isinstance(message, Reset)), digest(message)
        self._digests[key] = noted if self._digests.get(key, noted) == noted else CONFLICTING_DIGEST

    def judge(self, proof: MatchProof, begin: MatchFactory) -> Verdict:
        """Check a proof against this evidence. It replays the whole match, so it takes a while.
        There is a verdict on anything that a host may send."""
        try:
            with refuse_unplayable():
                misfit = self._misfit_of_seed(proof) or self._misfit_of_players(proof)
                misfit = misfit or self._misfit_of_record(proof, begin)
        except Illegal:
            return UNVERIFIABLE
        if misfit:
            return misfit
        verdict = _fair_after(max(self.restarts, proof.restarts))
        return verdict if self.asked else replace(verdict, reason=SHARE_NOT_REQUESTED, asked=False)

    def fair_start(self, proof: MatchProof) -> FairStart:
        """The start as the host proves it, with the seals that were seen before."""
        return FairStart(
            self.table,
            self.round,
            self.host,
            proof.secret,
            dict(self.seals),
            dict(proof.shares),
            max(self.restarts, proof.restarts),
        )

    def _misfit_of_seed(self, proof: MatchProof) -> Verdict | None:
        own = all(proof.shares.get(seat) == share for seat, share in self.own.items())
        if proof.round != self.round or not own:
            return Verdict(False, SHARE_MISMATCH, 0)
        return check_seed(self.fair_start(proof), proof.seed)

    def _misfit_of_players(self, proof: MatchProof) -> Verdict | None:
        """Check who played, as far as it was seen; a person there is "far" here."""
        if self.players and tuple(map(_public_player, proof.players)) != self.players:
            return Verdict(False, PLAYERS_MISMATCH, 0)
        return None

    def _misfit_of_record(self, proof: MatchProof, begin: MatchFactory) -> Verdict | None:
        try:
            with refuse_unplayable():
                match = begin(proof.players, proof.options, proof.seed)
        except Illegal:
            return _misfit(ILLEGAL_RECORD, 0)
        viewers = {viewer for viewer, _, _ in self._digests}
        latest: dict[int, Update | Reset] = {}
        for viewer in viewers:
            match.listen(viewer, partial(latest.__setitem__, viewer))
        last = max((at for _, at, _ in self._digests), default=0)
        if last > len(proof.record):
            return _misfit(RECORD_MISMATCH, len(proof.record))
        for at in range(len(proof.record) + 1):
            if at:
                try:
                    with refuse_unplayable():
                        match.restore(proof.record[at - 1])
                except Illegal:
                    return _misfit(ILLEGAL_RECORD, at)
            for viewer in viewers:
                if not self._fits(match, viewer, at, latest.get(viewer)):
                    return _misfit(RECORD_MISMATCH, at)
        return None

    def _fits(self, match: Match, viewer: int, at: int, news: Update | Reset | None) -> bool:
        update = self._digests.get((viewer, at, False))
        if update is not None and (news is None or digest(news) != update):
            return False
        reset = self._digests.get((viewer, at, True))
        return reset is None or digest(match.reset(viewer)) == reset


def _public_player(player: Player) -> Player:
    """A player as those far away know them."""
    return replace(player, kind="bot" if player.kind == "bot" else "far")


def public_players(sitters: Sequence[SeatInfo]) -> tuple[Player, ...]:
    """Those who sit at a table, as a proof is to name them."""
    return tuple(
        Player(each.name, each.symbol, "bot" if each.kind == "bot" else "far", each.level)
        for each in sitters
    )


def _misfit(reason: Reason, at: int) -> Verdict:
    return Verdict(False, reason.with_args(n=at), at)
