"""An error is planted in each piece of a host's and a guest's background work: it is heard, and the
work goes on."""

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from zeroconf import ServiceStateChange

from tabletop.background.faults import WENT_WRONG
from tabletop.background.tasks import Tasks
from tabletop.bots.bot_pool import BotPool, Worker
from tabletop.bots.decision import Decision, Question
from tabletop.catalogue import catalogue
from tabletop.engine.heuristic import Past
from tabletop.engine.model import Move, Reason
from tabletop.files import background_writes
from tabletop.files.disk_pool import DiskPool
from tabletop.files.errors import StorageError
from tabletop.files.ordered_writer import OrderedWriter
from tabletop.lan import discovery
from tabletop.lan.discovery import Finder
from tabletop.match.match import Match
from tabletop.net.guest import connection
from tabletop.net.guest.game_download import EventLoopRunner
from tabletop.net.host import host as host_module
from tabletop.net.host import relocation
from tabletop.net.host.host import Host
from tabletop.net.host.observer import HostObserver
from tabletop.net.host.relocation import relocate_to_server
from tabletop.net.host.table_disk import TableDisk
from tabletop.net.host.table_registry import TableRegistry
from tabletop.protocol.codec import OutgoingMessage
from tabletop.protocol.messages import FromHost, Notice, TableInfo
from tabletop.server.disk_health import DiskHealth
from tabletop.server.proxied_connection import ProxiedConnection
from tabletop.storage.record import read
from tabletop.table.connection_events import Lost
from tabletop.table.services import BotTask
from tabletop.table.table_bots import TableBots
from tabletop.web.http_server import HttpServer
from tests.background.planted import FailsOnce, PlantedError, fail, fail_later, heard
from tests.bots.asked_pool import asked, dealt
from tests.net.loopback import (
    LONGEST,
    Friend,
    hosting,
    opened,
    place_of,
    plan,
    play_out,
    seated,
    start,
)
from tests.server.table_server import table_server


async def until(true: object) -> None:
    """Let the loop go on until this function says so."""
    assert callable(true)
    async with asyncio.timeout(LONGEST):
        while not true():
            await asyncio.sleep(0.001)


# Disks


def test_a_background_write(expected_faults: list[str]) -> None:
    written: list[str] = []
    background_writes.add(fail)
    background_writes.add(lambda: written.append("the next"))
    assert background_writes.finish(LONGEST)
    assert heard(expected_faults)
    assert written == ["the next"]


def test_a_job_of_the_disk_pool(expected_faults: list[str]) -> None:
    pool = DiskPool()
    written: list[str] = []
    pool.enqueue(fail)
    pool.enqueue(lambda: written.append("the next"))
    pool.close()
    assert heard(expected_faults)
    assert written == ["the next"]


class Mailbox:
    """A guest that keeps what it is sent."""

    origin = ""
    can_host = False

    def __init__(self) -> None:
        self.got: list[FromHost] = []

    def send(self, message: OutgoingMessage) -> None:
        self.got.append(message.message)

    def size_bytes(self, message: OutgoingMessage) -> int:
        return 0


async def test_the_writes_of_a_table(tmp_path: Path, expected_faults: list[str]) -> None:
    pool, broken, loop = DiskPool(), list[StorageError](), asyncio.get_running_loop()
    disk = TableDisk(tmp_path, "0" * 12, loop, pool, broken.append, HostObserver())
    disk._do(fail)
    await until(lambda: broken)
    assert heard(expected_faults)
    assert broken[0].reason == WENT_WRONG, "known by its code"
    disk.discard_failed()
    mailbox = Mailbox()
    disk._do(lambda: None)
    disk.post(mailbox, OutgoingMessage(Notice(WENT_WRONG)))
    await until(lambda: mailbox.got)
    pool.close()


async def test_a_table_whose_writes_fail_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        await start(friends)
        FailsOnce(monkeypatch, TableDisk, "_append")
        mover = next(f for seat, f in enumerate(friends) if f.guest.own_seats[seat].offers)
        mover.play()
        await mover.until(
            lambda: any(
                isinstance(news, Notice) and news.reason.text == WENT_WRONG.text
                for news in mover.news
            )
        )
        assert heard(expected_faults)
        await play_out(friends)


class LaterPool(DiskPool):
    """A pool that does its jobs when the test says so."""

    def __init__(self) -> None:
        self.jobs: list[Callable[[], None]] = []

    def enqueue(self, job: Callable[[], None]) -> None:
        self.jobs.append(job)


async def test_a_table_may_close_with_a_move_on_its_way(tmp_path: Path) -> None:
    pool, broken = LaterPool(), list[StorageError]()
    loop = asyncio.get_running_loop()
    disk = TableDisk(tmp_path, "0" * 12, loop, pool, broken.append, HostObserver())
    match = dealt().authority
    assert isinstance(match, Match)
    disk.start_match(match, 1)
    match.concede(0)
    disk.write(match.record[0], match.plies[-1].events)
    disk.archive(tmp_path / "closed")
    for _ in range(2):
        await until(lambda: pool.jobs)
        pool.jobs.pop()()
    await until(lambda: disk.writer.is_settled or broken)
    assert not broken
    assert len(read(tmp_path / "closed" / disk.record_path(1).name).entries) == 1


def test_what_waited_for_the_disk(expected_faults: list[str]) -> None:
    pool, done = LaterPool(), list[str]()
    writer = OrderedWriter("a table", pool, lambda: None, lambda refused: None)
    writer.add(lambda: None)
    writer.call_when_safe(fail)
    writer.call_when_safe(lambda: done.append("the next"))
    pool.jobs.pop()()
    writer.process_results()
    assert heard(expected_faults)
    assert done == ["the next"]


async def test_the_health_of_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    health = DiskHealth(tmp_path, 0)
    monkeypatch.setattr("tabletop.server.disk_health.REPORT_MAX_AGE_S", -1)
    FailsOnce(monkeypatch, health, "_check_disk")
    assert await health.trouble() == WENT_WRONG
    assert heard(expected_faults)
    assert await health.trouble() is None


# Bots


def test_a_bots_thread(monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]) -> None:
    pool = BotPool(catalogue.load_bot_parts, workers=1)
    FailsOnce(monkeypatch, pool, "_decide")
    seat = dealt()
    assert isinstance(asked(pool, seat, "easy").exception(LONGEST), PlantedError)
    assert heard(expected_faults)
    assert asked(pool, seat, "easy").result(LONGEST).move
    pool.close()


def test_the_end_of_a_bots_process(
    monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    pool, seat = BotPool(catalogue.load_bot_parts, workers=1), dealt()
    assert asked(pool, seat, "easy").result(LONGEST).move
    FailsOnce(monkeypatch, Worker, "kill")
    pool.reload_games()
    assert asked(pool, seat, "easy").result(LONGEST).move
    assert heard(expected_faults)
    pool.close()


class BrokenPool(BotPool):
    """A pool whose futures end with an error, or that takes no question."""

    def __init__(self, takes: bool) -> None:
        self._takes = takes

    def submit(self, question: Question) -> "Future[Decision]":
        if not self._takes:
            raise PlantedError
        future: Future[Decision] = Future()
        future.set_exception(PlantedError())
        return future


@pytest.mark.parametrize("takes", [True, False])
async def test_a_bot_of_a_host(
    takes: bool, heard_faults: list[str], expected_faults: object
) -> None:
    seat = dealt()
    ask = seat.view.asks[0]
    offers = {ask.id: tuple(seat.offers[ask.id])}
    bots = TableBots(lambda: BrokenPool(takes), asyncio.get_running_loop().call_soon_threadsafe)
    answers: list[tuple[Move, bool]] = []

    def take(move: Move, trouble: bool) -> None:
        answers.append((move, trouble))

    bots.think(BotTask("sun", "easy", seat.view, ask, offers[ask.id], Past(), 1.0), take)
    await until(lambda: answers)
    ((move, trouble),) = answers
    assert trouble
    assert any(offer.admits(move) for offer in offers[ask.id])
    assert takes or heard(heard_faults)


# A host


async def test_the_sweep_of_a_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    monkeypatch.setattr(host_module, "RESTART_DELAY_S", 0)
    sweep = FailsOnce(monkeypatch, TableRegistry, "close_abandoned_tables")
    monkeypatch.setattr(host_module.asyncio, "sleep", at_once)
    async with hosting(tmp_path):
        await until(lambda: sweep.calls > 1)
    assert heard(expected_faults)


sleep = asyncio.sleep


async def at_once(seconds: float) -> None:
    """Sleep no longer than for a moment."""
    await sleep(0)


async def test_the_announcements_of_a_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    begun = 0

    async def announce(*_: object) -> None:
        nonlocal begun
        begun += 1
        if begun == 1:
            raise PlantedError

    monkeypatch.setattr(host_module, "RESTART_DELAY_S", 0)
    monkeypatch.setattr(host_module, "keep_announced", announce)
    host = Host(tmp_path, is_announced=True)
    await host.start("127.0.0.1", 0)
    await until(lambda: begun > 1)
    await host.close()
    assert heard(expected_faults)


async def test_the_line_of_a_guest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    async with hosting(tmp_path) as host:
        FailsOnce(monkeypatch, host, "_handle")
        friend = Friend(host.port)
        await friend.until(lambda: any(isinstance(news, Lost) for news in friend.news))
        assert heard(expected_faults)
        await friend.until(lambda: friend.guest.connection_state == "outside")


async def test_the_tls_of_a_guest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    async with table_server(tmp_path) as host:
        monkeypatch.setattr(ProxiedConnection, "_do_handshake", fail_later)
        friend = Friend(host.port)
        await until(lambda: heard(expected_faults))
        monkeypatch.undo()
        await friend.until(lambda: friend.guest.connection_state == "outside")


async def test_the_end_of_a_line_that_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    async with hosting(tmp_path) as host:
        friend = Friend(host.port)
        await friend.until(lambda: friend.guest.connection_state == "outside")
        (guest,) = host.guests
        monkeypatch.setattr(guest.socket, "close", fail_later)
        host.cut_off(guest, Reason("A test."))
        await until(lambda: heard(expected_faults))
        guest.socket.transport.abort()


async def test_a_table_that_arrives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    async with hosting(tmp_path / "one") as one, hosting(tmp_path / "two") as two:
        owner = await opened(one)
        (hosted,) = one.hosted_tables.values()
        monkeypatch.setattr(TableRegistry, "import_table", fail_later)
        why = await relocate_to_server(one.registry, hosted, place_of(two), "")
        assert why == WENT_WRONG
        assert heard(expected_faults)
        assert not hosted.is_moving
        monkeypatch.undo()
        assert await relocate_to_server(one.registry, hosted, place_of(two), "") is None
        await owner.close()


async def test_a_table_that_moves_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    async with (
        hosting(tmp_path / "one") as one,
        hosting(tmp_path / "two") as two,
        seated(one, plan("sun", 2), (0,), (1,)) as friends,
    ):
        (hosted,) = one.hosted_tables.values()
        monkeypatch.setattr(relocation, "pack_table", fail)
        friends[0].guest.ask_to_host(1)
        await until(lambda: any(guest.asked_to_host for guest in one.guests))
        key = two.registry.incoming.expect(lambda *_: None)
        friends[1].guest.accept_hosting(two.port, two.certificate.fingerprint, key)
        await friends[1].until(lambda: Notice(WENT_WRONG) in friends[1].news)
        assert heard(expected_faults)
        assert not hosted.is_moving


async def test_a_request_of_a_browser(expected_faults: list[str]) -> None:
    async def good(_: object) -> PlainTextResponse:
        return PlainTextResponse("good")

    app = Starlette(routes=[Route("/bad", fail_later), Route("/good", good)])
    listener = socket.create_server(("127.0.0.1", 0))
    http = HttpServer(app)
    await http.start(listener)
    assert b" 500 " in await answer(listener, "/bad")
    assert heard(expected_faults)
    assert b" 200 " in await answer(listener, "/good")
    await http.close()


async def answer(listener: socket.socket, path: str) -> bytes:
    """The first line of the answer to a request."""
    reader, writer = await asyncio.open_connection(*listener.getsockname())
    writer.write(f"GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode())
    line = await reader.readline()
    writer.close()
    return line


# A guest


async def test_a_guest_that_fails_at_news(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    monkeypatch.setattr(connection, "RESTART_DELAY_S", 0.0)
    async with hosting(tmp_path) as host:
        owner = await opened(host)
        friend = Friend(host.port)
        friend.instead[TableInfo] = fail
        friend.guest.join(owner.guest.ticket)
        await until(lambda: heard(expected_faults))
        await friend.until(lambda: any(isinstance(news, Lost) for news in friend.news))
        del friend.instead[TableInfo]
        await friend.inside()
        await owner.close()


async def test_a_game_that_is_taken(expected_faults: list[str]) -> None:
    failed: list[Exception] = []
    EventLoopRunner(Tasks()).run_in_background(fail, fail, failed.append)
    await until(lambda: failed)
    assert heard(expected_faults)


class DeafFinder(Finder):
    """A finder without a network, whose port is taken at first."""

    def __init__(self, error: Exception | None = None) -> None:
        self.troubles: list[str] = []
        self.begun = 0
        self._error = error
        super().__init__(lambda tables: None, self.troubles.append)

    def _start_browser(self) -> None:
        self.begun += 1
        if self._error is not None and self.begun == 1:
            raise self._error


async def test_a_port_that_is_taken_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, heard_faults: list[str]
) -> None:
    monkeypatch.setattr(discovery, "NETWORK_CHECK_INTERVAL_S", 0)
    finder = DeafFinder(OSError(98, "Address already in use"))
    await finder.start()
    assert finder.troubles == ["Address already in use"]
    await until(lambda: finder.begun > 1)
    await until(lambda: finder.troubles[-1] == "")
    await finder.close()
    assert not heard_faults, "the system's refusal is foreseen"


async def test_what_follows_the_networks(
    monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    monkeypatch.setattr(discovery, "NETWORK_CHECK_INTERVAL_S", 0)
    monkeypatch.setattr(discovery, "RESTART_DELAY_S", 0)
    finder = DeafFinder()
    following = FailsOnce(monkeypatch, finder, "_stop_listening")
    await finder.start()
    finder._has_failed = True
    await until(lambda: following.calls > 1)
    assert heard(expected_faults)
    await finder.close()


async def test_the_details_of_an_announced_table(
    monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    finder = DeafFinder()
    monkeypatch.setattr(finder, "_query", fail_later)
    finder._on_service_change(None, "", "table", ServiceStateChange.Added)  # type: ignore[arg-type]
    await until(lambda: heard(expected_faults))


async def test_the_first_request_of_a_guest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_faults: list[str]
) -> None:
    async with hosting(tmp_path) as host:
        FailsOnce(monkeypatch, host.limiter, "is_full")
        friend = Friend(host.port)
        await friend.until(lambda: friend.guest.connection_state == "outside")
        assert heard(expected_faults)
