"""A match of this process makes a change once it is written, one after the other."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from tabletop.catalogue import catalogue
from tabletop.engine.events import Event
from tabletop.engine.model import Reason
from tabletop.files.errors import StorageError
from tabletop.match.history import Entry
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from tabletop.match.stand_ins import StandIn
from tabletop.storage.kept_match import KeptMatch

FULL = StorageError('Can\'t write "{file}": the disk is full.', file="x")


class LaterPool:
    """Threads that work when they are told to."""

    def __init__(self) -> None:
        self.jobs: list[Callable[[], None]] = []

    def give(self, job: Callable[[], None]) -> None:
        self.jobs.append(job)

    def work(self) -> None:
        self.jobs.pop(0)()


class Journal:
    """Keeps the entries, or refuses them."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.stand_ins: list[StandIn] = []
        self.fault: Exception | None = None

    def write(self, entry: Entry, events: Sequence[Event] = ()) -> None:
        if self.fault is not None:
            raise self.fault
        self.entries.append(entry)

    def write_stand_in(self, stand_in: StandIn) -> None:
        if self.fault is not None:
            raise self.fault
        self.stand_ins.append(stand_in)


class Table:
    """A match of Sun that is kept, and what came of it."""

    def __init__(self) -> None:
        kit = catalogue.load("sun")
        self.match = Match(kit.game, kit.backs, [Player("Ann"), Player("Bea")], seed="kept")
        self.journal, self.pool = Journal(), LaterPool()
        self.match.journal = self.journal
        self.troubles: list[Reason] = []
        self.reasons: list[Reason] = []
        self.done: list[int] = []
        self.kept = KeptMatch(
            self.match, self.pool, lambda: self.kept.settle(), self.troubles.append
        )

    def answer(self) -> Entry:
        (ask,) = self.match.state.asks
        offers = self.match.offers(ask.seat)[ask.id]
        return Entry(ask.seat, next(offers[0].moves(ask.id)))

    def play(self) -> None:
        self.kept.act(
            self.answer, lambda: self.done.append(len(self.match.record)), self.reasons.append
        )


def test_nobody_hears_of_a_change_before_it_is_written() -> None:
    table, heard = Table(), []
    table.match.listen(0, heard.append)
    state = table.match.state
    table.play()
    assert table.kept.busy
    assert (heard, table.done, table.match.state) == ([], [], state)
    table.pool.work()
    assert not table.kept.busy
    assert len(heard) == 1
    assert table.done == [1]
    assert table.journal.entries == table.match.record


def test_what_comes_meanwhile_waits_its_turn() -> None:
    table = Table()
    table.play()
    table.play()  # its entry is that of the next question
    assert len(table.pool.jobs) == 1
    table.pool.work()
    table.pool.work()
    assert table.done == [1, 2]
    assert table.journal.entries == table.match.record
    assert table.reasons == []


def test_what_the_disk_refuses_changes_nothing() -> None:
    table, state = Table(), None
    state = table.match.state
    table.journal.fault = FULL
    table.play()
    table.play()
    table.pool.work()
    assert table.troubles == table.reasons == [FULL.reason]
    assert table.match.state is state
    table.journal.fault = None
    table.pool.work()
    assert table.done == [1]


def test_a_bot_takes_a_seat_once_that_is_written() -> None:
    table = Table()
    table.journal.fault = FULL
    for _ in range(2):
        table.kept.act(partial(table.match.stand_in, 1, "normal"), refused=table.reasons.append)
        table.pool.work()
        if table.journal.fault is not None:
            assert table.match.bots == {}
            assert table.reasons == [FULL.reason]
        table.journal.fault = None
    assert table.match.bots == {1: "normal"}
    assert table.journal.stand_ins == table.match.stand_ins
    assert table.match.record == []


def test_a_mistake_in_writing_is_a_refusal_too(expected_faults: list[str]) -> None:
    table = Table()
    table.journal.fault = KeyError("line")
    table.play()
    table.pool.work()
    assert [reason.code for reason in table.reasons] == ["disk"]
    assert table.match.record == []
    assert not table.kept.busy
    assert ["KeyError: 'line'" in fault for fault in expected_faults] == [True]


def test_the_rules_refuse_when_it_is_its_turn() -> None:
    table = Table()
    stale = table.answer()
    table.play()
    table.kept.act(partial(Entry, stale.seat, stale.move), refused=table.reasons.append)
    assert table.reasons == []
    table.pool.work()
    assert len(table.reasons) == 1
    assert len(table.match.record) == 1


def test_a_seat_is_pending_until_it_is_written(tmp_path: Path) -> None:
    table = Table()
    seat = Seat.of(table.match, table.answer().seat)
    seat.authority = table_authority(table, seat)
    move = table.answer().move
    seat.send(move)
    assert seat.pending == move
    assert seat.offers == {}
    table.pool.work()
    assert seat.pending is None
    assert seat.view.ply == 1


def table_authority(table: Table, seat: Seat) -> object:
    """Answers by way of the kept match."""

    class Kept:
        def submit(self, number: int, move: object) -> None:
            table.kept.act(partial(Entry, number, move), refused=seat.refuse)

    return Kept()
