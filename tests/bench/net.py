"""How soon a move is seen by the other player, and how many tables one core serves.

Servers run in processes of their own, their guests in this one. A guest here decodes what it must
to find a legal move and folds nothing, and runs on a loop quicker than the hosts': eight hundred of
them may not be what is waited for. The relay and the echo are the library's own, with TLS and
with frames as large as those of the host, measured in turns with it. Latency is wall time: a busy
machine shows in it, and so does a busy disk, so the host is measured without one as well.
"""

import asyncio
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from time import perf_counter

import msgspec
import psutil
import uvloop
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect

from tabletop.engine.model import Move, Offer
from tabletop.engine.scratch import Luck
from tabletop.net.certificate import guest_context
from tabletop.net.codec import LARGEST_OUT, encode
from tabletop.net.fairness import sealed
from tabletop.net.guest.connection import reach
from tabletop.net.heartbeat import GuestLine
from tabletop.net.invitation import Address, slot_of
from tabletop.net.protocol import (
    Commit,
    Committed,
    Enter,
    Entered,
    FromGuest,
    FromHost,
    Hello,
    Open,
    Play,
    Ready,
    Reveal,
    Seated,
    SeatPlan,
    Shuffle,
    Sit,
    Start,
    TableInfo,
    TablePlan,
    Told,
)
from tests.bench.figures import Figure, figure, tail

MOVES = 400
RAM = "/dev/shm" if os.path.isdir("/dev/shm") else None
"""A folder that no disk is behind, where there is one."""
SECONDS = float(os.environ.get("TABLETOP_BENCH_SECONDS", "20"))


class _Offered(Struct):
    """As much of a seat's news as it takes to answer."""

    offers: dict[int, tuple[Offer, ...]]


class _News(Struct, tag="told"):
    at: int
    what: dict[int, _Offered]


_news = msgspec.json.Decoder(_News)
_other = msgspec.json.Decoder(FromHost)


class Seat:
    """A guest at one seat, as thin as can be."""

    def __init__(self, line: ClientConnection, number: int) -> None:
        self.line = line
        self.number = number
        self.offers: dict[int, tuple[Offer, ...]] = {}
        self.seen = 0.0
        self.size = 0
        self.told = asyncio.Event()
        self.frame = b""
        self.context: TableInfo | None = None
        self.share = "share"

    async def say(self, message: FromGuest) -> None:
        await self.line.send(encode(message), text=True)

    async def until(self, kind: type[FromHost]) -> FromHost:
        """The next message of this kind."""
        while True:
            message = _other.decode(await self.line.recv(decode=False))
            if isinstance(message, TableInfo):
                self.context = message
            if isinstance(message, kind):
                return message

    async def listen(self) -> None:
        """Note what comes, from when the match has begun."""
        while True:
            frame = await self.line.recv(decode=False)
            now = perf_counter()
            if frame.startswith(b'{"type":"told"'):
                self.frame, self.seen = frame, now
                self.told.set()

    def read(self) -> None:
        """Take in what came last; what is measured is over by then."""
        if self.frame:
            news = _news.decode(self.frame)
            self.offers = news.what[self.number].offers
            self.size, self.frame = len(self.frame), b""

    def answer(self, luck: Luck) -> Move:
        number, offers = next(iter(self.offers.items()))
        return offers[luck.below(len(offers))].sample(number, luck)


async def line_to(port: int, source: str = "127.0.0.1", name: str = "tabletop") -> ClientConnection:
    """A line to the host, from this address of the computer's own; `name`: of which of several."""
    return await connect(
        f"wss://127.0.0.1:{port}/",
        ssl=guest_context(),
        server_hostname=name,
        compression=None,
        max_size=LARGEST_OUT,
        ping_interval=None,
        create_connection=GuestLine,
        proxy=None,
        local_addr=(source, 0),
    )


async def sit_down(port: int, game: str, source: str = "127.0.0.1") -> tuple[Seat, Seat]:
    """Two guests at a new table, the match begun; behind HAProxy the code says at which server."""
    first = Seat(await line_to(port, source), 0)
    await first.say(Hello(1, 1, "bench"))
    await first.say(Open(TablePlan(game, (SeatPlan(), SeatPlan()))))
    context = await first.until(TableInfo)
    assert isinstance(context, TableInfo)
    name = f"{slot_of(context.code)}.tabletop"
    seats = first, second = first, Seat(await line_to(port, source, name), 1)
    await second.say(Hello(1, 1, "bench"))
    await second.say(Enter(code=context.code))
    await second.until(Entered)
    for seat in seats:
        await seat.say(Sit(seat.number, f"P{seat.number}"))
        await seat.until(Seated)
        await seat.say(Ready(seat.number))
    while not all(s.state == "ready" for s in (first.context or context).sitters):
        await first.until(TableInfo)
    await first.say(Start())
    for seat in seats:
        shuffle = await seat.until(Shuffle)
        assert isinstance(shuffle, Shuffle)
        await seat.say(
            Commit(seat.number, sealed(seat.share, context.table, shuffle.round, seat.number))
        )
    for seat in seats:
        await seat.until(Committed)
        await seat.say(Reveal(seat.number, seat.share))
    for seat in seats:
        told = await seat.until(Told)
        assert isinstance(told, Told)
        seat.offers = told.what[seat.number].offers
    return first, second


@asynccontextmanager
async def server(
    what: str, disk: str | None = None, at: Path | None = None, port: int = 0
) -> AsyncIterator[tuple[int, psutil.Process]]:
    """One of the servers in its own process: the port, and the process. `at`: in this folder;
    `port`: there, behind HAProxy."""
    with tempfile.TemporaryDirectory(dir=disk) as made:
        folder = str(at or made)
        environment = os.environ | {"TABLETOP_HOME": str(Path(folder) / "home")}
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.bench._servers",
                what,
                folder,
                *([str(port)] * (port > 0)),
            ],
            stdout=subprocess.PIPE,
            env=environment,
        )
        try:
            assert process.stdout is not None
            port = int(await asyncio.to_thread(process.stdout.readline))
            yield port, psutil.Process(process.pid)
        finally:
            process.kill()
            process.wait()


async def moves(port: int, game: str, count: int) -> tuple[list[float], int]:
    """Milliseconds from sending a move until the other player has it; and a frame's usual size."""
    taken: list[float] = []
    sizes: list[int] = []
    luck = Luck("bench")
    while len(taken) < count:
        seats = await sit_down(port, game)
        readers = [asyncio.create_task(seat.listen()) for seat in seats]
        while len(taken) < count and (asked := [seat for seat in seats if seat.offers]):
            mover = asked[0]
            other = seats[1 - mover.number]
            other.told.clear()
            mover.told.clear()
            frame = encode(Play(mover.number, mover.answer(luck)))
            begun = perf_counter()
            await mover.line.send(frame, text=True)
            await other.told.wait()
            await mover.told.wait()
            taken.append((other.seen - begun) * 1000)
            for seat in seats:
                seat.read()
            sizes.append(other.size)
            await asyncio.sleep(0.005)
        for reader in readers:
            reader.cancel()
        for seat in seats:
            await seat.line.close()
    return taken, int(median(sizes))


async def passed_on(port: int, relays: bool, size: int, count: int) -> list[float]:
    """Milliseconds until a frame of this size is at the other guest, or back."""
    one = await reach(Address(("127.0.0.1",), port))
    two = await reach(Address(("127.0.0.1",), port)) if relays else one
    taken = []
    for _ in range(count):
        begun = perf_counter()
        await one.send(b"x" * size, text=True)
        await two.recv(decode=False)
        taken.append((perf_counter() - begun) * 1000)
        await asyncio.sleep(0.005)
    await one.close()
    await two.close()
    return taken


async def latency(game: str) -> list[Figure]:
    """The host beside the relay and the echo, in turns."""
    figures: dict[str, list[float]] = {"host": [], "diskless": [], "relay": [], "echo": []}
    async with (
        server("host") as (here, _),
        server("host", RAM) as (diskless, _),
        server("relay") as (relay, _),
        server("echo") as (echo, _),
    ):
        await moves(here, game, 30)
        for _ in range(4):
            taken, size = await moves(here, game, MOVES // 4)
            figures["host"] += taken
            figures["diskless"] += (await moves(diskless, game, MOVES // 4))[0]
            figures["relay"] += await passed_on(relay, True, size, MOVES // 4)
            figures["echo"] += await passed_on(echo, False, size, MOVES // 4)
    relayed = median(figures["relay"])
    return [
        *(figure(f"{game}: {name}", "ms", *taken) for name, taken in figures.items()),
        *(tail(f"{game}: {name}", "ms", taken) for name, taken in figures.items()),
        figure(f"{game}: host", "x the relay", median(figures["host"]) / relayed, most=2.5),
        figure(f"{game}: diskless", "x the relay", median(figures["diskless"]) / relayed, most=2),
        figure(f"{game}: the disk has a move safe", "ms", *synced()),
    ]


def synced() -> list[float]:
    """Milliseconds that this disk takes to have a line safe."""
    taken = []
    with tempfile.TemporaryFile() as file:
        for _ in range(200):
            begun = perf_counter()
            file.write(b"x" * 900)
            file.flush()
            os.fsync(file.fileno())
            taken.append((perf_counter() - begun) * 1000)
    return taken


async def seated(port: int, tables: int, game: str) -> list[tuple[Seat, Seat]]:
    """So many tables, their matches begun."""
    pairs: list[tuple[Seat, Seat]] = []
    for _ in range(0, tables, 20):
        pairs += await asyncio.gather(
            *(sit_down(port, game) for _ in range(min(20, tables - len(pairs))))
        )
    return pairs


async def crowd(tables: int, game: str = "sun") -> list[Figure]:
    """So many tables with two guests each, a move a second at every one of them."""
    async with server("host") as (port, process):
        pairs = await seated(port, tables, game)
        readers = [asyncio.create_task(seat.listen()) for pair in pairs for seat in pair]
        await asyncio.sleep(2)
        before, begun = process.cpu_times(), perf_counter()
        played = await asyncio.gather(*(at_a_table(pair) for pair in pairs))
        after, wall = process.cpu_times(), perf_counter() - begun
        rss = process.memory_info().rss / 2**20
        for reader in readers:
            reader.cancel()
    taken = [figure for table in played for figure in table]
    late = sum(figure == float("inf") for figure in taken)
    cpu = after.user + after.system - before.user - before.system
    name, played_in = f"{tables} tables", f"{len(taken)} moves in {wall:.0f} s"
    return [
        figure(f"{name}: both players have a move", "ms", *taken, note=played_in),
        tail(f"{name}: both players have a move", "ms", taken),
        figure(f"{name}: moves not seen", "", late, most=0),
        figure(f"{name}: CPU a move", "ms", cpu / len(taken) * 1000),
        figure(f"{name}: memory", "MiB", rss),
    ]


async def at_a_table(seats: tuple[Seat, Seat]) -> list[float]:
    """Play a move a second; milliseconds until both players had each, inf where one never had."""
    luck = Luck(id(seats))
    taken = []
    await asyncio.sleep(random.random())
    end = perf_counter() + SECONDS
    while perf_counter() < end and (asked := [seat for seat in seats if seat.offers]):
        mover = asked[0]
        for seat in seats:
            seat.told.clear()
        begun = perf_counter()
        await mover.say(Play(mover.number, mover.answer(luck)))
        try:
            async with asyncio.timeout(5):
                for seat in seats:
                    await seat.told.wait()
            taken.append((max(seat.seen for seat in seats) - begun) * 1000)
            for seat in seats:
                seat.read()
        except TimeoutError:
            taken.append(float("inf"))
        await asyncio.sleep(max(0.0, 1 - (perf_counter() - begun)))
    return taken


def load() -> Figure:
    """How much else the machine has to do, at the beginning."""
    processors = f"{os.cpu_count()} processors"
    return figure("load of the machine before", "", os.getloadavg()[0], note=processors)


def report() -> Iterator[Figure]:
    yield load()
    for game in ("sun", "chains"):
        yield from uvloop.run(latency(game))
    for tables in (400, 1600):
        yield from uvloop.run(crowd(tables))
