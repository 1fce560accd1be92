"""What tables cost at which nobody is: memory, the start of a host that has 1,600 of them, and the
first guest of each.

The tables are copies of one, left in mid-game. Each figure stands beside the time that the host's
process was computing: on a machine with much else to do that alone tells what it takes.
"""

import asyncio
import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter

import msgspec
import psutil
import uvloop
from msgspec.structs import replace

from tabletop.games import catalogue
from tabletop.net.host.freed_memory import GROWN, PAUSE
from tabletop.net.host.write_ahead import journal_of, read_table, table_file
from tabletop.net.invitation import new_code
from tabletop.net.protocol import Enter, Entered, Hello
from tabletop.storage import folders
from tests.bench.figures import Figure, figure, tail
from tests.bench.net import RAM, Seat, line_to, load, server
from tests.net.loopback import hosting, plan, play_on, seated

TABLES = int(os.environ.get("TABLETOP_BENCH_TABLES", "1600"))
MOVES = 40
AT_ONCE = 8
LONGEST = 60.0
"""Seconds after which what is waited for does not come."""


async def one(folder: Path, game: str) -> None:
    """A table of a game, left after some moves."""
    seats = min(catalogue.load(game).box.seats)
    async with (
        hosting(folder) as host,
        seated(host, plan(game, seats), tuple(range(seats))) as (friend,),
    ):
        play_on([friend])
        await friend.until(lambda: host.metrics.moves >= MOVES or friend.proofs)


def copied(folder: Path, count: int) -> list[str]:
    """So many tables like the one that lies there; gives their codes."""
    (path,) = folder.glob("*.table")
    kept = read_table(path)
    journal = journal_of(folder, kept.table, kept.number)
    codes = []
    for number in range(count):
        table, code = f"{number:012x}", new_code()
        copy = replace(kept, table=table, code=code, opener="")
        table_file(folder, table).write_bytes(msgspec.json.encode(copy))
        shutil.copy(journal, journal_of(folder, table, kept.number))
        codes.append(code)
    path.unlink()
    journal.unlink()
    return codes


def computing(process: psutil.Process) -> float:
    """Seconds that a process has been computing."""
    times = process.cpu_times()
    return times.user + times.system


def mebibytes(process: psutil.Process) -> float:
    return process.memory_info().rss / 2**20


async def comes(port: int, code: str) -> tuple[Seat, float]:
    """A guest that comes by the code; and milliseconds until it is in, from its greeting on."""
    seat = Seat(await line_to(port), 0)
    begun = perf_counter()
    await seat.say(Hello(1, 1, "bench"))
    await seat.say(Enter(code=code))
    await seat.until(Entered)
    return seat, (perf_counter() - begun) * 1000


@asynccontextmanager
async def prepared(game: str, tables: int) -> AsyncIterator[tuple[Path, list[str]]]:
    """A folder with so many tables of a game, and their codes."""
    with tempfile.TemporaryDirectory(dir=RAM) as name:
        folder = Path(name)
        with folders.key_in(folder / "home"):  # where a server of the benchmark has its own
            await one(folder, game)
        yield folder, copied(folder, tables)


async def crowd(game: str = "sun") -> list[Figure]:
    lines = []
    with tempfile.TemporaryDirectory(dir=RAM) as nothing:
        begun = perf_counter()
        async with server("drowsy", at=Path(nothing)) as (_, process):
            alone, empty = perf_counter() - begun, mebibytes(process)
            start = computing(process)
    async with prepared(game, TABLES) as (folder, codes):
        begun = perf_counter()
        async with server("drowsy", at=folder) as (port, process):
            wall, cpu = perf_counter() - begun, computing(process)
            more = mebibytes(process) - empty
            lines += [
                figure(f"{TABLES} tables: back later than none", "s", wall - alone),
                figure(f"{TABLES} tables: back, computing", "s", cpu - start),
                figure(f"{TABLES} tables: memory", "MiB more", more),
            ]
            before, begun, taken = computing(process), perf_counter(), []
            guests: list[Seat] = []
            for at in range(0, len(codes), AT_ONCE):
                came = await asyncio.gather(*(comes(port, c) for c in codes[at : at + AT_ONCE]))
                guests += [guest for guest, _ in came]
                taken += [milliseconds for _, milliseconds in came]
            lines += [
                figure("a guest at each of them", "s", perf_counter() - begun),
                figure("a guest at each, computing", "s", computing(process) - before),
                figure("a guest at each, memory", "MiB more", mebibytes(process) - empty),
            ]
            await asyncio.gather(*(guest.line.close() for guest in guests))
            while process.num_fds() > TABLES / 2:  # one that is awake has its journal open
                await asyncio.sleep(0.5)
            await asyncio.sleep(2 * PAUSE)
            lines.append(figure("asleep again", "MiB more", mebibytes(process) - empty))
            process.send_signal(signal.SIGUSR1)
            begun = perf_counter()
            while mebibytes(process) - empty > GROWN / 2**20:
                assert perf_counter() - begun < LONGEST, "it does not begin anew"
                await asyncio.sleep(0.01)
            begun = perf_counter()
            guest, _ = await comes(port, codes[0])  # it waits in the socket
            came_in = perf_counter() - begun
            lines.append(figure("a guest that comes while it begins anew is in", "s", came_in))
            more = mebibytes(process) - empty
            limit = f"where it kept more than {GROWN >> 20}"
            lines.append(figure("begun anew", "MiB more", more, most=60, note=limit))
            await guest.line.close()
    return lines


async def waking(game: str) -> list[Figure]:
    """What the first guest of a table waits for, one at a time."""
    async with prepared(game, 60) as (folder, codes), server("drowsy", at=folder) as running:
        port, process = running
        taken, again = [], []
        await (await comes(port, codes[0]))[0].line.close()
        before = computing(process)
        for code in codes[1:]:
            guest, milliseconds = await comes(port, code)
            other, known = await comes(port, code)
            taken.append(milliseconds)
            again.append(known)
            await guest.line.close()
            await other.line.close()
        cpu = (computing(process) - before) / len(taken) * 1000
    return [
        figure(f"{game}: the first guest is in", "ms", *taken),
        tail(f"{game}: the first guest is in", "ms", taken, most=100),
        figure(f"{game}: the second guest is in", "ms", *again),
        figure(f"{game}: computing for both", "ms", cpu),
    ]


def report() -> Iterator[Figure]:
    yield load()
    yield from uvloop.run(crowd())
    for game in (name for name in catalogue.names() if not name.startswith("_")):
        yield from uvloop.run(waking(game))
