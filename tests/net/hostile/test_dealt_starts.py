"""A host that says anything it likes gets no deal that goes unnoticed, and an honest one no blame.

Hypothesis draws what the host says. The host's knowledge of a deal is found out from outside: a
share that the guest sends opens a start, a table that is shown is dealt. With TABLETOP_LONG=1 there
are 10,000 sequences of it.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import count
from typing import ClassVar, Literal

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE, Reason
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Match, Player
from tabletop.net.guest import fair_shuffle
from tabletop.net.guest.fair_shuffle import DEALT_AGAIN
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.session import Guest
from tabletop.protocol.fairness import FAIR, SHARE_NOT_REQUESTED, derive_seed, seal_share
from tabletop.protocol.messages import (
    CommitShare,
    Farewell,
    FromGuest,
    FromHost,
    MatchProof,
    Notice,
    Phase,
    Refused,
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
from tabletop.protocol.table_transfer import TableMoved
from tabletop.studio.laws.random_games import random_answer
from tabletop.table.connection_events import Lost, News
from tabletop.web import seat_token
from tests.net.loopback import LONG

KIT = catalogue.load("sun")
CERTIFICATE = "ab" * 32
PEOPLE = (Player("Ann"), Player("Bea"))
SEQUENCES = settings(max_examples=10_000 if LONG else 100, stateful_step_count=30)
PHASES = st.sampled_from(("gathering", "shuffling", "playing", "over"))
Medium = Literal["memory", "disk", "browser"]


def dealt(seed: str) -> Match:
    """A match of this seed, as it is dealt."""
    return Match(KIT, PEOPLE, catalogue.options(KIT), seed)


class Seat(RuleBasedStateMachine):
    """A guest at seat 0, without a line: what the host says is given to it."""

    numbers: ClassVar[Iterator[int]]
    """The next shares of the guest: the same in every run, for Hypothesis repeats sequences."""

    def __init__(self) -> None:
        super().__init__()
        Seat.numbers = count(2**64)
        self.table, self.round, self.phase = "t", 1, "gathering"
        self.secrets = 0
        self.said: list[FromGuest] = []
        self.warned: list[Reason] = []
        self.guest = self.opened(Ticket())
        self.receive(TableJoined(self.table, ()), self.info())
        self.guest.sit(0, "Ann")
        self.receive(Seated(0, "token"))
        self.match: Match | None = None
        self.proof: MatchProof | None = None

    def opened(self, ticket: Ticket) -> Guest:
        """The program of the guest is opened, with this way back to the table."""
        guest = self.guest = Guest(catalogue.load, self.said.append)
        guest.listen(self._note)
        guest.join(ticket)
        guest.on_connected(CERTIFICATE)
        guest.receive(Welcome(1, "any"))
        return guest

    def _note(self, news: News) -> None:
        if isinstance(news, Notice):
            self.warned.append(news.reason)

    def receive(self, *messages: FromHost) -> None:
        for message in messages:
            self.guest.receive(message)

    def new_secret(self) -> str:
        self.secrets += 1
        return f"{self.secrets:032x}"

    def info(self) -> TableInfo:
        sitters = (SeatInfo("person", "ready", "Ann"), SeatInfo("person", "ready", "Bea"))
        plan = TablePlan("sun", (SeatConfig(),) * 2)
        return TableInfo(self.table, plan, sitters, self.phase, round=self.round)

    def go_to(self, phase: Phase) -> None:
        self.phase = phase
        self.receive(self.info())

    def come_back(self, medium: Medium) -> None:
        """The line breaks and is there again; the guest's program is restarted, unless all of it
        is still in memory."""
        ticket = self.guest.ticket
        if medium == "disk":
            ticket = msgspec.json.decode(msgspec.json.encode(ticket), type=Ticket)
        elif medium == "browser":
            read = seat_token.parse_token(seat_token.format_token(ticket), CERTIFICATE)
            assert read is not None
            ticket = read
        if medium == "memory":
            self.guest.on_connection_lost(Lost(Reason("")))
            self.guest.on_connected(CERTIFICATE)
            self.receive(Welcome(1, "any"))
        else:
            self.opened(ticket)
        self.receive(TableJoined(self.table, (0,)), self.info())

    def show(self, match: Match) -> None:
        self.receive(TableNews(len(match.record), {0: match.make_reset(0)}))

    def concede(self, seen: bool = True) -> None:
        """Bea gives the match up."""
        assert self.match is not None
        match = self.match
        if seen:
            stop = match.add_listener(
                0, lambda news: self.receive(TableNews(len(match.record), {0: news}))
            )
        match.concede(1)
        if seen:
            stop()

    def move(self, seen: bool, luck: int) -> None:
        """A move at random."""
        assert self.match is not None
        match = self.match
        if seen:
            stop = match.add_listener(
                0, lambda news: self.receive(TableNews(len(match.record), {0: news}))
            )
        ask, move = random_answer(KIT.rules, match.state, FastRng(str(luck)))
        match.submit(ask.seat, move)
        if seen:
            stop()

    @property
    def running(self) -> bool:
        return self.match is not None and self.match.state.result is None

    def judge(self) -> None:
        """The person here is shown the verdict."""
        assert self.proof is not None
        self.guest.record_verdict(self.proof, self.guest.check_proof(self.proof))


class HostileHost(Seat):
    """Says anything, in any order."""

    counts: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.secret, self.digest = "", ""
        self.place = ("t", 1)
        """The table and round of the last start."""
        self.shares: dict[int, str] = {}
        self.known: list[str] = []
        """The seeds of all deals that the host could know since the last match that was played to
        an end seen here; the guest's share is in the first so many, unless it is `chosen`."""
        self.chosen: set[str] = set()
        self.last_played = ""
        """The seed of the last match that was played out."""
        self.first_try = ""
        """The same, where it was the only deal since the match before."""
        self.lied = False

    # The model: what the host knows

    def learn(self, seed: str) -> None:
        """The host knows another deal: the guest has to have warned of it."""
        self.lied = False
        if seed in self.known[-1:] or seed == self.last_played:
            return
        self.counts["deals"] += 1
        if self.known:
            self.counts["deals that were warned of"] += 1
            warned = [r.args["n"] for r in self.warned if r.text == DEALT_AGAIN.text]
            assert warned, "a deal goes unnoticed"
            assert max(warned) > len(self.known)
        self.known.append(seed)

    def hear_share(self, seals: dict[int, str], shares: dict[int, str]) -> None:
        """The shares of these seals are asked for; the guest's share opens the start."""
        self.said.clear()
        self.warned.clear()
        self.receive(SharesCommitted(self.place[1], seals))
        for said in self.said:
            if isinstance(said, RevealShare):
                self.shares = shares | {0: said.secret}
                self.learn(derive_seed(*self.place, self.secret, self.shares))

    # The host's messages

    @rule(phase=PHASES, round=st.integers(0, 3), table=st.sampled_from("tttu"))
    def tell_info(self, phase: Phase, round: int, table: str) -> None:
        self.table, self.round = table, round
        self.go_to(phase)

    @rule(again=st.booleans())
    def ask_for_shares(self, again: bool) -> None:
        if not (again and self.digest):
            self.secret = self.new_secret()
        self.place = self.table, self.round
        self.digest = seal_share(self.secret, *self.place, AUDIENCE)
        self.said.clear()
        self.receive(ShuffleStarted(self.round, self.digest))

    @precondition(lambda self: self.digest)
    @rule(own=st.sampled_from(("own", "own", "none", "other")))
    def publish_seals(self, own: str) -> None:
        shares = {1: self.new_secret()}
        seals = {1: seal_share(shares[1], *self.place, 1)}
        commits = [said.digest for said in self.said if isinstance(said, CommitShare)]
        if own == "own" and commits:
            seals[0] = commits[-1]
        elif own == "other":
            seals[0] = seal_share(self.new_secret(), *self.place, 0)
        self.hear_share(seals, shares)

    @rule(table=st.sampled_from("tttu"), round=st.integers(0, 3))
    def start_as_is_right(self, table: str, round: int) -> None:
        self.table, self.round = table, round
        self.go_to("shuffling")
        self.ask_for_shares(False)
        self.publish_seals("own")
        self.deal()

    @rule(round=st.integers(0, 9))
    def play_a_match_as_is_right(self, round: int) -> None:
        self.start_as_is_right(self.table, round)
        if self.running:
            self.concede()
            self.prove("right")
            self.look_at_verdict()

    @precondition(lambda self: self.shares)
    @rule()
    def deal(self) -> None:
        self.match = dealt(derive_seed(*self.place, self.secret, self.shares))
        self.go_to("playing")
        self.show(self.match)

    @rule(phase=st.sampled_from(("playing", "shuffling")), round=st.integers(0, 3))
    def deal_what_it_chose(self, phase: Phase, round: int) -> None:
        """No share of the guest's is in this one."""
        self.round = round
        self.go_to(phase)
        self.ask_for_shares(False)
        self.shares = {0: self.new_secret(), 1: self.new_secret()}
        self.warned.clear()
        seals = {
            number: seal_share(share, *self.place, number) for number, share in self.shares.items()
        }
        self.receive(SharesCommitted(round, seals))
        self.match = dealt(derive_seed(*self.place, self.secret, self.shares))
        self.chosen.add(self.match.seed)
        self.go_to("playing")
        self.show(self.match)
        seat = self.guest.own_seats.get(0)
        if seat is not None and seat.view == self.match.view(0):
            self.learn(self.match.seed)

    @precondition(lambda self: self.running)
    @rule(seen=st.booleans(), luck=st.integers(0, 3))
    def play(self, seen: bool, luck: int) -> None:
        self.move(seen, luck)

    @precondition(lambda self: self.running)
    @rule(seen=st.booleans())
    def end(self, seen: bool) -> None:
        self.concede(seen)

    @precondition(lambda self: self.match is not None)
    @rule()
    def show_again(self) -> None:
        assert self.match is not None
        self.show(self.match)

    @rule(ended=st.booleans())
    def show_another_table(self, ended: bool) -> None:
        other = dealt(self.new_secret())
        if ended:
            other.concede(1)
        at = len(self.match.record) if self.match is not None else 0
        self.lied = True
        self.receive(TableNews(at, {0: other.make_reset(0)}))

    @precondition(lambda self: self.match is not None)
    @rule(kind=st.sampled_from(("right", "right", "empty", "short", "round", "seed", "conceded")))
    def prove(self, kind: str) -> None:
        match = self.match
        record = tuple(match.record)
        if kind == "empty":
            record = ()
        elif kind == "short":
            record = record[:-1]
        elif kind == "conceded" and match.state.result is None:
            ended = dealt(match.seed)
            for entry in record:
                ended.restore(entry)
            ended.concede(1)
            record = tuple(ended.record)
        seed = self.new_secret() if kind == "seed" else match.seed
        self.proof = MatchProof(
            self.place[1] + (kind == "round"),
            *("sun", PEOPLE, match.state.options, self.secret, dict(self.shares), seed, record),
        )
        self.go_to("over")
        self.receive(self.proof)
        self._note_end(self.proof)

    def _note_end(self, proof: MatchProof) -> None:
        """Note whether this proof leads the last deal to an end that the guest truly sees."""
        seat = self.guest.own_seats.get(0)
        if self.lied or seat is None or [proof.seed] != self.known[-1:]:
            return
        match = dealt(proof.seed)
        for entry in proof.record:
            match.restore(entry)
        result, at = match.state.result, len(match.record)
        if result is not None and (seat.view.result, seat.at) == (result, at):
            self.counts["matches that were played out"] += 1
            self.first_try = proof.seed if len(self.known) == 1 else ""
            self.known, self.last_played = [], proof.seed

    @precondition(lambda self: self.proof is not None)
    @rule()
    def look_at_verdict(self) -> None:
        verdict = self.guest.check_proof(self.proof)
        self.guest.record_verdict(self.proof, verdict)
        if verdict is None or not verdict.is_clean:
            self.counts["verdicts that warn"] += 1
            return
        self.counts["verdicts without a warning"] += 1
        assert self.proof.seed not in self.chosen
        assert self.proof.seed in (self.first_try, *self.known[:1]), "deals before it go unsaid"

    @rule()
    def cut_the_line(self) -> None:
        self.come_back("memory")

    @precondition(lambda self: self.guest.ticket.table and self.guest.ticket.seats)
    @rule(medium=st.sampled_from(("disk", "browser")))
    def guest_is_restarted(self, medium: Medium) -> None:
        self.come_back(medium)
        self.lied, self.proof = False, None

    @rule(closed=st.booleans(), back=st.booleans(), displaced=st.booleans())
    def say_farewell(self, closed: bool, back: bool, displaced: bool) -> None:
        self.receive(Farewell(Reason("Bye."), back, closed, displaced))

    @rule()
    def close_the_table(self) -> None:
        self.receive(Refused(Reason("Gone."), "enter", closed=True))

    @rule(seats=st.sampled_from(((), (0,), (0, 1))))
    def let_in(self, seats: tuple[int, ...]) -> None:
        self.receive(TableJoined(self.table, seats), self.info())

    @rule()
    def give_the_seat(self) -> None:
        self.receive(Seated(0, self.new_secret()))

    @rule(table=st.sampled_from("tu"))
    def move_the_table(self, table: str) -> None:
        self.table = table
        self.receive(TableMoved(("10.0.0.1",), 4, CERTIFICATE, table))

    # Invariants

    @invariant()
    def every_deal_is_played_out_or_counted(self) -> None:
        starts = self.guest.ticket.starts
        if starts is None:
            return  # the host has taken the seat: the count comes back with it
        if starts.state == "settled":
            assert not self.known
        elif self.known:
            assert starts.unfinished + 1 >= len(self.known)


class HonestHost(Seat):
    """Plays by the rules, while lines break and programs are restarted."""

    def __init__(self) -> None:
        super().__init__()
        self.secret = ""
        self.shares: dict[int, str] = {}
        self.seals: dict[int, str] = {}
        self.round = 0

    @initialize()
    def begin(self) -> None:
        self.start()

    @property
    def shuffle(self) -> ShuffleStarted:
        return ShuffleStarted(self.round, seal_share(self.secret, self.table, self.round, AUDIENCE))

    @precondition(lambda self: self.phase in ("gathering", "over"))
    @rule()
    def start(self) -> None:
        self.go_to("gathering")
        self.round += 1
        self.ask()
        self.seals = {
            0: self.said[-1].digest,
            1: seal_share(self.shares[1], self.table, self.round, 1),
        }
        self.receive(SharesCommitted(self.round, self.seals))
        self.shares[0] = self.said[-1].secret
        self.match = dealt(derive_seed(self.table, self.round, self.secret, self.shares))
        self.go_to("playing")
        self.show(self.match)

    def ask(self) -> None:
        self.secret, self.shares = self.new_secret(), {1: self.new_secret()}
        self.go_to("shuffling")
        self.receive(self.shuffle)

    @precondition(lambda self: self.phase in ("gathering", "over"))
    @rule()
    def call_off_before_all_shares_are_sealed(self) -> None:
        self.round += 1
        self.ask()
        self.round -= 1
        self.go_to("gathering")

    @precondition(lambda self: self.running)
    @rule(luck=st.integers(0, 3))
    def play(self, luck: int) -> None:
        self.move(True, luck)
        self.tell_end()

    @precondition(lambda self: self.running and self.match.can_undo(None))
    @rule()
    def undo(self) -> None:
        self.match.undo(None)
        self.show(self.match)

    @precondition(lambda self: self.running)
    @rule()
    def end(self) -> None:
        self.concede()
        self.tell_end()

    def tell_end(self) -> None:
        if self.match.state.result is not None:
            self.go_to("over")
            self.prove()

    def prove(self) -> None:
        match = self.match
        self.proof = MatchProof(
            *(self.round, "sun", PEOPLE, match.state.options, self.secret, dict(self.shares)),
            *(match.seed, tuple(match.record)),
        )
        self.receive(self.proof)

    @rule(medium=st.sampled_from(("memory", "disk", "browser")), missed=st.booleans())
    def leave_and_return(self, medium: Medium, missed: bool) -> None:
        """Bea may end the match meanwhile: the end is shown to who comes back. No program is
        closed in the second that it takes to judge a proof."""
        if self.proof is not None and medium != "memory":
            self.judge()
        if self.running and missed:
            self.concede(False)
            self.phase = "over"
        self.come_back(medium)
        if self.phase in ("playing", "over"):
            self.receive(self.shuffle, SharesCommitted(self.round, self.seals))
            self.show(self.match)
        if self.phase == "over":
            self.prove()

    @precondition(lambda self: self.phase == "over")
    @rule()
    def look_at_verdict(self) -> None:
        verdict = self.guest.check_proof(self.proof)
        assert verdict == FAIR
        self.guest.record_verdict(self.proof, verdict)

    @invariant()
    def nobody_is_warned(self) -> None:
        assert not [
            r for r in self.warned if r.text in (DEALT_AGAIN.text, SHARE_NOT_REQUESTED.text)
        ]


@pytest.fixture(autouse=True)
def _numbered_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_shuffle, "generate_share", lambda: f"{next(Seat.numbers):032x}")


def test_no_deal_of_a_hostile_host_goes_unnoticed() -> None:
    HostileHost.counts.clear()
    run_state_machine_as_test(HostileHost, settings=SEQUENCES)
    print(dict(HostileHost.counts))
    assert min(HostileHost.counts.values()) > 0
    assert len(HostileHost.counts) == 5


def test_an_honest_host_is_never_warned_of() -> None:
    run_state_machine_as_test(HonestHost, settings=SEQUENCES)
