"""How honest tables fare while somebody attacks their host, and what that leaves behind.

`tabletop serve` runs as a server does. Two guests at each honest table play, every table from
addresses of its own; attackers come in a process of their own, which the system lets wait for
both. The figures are milliseconds from a move until both players have it. The machine's own share
shows in the first line, under which nothing is asked of the host; where others use the machine too,
`chrt -f 50` before the command has it wait for nobody else.

Under each attack the slowest move in a hundred may take 150 ms, and what the host has in memory may
not grow.
"""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from time import perf_counter

import psutil
import uvloop
from websockets.exceptions import WebSocketException

from tabletop.engine.scratch import Luck
from tabletop.net.codec import encode
from tabletop.net.host.freed_memory import PAUSE as GIVEN_BACK
from tabletop.net.protocol import Play
from tests.bench._attackers import ATTACKS
from tests.bench.figures import Figure, figure, percentile, tail
from tests.bench.net import Seat, load, sit_down

TABLES = 30
PAUSE = 0.4
"""Seconds between two moves at a table."""
SECONDS = float(os.environ.get("TABLETOP_BENCH_SECONDS", "10"))
LATE = 5.0
"""Seconds after which a move counts as never seen."""
SHARED = 150.0
"""Milliseconds that the slowest move in a hundred may take."""


STAMP = re.compile(rb"\d{4}-\d\d-\d\dT")
"""How a line of the server's log begins."""


@asynccontextmanager
async def served() -> AsyncIterator[tuple[int, psutil.Process, list[bytes]]]:
    """A server as anybody starts one: its port, its process, and what it says beside its log."""
    with tempfile.TemporaryDirectory() as folder:
        where = ["--bind", "127.0.0.1", "--port", "0", "--data", str(Path(folder) / "data")]
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tabletop", "serve", *where),
            stdout=subprocess.DEVNULL,  # the first steps of a new server
            stderr=subprocess.PIPE,
            env=os.environ | {"TABLETOP_HOME": folder},
            limit=2**24,
        )
        assert process.stderr is not None
        while b"listening" not in (line := await process.stderr.readline()):
            assert line, "it has ended"
        noise: list[bytes] = []
        reading = asyncio.create_task(read_all(process.stderr, noise))
        try:
            yield int(line.split(b"port=")[1].split()[0]), psutil.Process(process.pid), noise
        finally:
            process.kill()
            await process.wait()
            reading.cancel()


async def read_all(stream: asyncio.StreamReader, noise: list[bytes]) -> None:
    while line := await stream.readline():
        if not STAMP.match(line):
            noise.append(line)


class HonestTables:
    """Tables at which two guests play one match after the other."""

    def __init__(self, port: int) -> None:
        self.taken: list[float] = []
        """Milliseconds of each move; inf where it was not seen."""
        self.lost = 0
        """How many tables lost a line."""
        self._port = port
        self._numbers = count(1)
        self._ready = asyncio.Semaphore(0)

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            for _ in range(TABLES):
                group.create_task(self._table())

    async def begun(self) -> None:
        """Wait until all of them play."""
        for _ in range(TABLES):
            await self._ready.acquire()

    async def _table(self) -> None:
        number = next(self._numbers)
        source, luck = f"127.1.{number // 200}.{number % 200 + 1}", Luck(str(number))
        first = True
        while True:
            try:
                seats = await sit_down(self._port, "royale", source)
                if first:
                    self._ready.release()
                    first = False
                await self._play(seats, luck)
            except (OSError, WebSocketException):
                self.lost += 1

    async def _play(self, seats: tuple[Seat, Seat], luck: Luck) -> None:
        readers = [asyncio.create_task(seat.listen()) for seat in seats]
        try:
            while asked := [seat for seat in seats if seat.offers]:
                await asyncio.sleep(PAUSE * (0.5 + luck.below(1000) / 1000))
                for seat in seats:
                    seat.told.clear()
                mover = asked[0]
                begun = perf_counter()
                await mover.line.send(encode(Play(mover.number, mover.answer(luck))), text=True)
                try:
                    async with asyncio.timeout(LATE):
                        for seat in seats:
                            await seat.told.wait()
                    self.taken.append((max(seat.seen for seat in seats) - begun) * 1000)
                except TimeoutError:
                    self.taken.append(float("inf"))
                for reader in readers:
                    if reader.done():
                        reader.result()
                for seat in seats:
                    seat.read()
        finally:
            for reader in readers:
                reader.cancel()
            for seat in seats:
                seat.line.transport.abort()

    async def measured(self, seconds: float) -> list[float]:
        """The moves of the next seconds."""
        self.taken.clear()
        await asyncio.sleep(seconds)
        return list(self.taken) or [float("inf")]


async def under(name: str, port: int, honest: HonestTables) -> tuple[list[float], str]:
    """The moves while this attack lasts, and how much it did."""
    attackers = await asyncio.create_subprocess_exec(
        *(*behind(), sys.executable, "-m", "tests.bench._attackers"),
        *(name, str(port), str(SECONDS)),
        stdout=subprocess.PIPE,
    )
    taken = await honest.measured(SECONDS + 1)
    told, _ = await attackers.communicate()
    return taken, told.decode().strip() or "?"


def behind() -> tuple[str, ...]:
    """Has the system run a command whenever neither host nor honest tables want to."""
    if sys.platform == "linux" and os.sched_getscheduler(0) == os.SCHED_FIFO:
        return "chrt", "-f", "1"
    return "nice", "-n", "10"


def felt(when: str, taken: list[float], most: float | None = None, note: str = "") -> list[Figure]:
    """What the honest tables have felt."""
    return [figure(when, "ms", *taken, note=note), tail(when, "ms", taken, most=most)]


def memory(process: psutil.Process) -> float:
    """What the host has in memory, in MiB."""
    return float(process.memory_info().rss) / 2**20


async def evening() -> AsyncIterator[Figure]:
    async with served() as (port, process, noise):
        honest = HonestTables(port)
        playing = asyncio.create_task(honest.run())
        await honest.begun()
        await honest.measured(2)
        usual = await honest.measured(SECONDS)
        at_rest = percentile(usual, 99)
        for each in felt(f"{TABLES} tables at rest", usual):
            yield each
        yield figure("memory at rest", "MiB", memory(process))
        for name in only or ATTACKS:
            before, lost = memory(process), honest.lost
            noise.clear()
            taken, done = await under(name, port, honest)
            most = memory(process)
            after = await honest.measured(GIVEN_BACK + 1)
            missed = sum(move == float("inf") for move in taken)
            for each in (
                *felt(name, taken, SHARED, f"{len(taken)} moves; {done}"),
                figure(name, "x at rest, 99 in 100", percentile(taken, 99) / at_rest),
                *felt(f"after {name}", after),
                figure(f"{name}: moves not seen", "", missed, most=0),
                figure(f"{name}: lines lost", "", honest.lost - lost, most=0),
                figure(f"{name}: memory meanwhile", "MiB more", most - before),
                figure(f"{name}: memory afterwards", "MiB more", memory(process) - before),
            ):
                yield each
            if noise:
                last = noise[-1].decode()[:200]
                yield figure(f"{name}: lines beside its log", "", len(noise), most=0, note=last)
        playing.cancel()
        with suppress(asyncio.CancelledError):
            await playing


only = tuple(filter(None, os.environ.get("TABLETOP_BENCH_ATTACKS", "").split(";")))
"""Which attacks, where not all are wanted."""


def report() -> Iterator[Figure]:
    yield load()
    lines = evening()
    with uvloop_runner() as runner:
        while True:
            try:
                yield runner.run(anext(lines))
            except StopAsyncIteration:
                return


def uvloop_runner() -> asyncio.Runner:
    return asyncio.Runner(loop_factory=uvloop.new_event_loop)
