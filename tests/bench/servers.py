"""What a server's backup costs those who play, and what a second server behind HAProxy is good for.

A move a second at every table, as in `net`. The backup is made by the command, in a process of its
own. Twice the tables on two servers want two processors for them alone: guests and HAProxy take
about one more, so on a machine of two the second figure tells little.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import perf_counter

import uvloop

from tabletop.net.certificate import certificate
from tabletop.net.invitation import PORT
from tests.bench.figures import Figure, figure, tail
from tests.bench.net import at_a_table, load, seated, server

TABLES = int(os.environ.get("TABLETOP_BENCH_TABLES", "1600"))
CONFIG = Path(__file__).parents[2] / "packaging" / "server" / "haproxy.cfg"
PROXY = 18990
"""The port of HAProxy; its servers have those of its file."""


def told(name: str, tables: list[list[float]], most: float | None = None) -> list[Figure]:
    """What the tables have felt; in 99 of 100 moves at most so many milliseconds."""
    taken = [move for table in tables for move in table]
    return [
        figure(f"{name}: a move is seen", "ms", *taken, note=f"{len(tables)} tables"),
        tail(f"{name}: a move is seen", "ms", taken, most=most),
        figure(f"{name}: moves not seen", "", sum(move == float("inf") for move in taken), most=0),
    ]


async def backed_up(game: str = "sun") -> AsyncIterator[Figure]:
    """A backup while all tables play."""
    with tempfile.TemporaryDirectory() as name:
        folder, file = Path(name) / "data", Path(name) / "backup.tar.gz"
        folder.mkdir()
        async with server("host", at=folder) as (port, _):
            pairs = await seated(port, TABLES, game)
            readers = [asyncio.create_task(seat.listen()) for pair in pairs for seat in pair]
            playing = asyncio.gather(*(at_a_table(pair) for pair in pairs))
            await asyncio.sleep(2)
            begun = perf_counter()
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tabletop", "server", "backup", str(file)),
                *("--data", str(folder)),
                stdout=subprocess.DEVNULL,
            )
            code = await process.wait()
            took = perf_counter() - begun
            for felt in told("during a backup", await playing, most=100):
                yield felt
            yield figure("the backup", "s", took, most=5, note=f"status {code}")
            yield figure("its file", "MiB", file.stat().st_size / 2**20)
            for reader in readers:
                reader.cancel()


@asynccontextmanager
async def behind_haproxy(servers: int) -> AsyncIterator[None]:
    """So many servers of HAProxy's file, with one certificate."""
    with tempfile.TemporaryDirectory() as name:
        text = CONFIG.read_text("utf-8").replace("bind :18920", f"bind 127.0.0.1:{PROXY}")
        config = Path(name) / "haproxy.cfg"
        config.write_text(text, "utf-8")
        async with AsyncExitStack() as stack:
            first = certificate(Path(name)).path.read_bytes()
            for number in range(1, servers + 1):
                folder = Path(name) / str(number)
                folder.mkdir()
                (folder / "host.pem").write_bytes(first)
                port = PORT + number
                await stack.enter_async_context(server("host", at=folder, port=port))
            proxy = subprocess.Popen(["haproxy", "-db", "-f", str(config)])
            stack.callback(proxy.wait)
            stack.callback(proxy.kill)
            await asyncio.sleep(3)  # until it has looked which servers are there
            yield


async def shared(servers: int, tables: int, game: str = "sun") -> list[Figure]:
    """So many tables on so many servers."""
    async with behind_haproxy(servers):
        pairs = await seated(PROXY, tables, game)
        readers = [asyncio.create_task(seat.listen()) for pair in pairs for seat in pair]
        await asyncio.sleep(2)
        played = await asyncio.gather(*(at_a_table(pair) for pair in pairs))
        for reader in readers:
            reader.cancel()
    return told(f"{servers} behind HAProxy", played)


async def report_backup() -> list[Figure]:
    return [felt async for felt in backed_up()]


def report() -> Iterator[Figure]:
    yield load()
    yield from uvloop.run(report_backup())
    for servers in (1, 2):
        yield from uvloop.run(shared(servers, servers * TABLES // 4))
