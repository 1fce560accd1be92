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
    NOT_LEGAL,
    OTHER_PLAYERS,
    OTHER_SEED,
    OTHER_SHARE,
    OTHER_TABLE,
    UNASKED,
    UNVERIFIABLE,
    FairnessTranscript,
    Verdict,
    mix_shares,
    new_share,
    seal_share,
    those_seated,
)
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import (
    Commit,
    Committed,
    Entered,
    FromGuest,
    Notice,
    Phase,
    Proof,
    Reveal,
    SeatConfig,
    Seated,
    SeatInfo,
    Shuffle,
    TableInfo,
    TableNews,
    TablePlan,
    Welcome,
)
from tabletop.storage.record import read
from tabletop.studio.laws.random_games import some_answer
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
) -> tuple[FairnessTranscript, Proof]:
    """A match at an honest host: what a guest at seat 0 heard of it, and the proof. It begins with
    a throw of that seat's dice, where a zone of them is named."""
    host, shares = new_share(), {0: new_share(), 1: new_share()}
    heard = FairnessTranscript(TABLE, ROUND, seal_share(host, TABLE, ROUND, AUDIENCE))
    heard.seals = {seat: seal_share(share, TABLE, ROUND, seat) for seat, share in shares.items()}
    heard.own = {0: shares[0]}
    seed = mix_shares(TABLE, ROUND, host, shares)
    match = Match(kit, [Player("Ann"), Player("Bea")], catalogue.options(kit), seed)
    for viewer in viewers:
        heard.note(viewer, 0, decode(msgspec.json.encode(match.reset(viewer))))

        def note(news: Update | Reset, viewer: int = viewer) -> None:
            heard.note(viewer, len(match.record), decode(msgspec.json.encode(news)))

        match.listen(viewer, note)
    if thrown:
        match.submit(0, Move(match.state.asks[0].id, "throw", (), thrown))
    luck = FastRng("fair")
    for number in range(14):
        ask, move = some_answer(kit.rules, match.state, luck)
        match.submit(ask.seat, move)
        if number == 5:
            match.undo(None)
    match.concede(1)
    proof = Proof(
        *(ROUND, kit.id, match.players, match.state.options, host, shares, seed),
        tuple(match.record),
    )
    return heard, proof


def test_an_honest_match_is_fair() -> None:
    heard, proof = played()
    assert heard.judge(proof, partial(Match, KIT)) == FAIR


def test_a_host_that_tags_no_sentence_is_as_fair() -> None:
    heard, proof = played(decode=untagged)
    assert heard.judge(proof, partial(Match, KIT)) == FAIR


def test_a_hidden_throw_of_dice_is_checked_like_a_deal() -> None:
    beach = catalogue.load("shell_beach")
    heard, proof = played(kit=beach, thrown="bucket/0")
    assert heard.judge(proof, partial(Match, beach)) == FAIR
    heard, proof = played(kit=beach, thrown="bucket/0", decode=loaded)
    verdict = heard.judge(proof, partial(Match, beach))
    assert (verdict.fair, verdict.reason.text, verdict.at) == (False, OTHER_TABLE.text, 1)


def names_of(proof: Proof, **changed: object) -> tuple[Player, ...]:
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
    cheat: Callable[[Proof], tuple[Player, ...]],
) -> None:
    heard, proof = played()
    heard.players = those_seated([SeatInfo("person", "ready", each.name) for each in proof.players])
    assert heard.judge(proof, partial(Match, KIT)) == FAIR
    verdict = heard.judge(replace(proof, players=cheat(proof)), partial(Match, KIT))
    assert (verdict.fair, verdict.reason) == (False, OTHER_PLAYERS)


@pytest.mark.parametrize("game", ["awss", "chains", "royale", "sisters", "sun"])
@pytest.mark.parametrize("value", ["", "no such thing", -1, 99, 10**9])
def test_odd_options_and_players_are_a_verdict(game: str, value: object) -> None:
    """The set-up of three games raised, and no verdict was shown."""
    kit, (heard, proof) = catalogue.load(game), played()
    names = [*catalogue.options(kit), "nonsense"]
    for name in names:
        odd = replace(proof, options={**catalogue.options(kit), name: value})
        assert not heard.judge(odd, partial(Match, kit)).fair
    for players in ((), proof.players[:1], proof.players * 4):
        assert not heard.judge(
            replace(proof, players=players, options={}), partial(Match, kit)
        ).fair


@pytest.mark.parametrize(
    ("cheat", "why"),
    [
        (lambda p: replace(p, secret=new_share()), OTHER_SHARE),
        (lambda p: replace(p, shares=p.shares | {1: new_share()}), OTHER_SHARE),
        (lambda p: replace(p, shares={0: p.shares[0]}), OTHER_SHARE),
        (lambda p: replace(p, round=ROUND + 1), OTHER_SHARE),
        (lambda p: replace(p, seed=new_share()), OTHER_SEED),
    ],
    ids=["the host's share", "another's share", "a share left out", "another round", "the seed"],
)
def test_a_seed_that_was_chosen_is_found_out(cheat: Callable[[Proof], Proof], why: object) -> None:
    heard, proof = played()
    verdict = heard.judge(cheat(proof), partial(Match, KIT))
    assert (verdict.fair, verdict.reason) == (False, why)


def test_a_share_of_ones_own_cannot_be_replaced_with_its_seal() -> None:
    heard, proof = played()
    share = new_share()
    heard.seals = heard.seals | {0: seal_share(share, TABLE, ROUND, 0)}
    shares = proof.shares | {0: share}
    seed = mix_shares(TABLE, ROUND, proof.secret, shares)
    assert not heard.judge(replace(proof, shares=shares, seed=seed), partial(Match, KIT)).fair


@pytest.mark.parametrize("at", [1, 7, 12])
def test_another_record_is_found_out_at_the_move_that_differs(at: int) -> None:
    heard, proof = played()
    entry = proof.record[at - 1]
    changed = (*proof.record[: at - 1], Entry(1 - entry.seat, entry.move), *proof.record[at:])
    verdict = heard.judge(replace(proof, record=changed), partial(Match, KIT))
    assert (verdict.fair, verdict.at) == (False, at)
    short = heard.judge(replace(proof, record=proof.record[:at]), partial(Match, KIT))
    assert not short.fair


@pytest.mark.parametrize("viewer", [0, AUDIENCE])
def test_a_lie_to_one_viewer_is_found_out(viewer: int) -> None:
    heard, proof = played()
    lie = Update(99, ())
    heard.note(viewer, 4, lie)
    assert heard.judge(proof, partial(Match, KIT)) == Verdict(
        False, replace(heard.judge(proof, partial(Match, KIT)).reason, args={"n": 4}), 4
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
def test_there_is_a_verdict_on_every_odd_proof(oddity: Callable[[Proof], Proof]) -> None:
    heard, proof = played()
    assert not heard.judge(oddity(proof), partial(Match, KIT)).fair


@pytest.mark.parametrize("error", [KeyError, TypeError, OverflowError, RecursionError])
def test_whatever_rules_raise_a_proof_is_not_verified(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    heard, proof = played()

    def fail(*_: object, **__: object) -> None:
        raise error("unforeseen")

    monkeypatch.setattr(Match, "reset", fail)
    assert heard.judge(proof, partial(Match, KIT)) == UNVERIFIABLE
    monkeypatch.undo()
    monkeypatch.setattr(Match, "restore", fail)
    verdict = heard.judge(proof, partial(Match, KIT))
    assert (verdict.fair, verdict.reason.text, verdict.at) == (False, NOT_LEGAL.text, 1)


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
        self.guest.enter(ticket)
        self.guest.start_over(CERTIFICATE)
        self.guest.receive(Welcome(1, "evil"))
        self.guest.receive(Entered(TABLE, seats))

    def _note(self, news: News) -> None:
        if isinstance(news, Notice):
            self.noted.append(news.reason)

    def phase(self, phase: Phase, round: int, table: str = TABLE) -> None:
        sitters = (SeatInfo("person", "ready", "Ann"), SeatInfo("person", "ready", "Bea"))
        plan = TablePlan("sun", (SeatConfig(),) * 2)
        self.guest.receive(TableInfo(table, plan, sitters, phase, round=round))

    def open_shares(self, round: int = 1, table: str = TABLE) -> tuple[str, dict[int, str]]:
        """Begin a start, and have the guest send its share; return all that the host knows then."""
        host, bea = new_share(), new_share()
        self.phase("shuffling", round, table)
        self.guest.receive(Shuffle(round, seal_share(host, table, round, AUDIENCE)))
        seal = self.said[-1]
        assert isinstance(seal, Commit)
        seals = {0: seal.digest, 1: seal_share(bea, table, round, 1)}
        self.guest.receive(Committed(round, seals))
        share = self.said[-1]
        assert isinstance(share, Reveal)
        return host, {0: share.secret, 1: bea}

    def deal(self, host: str, shares: dict[int, str], round: int = 1, table: str = TABLE) -> Match:
        """Show the table as it is dealt."""
        seed = mix_shares(table, round, host, shares)
        people = [Player("Ann"), Player("Bea")]
        match = Match(KIT, people, catalogue.options(KIT), seed)
        self.phase("playing", round, table)
        self.guest.receive(TableNews(0, {0: match.reset(0)}))
        return match

    def play(self, host: str, shares: dict[int, str], round: int = 1, table: str = TABLE) -> Proof:
        """Deal, have everybody give up, and publish the proof; the host reports no restart."""
        match = self.deal(host, shares, round, table)
        match.listen(0, lambda news: self.guest.receive(TableNews(len(match.record), {0: news})))
        match.concede(1)
        self.phase("over", round, table)
        proof = Proof(
            *(round, "sun", match.players, match.state.options, host, shares, match.seed),
            tuple(match.record),
        )
        self.guest.receive(proof)
        return proof

    def play_unasked(self) -> Proof:
        """Play a match for which the guest was not asked for its share."""
        host, shares = new_share(), {0: new_share(), 1: new_share()}
        self.phase("playing", 1)
        self.guest.receive(Shuffle(1, seal_share(host, TABLE, 1, AUDIENCE)))
        seals = {seat: seal_share(share, TABLE, 1, seat) for seat, share in shares.items()}
        self.guest.receive(Committed(1, seals))
        return self.play(host, shares)

    def judged(self, proof: Proof) -> Verdict:
        verdict = self.guest.judge(proof)
        assert verdict is not None
        return verdict


def empty_proof(ground: Ground, round: int, host: str, shares: dict[int, str]) -> None:
    """The host publishes an honest proof of a match in which nothing was played."""
    seed = mix_shares(TABLE, round, host, shares)
    people = (Player("Ann"), Player("Bea"))
    ground.phase("over", round)
    ground.guest.receive(
        Proof(round, "sun", people, catalogue.options(KIT), host, shares, seed, ())
    )


def cut_line(ground: Ground, round: int, host: str, shares: dict[int, str]) -> None:
    ground.guest.note_lost_connection(Lost(Reason("")))
    ground.guest.start_over(CERTIFICATE)
    ground.guest.receive(Welcome(1, "evil"))
    ground.guest.receive(Entered(TABLE, (0,)))


def restart_on_disk(ground: Ground, round: int, host: str, shares: dict[int, str]) -> None:
    """The guest's program is closed and opened again, with what it has on disk."""
    with TemporaryDirectory() as folder:
        place, path = Address(("10.0.0.1",), 4, CERTIFICATE), Path(folder) / "hosts"
        KnownHosts(path).add_rejoinable(place, ground.guest.ticket, "table", "sun")
        (back,) = KnownHosts(path).rejoinable_tables
    ground.open(back.ticket)


def restart_of_gateway(ground: Ground, round: int, host: str, shares: dict[int, str]) -> None:
    """The gateway of a phone is killed: the new one has what the browser has kept."""
    ticket = seat_token.read(seat_token.write(ground.guest.ticket), CERTIFICATE)
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
    assert (verdict.restarts, verdict.good) == (deals - 1, False)
    assert ground.guest.fair_start.restarts == deals - 1


def test_a_seat_that_is_not_asked_for_its_share_is_warned() -> None:
    ground = Ground()
    ground.phase("gathering", 0)
    verdict = ground.judged(ground.play_unasked())
    assert ground.noted == [UNASKED]
    assert (verdict.reason, verdict.good) == (UNASKED, False)


@pytest.mark.parametrize("phase", ["gathering", "playing", "over"])
def test_no_phase_that_a_host_claims_excuses_it_from_asking(phase: Phase) -> None:
    """Who sits down, and did not take a seat over, is to be asked, whatever the host says."""
    ground = Ground(seats=())
    ground.phase(phase, 0)
    ground.guest.sit(0, "Ann")
    ground.guest.receive(Seated(0, "token"))
    assert ground.judged(ground.play_unasked()).reason == UNASKED
    assert ground.noted == [UNASKED]


def test_who_takes_a_seat_over_and_sits_down_warns_of_nothing() -> None:
    ground = Ground(seats=())
    ground.phase("playing", 1)
    ground.guest.take_over(0, "CODE")
    ground.guest.sit(0, "Ann")
    ground.guest.receive(Seated(0, "token"))
    verdict = ground.judged(ground.play_unasked())
    assert verdict.asked, verdict
    assert ground.noted == []


def test_two_tables_of_one_moment_fit_no_record() -> None:
    ground = Ground()
    host, shares = ground.open_shares()
    ground.deal(new_share(), shares)
    assert not ground.judged(ground.play(host, shares)).fair


def test_a_token_without_a_count_is_good_as_well() -> None:
    """An older gateway has given it to the browser."""
    assert seat_token.read("t.0.abc", CERTIFICATE) == Ticket("t", "", "", {0: "abc"}, CERTIFICATE)
    for wrong in ("t.0.abc.", "t.0.abc.x3-ab", "t.0.abc.d-1-ab", "t.0.abc.d3-ABC"):
        assert seat_token.read(wrong, CERTIFICATE) is None


def test_an_evening_of_matches_warns_of_an_unseen_end_alone() -> None:
    ground = Ground()
    for round in (1, 2):
        assert ground.judged(ground.play(*ground.open_shares(round), round)) == FAIR
    ground.deal(*ground.open_shares(3), 3)
    ground.guest.note_lost_connection(Lost(Reason("")))  # the end of this one is not seen
    ground.guest.start_over(CERTIFICATE)
    assert ground.noted == []
    assert ground.judged(ground.play(*ground.open_shares(4), 4)).restarts == 1
    assert len(ground.noted) == 1


async def test_a_refreshed_guest_still_sends_its_share(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        ann = await opened(host, plan("sun", 2), 0)
        bea = Friend(host.port, ticket=Ticket(code=ann.code))
        await bea.sit(1)
        asked: list[Committed] = []

        def miss_first(committed: Committed) -> None:
            asked.append(committed)
            if len(asked) == 1:
                bea.guest.request_refresh()
                bea.guest.request_refresh()
            else:
                bea.guest.receive(committed)

        bea.instead[Committed] = miss_first
        await begin([ann, bea])
        await bea.until(lambda: len(asked) >= 3)
        ann.guest.own_seats[0].concede()
        for friend in (ann, bea):
            await friend.until(lambda f=friend: f.proofs)
            assert friend.guest.judge(friend.proofs[0]) == FAIR
            assert friend.refused == []
            await friend.close()


async def test_a_restarted_host_still_counts_failed_starts(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        ann, bea = Friend(host.port), Friend(host.port)
        ann.guest.open(plan("sun", 2), "")
        await ann.sit(0)
        bea.guest.enter(Ticket(code=ann.code))
        await bea.sit(1)
        (hosted,) = host.hosted_tables.values()
        await ann.until(lambda: [s.state for s in ann.guest.info.sitters] == ["ready"] * 2)
        bea.instead[Committed] = lambda _: asyncio.ensure_future(bea.line.drop())
        ann.guest.start()
        await ann.until(lambda: ann.guest.info.phase == "shuffling")
        await ann.until(lambda: ann.guest.info.phase == "gathering")
        del bea.instead[Committed]
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
            assert friend.guest.judge(proof).restarts == 1
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
                verdict = friend.guest.judge(proof)
                assert (verdict.fair, verdict.restarts) == (True, int(not again))
                friend.guest.settle(proof, verdict)
            ann.guest.gather_for_rematch()
