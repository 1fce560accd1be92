"""A host that chose the cards, or sent anybody a false table, is found out."""

import asyncio
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import Thrown
from tabletop.engine.model import AUDIENCE, Move, Reason
from tabletop.engine.scratch import FastRng
from tabletop.home.known_hosts import KnownHosts
from tabletop.match.history import Entry
from tabletop.match.match import Match, Player, Reset, Update
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.session import Guest
from tabletop.protocol.fairness import (
    FAIR,
    ILLEGAL_RECORD,
    PLAYERS_MISMATCH,
    RECORD_MISMATCH,
    SEED_MISMATCH,
    SHARE_MISMATCH,
    SHARE_NOT_REQUESTED,
    UNVERIFIABLE,
    FairnessTranscript,
    Verdict,
    derive_seed,
    generate_share,
    public_players,
    seal_share,
)
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import (
    CommitShare,
    FromGuest,
    MatchProof,
    Notice,
    Phase,
    RevealShare,
    SeatConfig,
    Seated,
    SeatInfo,
    SharesCommitted,
    ShuffleStarted,
    TableInfo,
    TableJoined,
    TableNews,
    TablePlan,
    Welcome,
)
from tabletop.storage.record import read
from tabletop.studio.laws.random_games import random_answer
from tabletop.table.connection_events import Lost, News
from tabletop.web import seat_token
from tests.net.loopback import Friend, begin, hosting, opened, plan, ready_again, seated

KIT = catalogue.load("sun")
TABLE, ROUND = "t", 3
CERTIFICATE = "ab" * 32


def whole(message: bytes) -> Update | Reset:
    """A message as a guest decodes it."""
    return msgspec.json.decode(message, type=Update | Reset)


def untagged(message: bytes) -> Update | Reset:
    """The message of a host whose rules tag no sentences."""
    return whole(re.sub(rb'"tag":"[^"]+"', b'"was":""', message))


def loaded(message: bytes) -> Update | Reset:
    """The message of a host that lets other faces come up than those that did."""
    news = whole(message)
    if isinstance(news, Reset):
        return news
    events = (replace(e, faces=e.faces[::-1]) if isinstance(e, Thrown) else e for e in news.events)
    return replace(news, events=tuple(events))


def played(
    viewers: tuple[int, ...] = (0, AUDIENCE),
    decode: Callable[[bytes], Update | Reset] = whole,
    kit: GameKit = KIT,
    thrown: str = "",
) -> tuple[FairnessTranscript, MatchProof]:
    """A match at an honest host: what a guest at seat 0 heard of it, and the proof. It begins with
    a throw of that seat's dice, where a zone of them is named."""
    host, shares = generate_share(), {0: generate_share(), 1: generate_share()}
    heard = FairnessTranscript(TABLE, ROUND, seal_share(host, TABLE, ROUND, AUDIENCE))
    heard.seals = {seat: seal_share(share, TABLE, ROUND, seat) for seat, share in shares.items()}
    heard.own_shares = {0: shares[0]}
    seed = derive_seed(TABLE, ROUND, host, shares)
    match = Match(kit, [Player("Ann"), Player("Bea")], catalogue.options(kit), seed)
    for viewer in viewers:
        heard.add_message(viewer, 0, decode(msgspec.json.encode(match.make_reset(viewer))))

        def note(news: Update | Reset, viewer: int = viewer) -> None:
            heard.add_message(viewer, len(match.record), decode(msgspec.json.encode(news)))

        match.add_listener(viewer, note)
    if thrown:
        match.submit(0, Move(match.state.asks[0].id, "throw", (), thrown))
    luck = FastRng("fair")
    for number in range(14):
        ask, move = random_answer(kit.rules, match.state, luck)
        match.submit(ask.seat, move)
        if number == 5:
            match.undo(None)
    match.concede(1)
    proof = MatchProof(
        *(ROUND, kit.id, match.players, match.state.options, host, shares, seed),
        tuple(match.record),
    )
    return heard, proof


def test_an_honest_match_is_fair() -> None:
    heard, proof = played()
    assert heard.verify(proof, partial(Match, KIT)) == FAIR


def test_a_host_that_tags_no_sentence_is_as_fair() -> None:
    heard, proof = played(decode=untagged)
    assert heard.verify(proof, partial(Match, KIT)) == FAIR


def test_a_hidden_throw_of_dice_is_checked_like_a_deal() -> None:
    beach = catalogue.load("shell_beach")
    heard, proof = played(kit=beach, thrown="bucket/0")
    assert heard.verify(proof, partial(Match, beach)) == FAIR
    heard, proof = played(kit=beach, thrown="bucket/0", decode=loaded)
    verdict = heard.verify(proof, partial(Match, beach))
    assert (verdict.fair, verdict.reason.text, verdict.at) == (False, RECORD_MISMATCH.text, 1)


def names_of(proof: MatchProof, **changed: object) -> tuple[Player, ...]:
    return (replace(proof.players[0], **changed), *proof.players[1:])


@pytest.mark.parametrize(
    "cheat",
    [
        lambda proof: names_of(proof, name="Mallory"),
        lambda proof: names_of(proof, symbol="sun"),
        lambda proof: names_of(proof, kind="bot", level="hard"),
        lambda proof: names_of(proof, level="hard"),
        lambda proof: proof.players[::-1],
        lambda proof: proof.players[:1],
        lambda proof: (*proof.players, Player("Mallory")),
        lambda proof: (),
    ],
)
def test_other_players_than_sat_there_are_found_out(
    cheat: Callable[[MatchProof], tuple[Player, ...]],
) -> None:
    heard, proof = played()
    heard.players = public_players(
        [SeatInfo("person", "ready", each.name) for each in proof.players]
    )
    assert heard.verify(proof, partial(Match, KIT)) == FAIR
    verdict = heard.verify(replace(proof, players=cheat(proof)), partial(Match, KIT))
    assert (verdict.fair, verdict.reason) == (False, PLAYERS_MISMATCH)


@pytest.mark.parametrize("game", ["awss", "chains", "royale", "sisters", "sun"])
@pytest.mark.parametrize("value", ["", "no such thing", -1, 99, 10**9])
def test_odd_options_and_players_are_a_verdict(game: str, value: object) -> None:
    """The set-up of three games raised, and no verdict was shown."""
    kit, (heard, proof) = catalogue.load(game), played()
    names = [*catalogue.options(kit), "nonsense"]
    for name in names:
        odd = replace(proof, options={**catalogue.options(kit), name: value})
        assert not heard.verify(odd, partial(Match, kit)).fair
    for players in ((), proof.players[:1], proof.players * 4):
        assert not heard.verify(
            replace(proof, players=players, options={}), partial(Match, kit)
        ).fair


@pytest.mark.parametrize(
    ("cheat", "why"),
    [
        (lambda p: replace(p, secret=generate_share()), SHARE_MISMATCH),
        (lambda p: replace(p, shares=p.shares | {1: generate_share()}), SHARE_MISMATCH),
        (lambda p: replace(p, shares={0: p.shares[0]}), SHARE_MISMATCH),
        (lambda p: replace(p, round=ROUND + 1), SHARE_MISMATCH),
        (lambda p: replace(p, seed=generate_share()), SEED_MISMATCH),
    ],
    ids=["the host's share", "another's share", "a share left out", "another round", "the seed"],
)
def test_a_seed_that_was_chosen_is_found_out(
    cheat: Callable[[MatchProof], MatchProof], why: object
) -> None:
    heard, proof = played()
    verdict = heard.verify(cheat(proof), partial(Match, KIT))
    assert (verdict.fair, verdict.reason) == (False, why)


def test_a_share_of_ones_own_cannot_be_replaced_with_its_seal() -> None:
    heard, proof = played()
    share = generate_share()
    heard.seals = heard.seals | {0: seal_share(share, TABLE, ROUND, 0)}
    shares = proof.shares | {0: share}
    seed = derive_seed(TABLE, ROUND, proof.secret, shares)
    assert not heard.verify(replace(proof, shares=shares, seed=seed), partial(Match, KIT)).fair


@pytest.mark.parametrize("at", [1, 7, 12])
def test_another_record_is_found_out_at_the_move_that_differs(at: int) -> None:
    heard, proof = played()
    entry = proof.record[at - 1]
    changed = (*proof.record[: at - 1], Entry(1 - entry.seat, entry.move), *proof.record[at:])
    verdict = heard.verify(replace(proof, record=changed), partial(Match, KIT))
    assert (verdict.fair, verdict.at) == (False, at)
    short = heard.verify(replace(proof, record=proof.record[:at]), partial(Match, KIT))
    assert not short.fair


@pytest.mark.parametrize("viewer", [0, AUDIENCE])
def test_a_lie_to_one_viewer_is_found_out(viewer: int) -> None:
    heard, proof = played()
    lie = Update(99, ())
    heard.add_message(viewer, 4, lie)
    assert heard.verify(proof, partial(Match, KIT)) == Verdict(
        False, replace(heard.verify(proof, partial(Match, KIT)).reason, args={"n": 4}), 4
    )


@pytest.mark.parametrize(
    "oddity",
    [
        lambda p: replace(p, players=()),
        lambda p: replace(p, players=p.players * 3),
        lambda p: replace(p, options={"length": "odd", "no such": 1}),
        lambda p: replace(p, record=(Entry(77, Move(0, "take", (999,))), *p.record[1:])),
        lambda p: replace(p, record=(Entry(0, undo=99), *p.record[1:])),
        lambda p: replace(p, record=p.record * 2),
        lambda p: replace(p, record=()),
    ],
    ids=["no players", "too many", "options", "seat", "undo", "longer", "empty"],
)
def test_there_is_a_verdict_on_every_odd_proof(oddity: Callable[[MatchProof], MatchProof]) -> None:
    heard, proof = played()
    assert not heard.verify(oddity(proof), partial(Match, KIT)).fair


@pytest.mark.parametrize("error", [KeyError, TypeError, OverflowError, RecursionError])
def test_whatever_rules_raise_a_proof_is_not_verified(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    heard, proof = played()

    def fail(*_: object, **__: object) -> None:
        raise error("unforeseen")

    monkeypatch.setattr(Match, "make_reset", fail)
    assert heard.verify(proof, partial(Match, KIT)) == UNVERIFIABLE
    monkeypatch.undo()
    monkeypatch.setattr(Match, "restore", fail)
    verdict = heard.verify(proof, partial(Match, KIT))
    assert (verdict.fair, verdict.reason.text, verdict.at) == (False, ILLEGAL_RECORD.text, 1)


class Ground:
    """A guest at a hostile host, without a line: what the host says is given to it."""

    def __init__(self, seats: tuple[int, ...] = (0,)) -> None:
        self.said: list[FromGuest] = []
        self.noted: list[Reason] = []
        self.open(Ticket(), seats)
        for seat in seats:
            self.guest.receive(Seated(seat, "token"))

    def open(self, ticket: Ticket, seats: tuple[int, ...] = (0,)) -> None:
        """Open the guest's program, with this way back to the table and to its seats there."""
        self.guest = Guest(catalogue.load, self.said.append)
        self.guest.listen(self._note)
        self.guest.join(ticket)
        self.guest.on_connected(CERTIFICATE)
        self.guest.receive(Welcome(1, "evil"))
        self.guest.receive(TableJoined(TABLE, seats))

    def _note(self, news: News) -> None:
        if isinstance(news, Notice):
            self.noted.append(news.reason)

    def phase(self, phase: Phase, round: int, table: str = TABLE) -> None:
        sitters = (SeatInfo("person", "ready", "Ann"), SeatInfo("person", "ready", "Bea"))
        plan = TablePlan("sun", (SeatConfig(),) * 2)
        self.guest.receive(TableInfo(table, plan, sitters, phase, round=round))

    def open_shares(self, round: int = 1, table: str = TABLE) -> tuple[str, dict[int, str]]:
        """Begin a start, and have the guest send its share; return all that the host knows then."""
        host, bea = generate_share(), generate_share()
        self.phase("shuffling", round, table)
        self.guest.receive(ShuffleStarted(round, seal_share(host, table, round, AUDIENCE)))
        seal = self.said[-1]
        assert isinstance(seal, CommitShare)
        seals = {0: seal.digest, 1: seal_share(bea, table, round, 1)}
        self.guest.receive(SharesCommitted(round, seals))
        share = self.said[-1]
        assert isinstance(share, RevealShare)
        return host, {0: share.secret, 1: bea}

    def deal(self, host: str, shares: dict[int, str], round: int = 1, table: str = TABLE) -> Match:
        """Show the table as it is dealt."""
        seed = derive_seed(table, round, host, shares)
        people = [Player("Ann"), Player("Bea")]
        match = Match(KIT, people, catalogue.options(KIT), seed)
        self.phase("playing", round, table)
        self.guest.receive(TableNews(0, {0: match.make_reset(0)}))
        return match

    def play(
        self, host: str, shares: dict[int, str], round: int = 1, table: str = TABLE
    ) -> MatchProof:
        """Deal, have everybody give up, and publish the proof; the host reports no restart."""
        match = self.deal(host, shares, round, table)
        match.add_listener(
            0, lambda news: self.guest.receive(TableNews(len(match.record), {0: news}))
        )
        match.concede(1)
        self.phase("over", round, table)
        proof = MatchProof(
            *(round, "sun", match.players, match.state.options, host, shares, match.seed),
            tuple(match.record),
        )
        self.guest.receive(proof)
        return proof

    def play_unasked(self) -> MatchProof:
        """Play a match for which the guest was not asked for its share."""
        host, shares = generate_share(), {0: generate_share(), 1: generate_share()}
        self.phase("playing", 1)
        self.guest.receive(ShuffleStarted(1, seal_share(host, TABLE, 1, AUDIENCE)))
        seals = {seat: seal_share(share, TABLE, 1, seat) for seat, share in shares.items()}
        self.guest.receive(SharesCommitted(1, seals))
        return self.play(host, shares)

    def judged(self, proof: MatchProof) -> Verdict:
        verdict = self.guest.check_proof(proof)
        assert verdict is not None
        return verdict


def empty_proof(ground: Ground, round: int, host: str, shares: dict[int, str]) -> None:
    """The host publishes an honest proof of a match in which nothing was played."""
    seed = derive_seed(TABLE, round, host, shares)
    people = (Player("Ann"), Player("Bea"))
    ground.phase("over", round)
    ground.guest.receive(
        MatchProof(round, "sun", people, catalogue.options(KIT), host, shares, seed, ())
    )


def cut_line(ground: Ground, round: int, host: str, shares: dict[int, str]) -> None:
    ground.guest.on_connection_lost(Lost(Reason("")))
    ground.guest.on_connected(CERTIFICATE)
    ground.guest.receive(Welcome(1, "evil"))
    ground.guest.receive(TableJoined(TABLE, (0,)))


def restart_on_disk(ground: Ground, round: int, host: str, shares: dict[int, str]) -> None:
    """The guest's program is closed and opened again, with what it has on disk."""
    with TemporaryDirectory() as folder:
        place, path = Address(("10.0.0.1",), 4, CERTIFICATE), Path(folder) / "hosts"
        KnownHosts(path).add_rejoinable(place, ground.guest.ticket, "table", "sun")
        (back,) = KnownHosts(path).rejoinable_tables
    ground.open(back.ticket)


def restart_of_gateway(ground: Ground, round: int, host: str, shares: dict[int, str]) -> None:
    """The gateway of a phone is killed: the new one has what the browser has kept."""
    ticket = seat_token.parse_token(seat_token.format_token(ground.guest.ticket), CERTIFICATE)
    assert ticket is not None
    ground.open(ticket)


@pytest.mark.parametrize(
    "between",
    [empty_proof, cut_line, restart_on_disk, restart_of_gateway],
    ids=lambda f: f.__name__,
)
def test_a_table_that_is_shown_and_not_played_is_a_deal(
    between: Callable[[Ground, int, str, dict[int, str]], None],
) -> None:
    ground, deals = Ground(), 12
    for round in range(1, deals):
        host, shares = ground.open_shares(round)
        ground.deal(host, shares, round)
        between(ground, round, host, shares)
    known = ground.open_shares(deals)
    assert [reason.args["n"] for reason in ground.noted] == list(range(2, deals + 1))
    verdict = ground.judged(ground.play(*known, deals))
    assert (verdict.restarts, verdict.is_clean) == (deals - 1, False)
    assert ground.guest.fair_start.restarts == deals - 1


def test_a_seat_that_is_not_asked_for_its_share_is_warned() -> None:
    ground = Ground()
    ground.phase("gathering", 0)
    verdict = ground.judged(ground.play_unasked())
    assert ground.noted == [SHARE_NOT_REQUESTED]
    assert (verdict.reason, verdict.is_clean) == (SHARE_NOT_REQUESTED, False)


@pytest.mark.parametrize("phase", ["gathering", "playing", "over"])
def test_no_phase_that_a_host_claims_excuses_it_from_asking(phase: Phase) -> None:
    """Who sits down, and did not take a seat over, is to be asked, whatever the host says."""
    ground = Ground(seats=())
    ground.phase(phase, 0)
    ground.guest.sit(0, "Ann")
    ground.guest.receive(Seated(0, "token"))
    assert ground.judged(ground.play_unasked()).reason == SHARE_NOT_REQUESTED
    assert ground.noted == [SHARE_NOT_REQUESTED]


def test_who_takes_a_seat_over_and_sits_down_warns_of_nothing() -> None:
    ground = Ground(seats=())
    ground.phase("playing", 1)
    ground.guest.take_over(0, "CODE")
    ground.guest.sit(0, "Ann")
    ground.guest.receive(Seated(0, "token"))
    verdict = ground.judged(ground.play_unasked())
    assert verdict.shares_requested, verdict
    assert ground.noted == []


def test_two_tables_of_one_moment_fit_no_record() -> None:
    ground = Ground()
    host, shares = ground.open_shares()
    ground.deal(generate_share(), shares)
    assert not ground.judged(ground.play(host, shares)).fair


def test_a_token_without_a_count_is_good_as_well() -> None:
    """An older gateway has given it to the browser."""
    assert seat_token.parse_token("t.0.abc", CERTIFICATE) == Ticket(
        "t", "", "", {0: "abc"}, CERTIFICATE
    )
    for wrong in ("t.0.abc.", "t.0.abc.x3-ab", "t.0.abc.d-1-ab", "t.0.abc.d3-ABC"):
        assert seat_token.parse_token(wrong, CERTIFICATE) is None


def test_an_evening_of_matches_warns_of_an_unseen_end_alone() -> None:
    ground = Ground()
    for round in (1, 2):
        assert ground.judged(ground.play(*ground.open_shares(round), round)) == FAIR
    ground.deal(*ground.open_shares(3), 3)
    ground.guest.on_connection_lost(Lost(Reason("")))  # the end of this one is not seen
    ground.guest.on_connected(CERTIFICATE)
    assert ground.noted == []
    assert ground.judged(ground.play(*ground.open_shares(4), 4)).restarts == 1
    assert len(ground.noted) == 1


async def test_a_refreshed_guest_still_sends_its_share(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        ann = await opened(host, plan("sun", 2), 0)
        bea = Friend(host.port, ticket=Ticket(code=ann.code))
        await bea.sit(1)
        asked: list[SharesCommitted] = []

        def miss_first(committed: SharesCommitted) -> None:
            asked.append(committed)
            if len(asked) == 1:
                bea.guest.request_refresh()
                bea.guest.request_refresh()
            else:
                bea.guest.receive(committed)

        bea.instead[SharesCommitted] = miss_first
        await begin([ann, bea])
        await bea.until(lambda: len(asked) >= 3)
        ann.guest.own_seats[0].concede()
        for friend in (ann, bea):
            await friend.until(lambda f=friend: f.proofs)
            assert friend.guest.check_proof(friend.proofs[0]) == FAIR
            assert friend.refused == []
            await friend.close()


async def test_a_restarted_host_still_counts_failed_starts(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        ann, bea = Friend(host.port), Friend(host.port)
        ann.guest.open_table(plan("sun", 2), "")
        await ann.sit(0)
        bea.guest.join(Ticket(code=ann.code))
        await bea.sit(1)
        (hosted,) = host.hosted_tables.values()
        await ann.until(lambda: [s.state for s in ann.guest.info.sitters] == ["ready"] * 2)
        bea.instead[SharesCommitted] = lambda _: asyncio.ensure_future(bea.line.abort())
        ann.guest.start()
        await ann.until(lambda: ann.guest.info.phase == "shuffling")
        await ann.until(lambda: ann.guest.info.phase == "gathering")
        del bea.instead[SharesCommitted]
        assert hosted.to_file().sealings == 1
        tickets = [friend.guest.ticket for friend in (ann, bea)]
    async with hosting(tmp_path) as host:
        friends = [Friend(host.port, ticket=ticket) for ticket in tickets]
        for seat, friend in enumerate(friends):
            await friend.inside()
            friend.guest.set_ready(seat)
        await begin(friends)
        friends[0].guest.own_seats[0].concede()
        for friend in friends:
            await friend.until(lambda f=friend: f.proofs)
            (proof,) = friend.proofs
            assert proof.restarts == 1
            assert friend.guest.check_proof(proof).restarts == 1
            assert friend.guest.fair_start.restarts == 1
            await friend.close()
        (file,) = tmp_path.glob("*.tabletop")
        assert read(file).fair.restarts == 1


async def test_a_match_that_the_host_ended_counts_for_everybody(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        ann, bea = friends
        bea.guest.set_absent(1)
        await ann.until(lambda: ann.guest.info.pause)
        ann.guest.decide("end")
        await bea.until(lambda: bea.proofs)
        bea.guest.set_absent(1, False)
        ann.guest.gather_for_rematch()
        for number, again in enumerate((False, True)):
            await ready_again(friends)
            await begin(friends)
            ann.guest.own_seats[0].concede()
            for friend in friends:
                await friend.until(lambda f=friend, n=number: len(f.proofs) > n + 1)
                proof = friend.proofs[-1]
                assert proof.restarts == (not again)
                verdict = friend.guest.check_proof(proof)
                assert (verdict.fair, verdict.restarts) == (True, int(not again))
                friend.guest.record_verdict(proof, verdict)
            ann.guest.gather_for_rematch()
