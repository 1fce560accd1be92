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
from statistics import median
from time import perf_counter

import uvloop

from tabletop.net.certificate import certificate
from tabletop.net.invitation import PORT
from tests.bench.net import at_a_table, percentile, seated, server

TABLES = int(os.environ.get("TABLETOP_BENCH_TABLES", "1600"))
CONFIG = Path(__file__).parents[2] / "packaging" / "server" / "haproxy.cfg"
PROXY = 18990
"""The port of HAProxy; its servers have those of its file."""


def told(tables: int, figures: list[list[float]]) -> str:
    """What the tables have felt."""
    taken = [figure for table in figures for figure in table]
    late = sum(figure == float("inf") for figure in taken)
    return (
        f"{tables} tables: {len(taken)} moves, {late} not seen, p50 {median(taken):.2f} ms, "
        f"p99 {percentile(taken, 99):.2f} ms"
    )


async def backed_up(game: str = "sun") -> AsyncIterator[str]:
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
            yield f"{told(TABLES, await playing)} (at most 100)"
            size = file.stat().st_size / 2**20
            yield f"backup meanwhile: {took:.2f} s (at most 5), {size:.1f} MiB, status {code}"
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


async def shared(servers: int, tables: int, game: str = "sun") -> str:
    """So many tables on so many servers."""
    async with behind_haproxy(servers):
        pairs = await seated(PROXY, tables, game)
        readers = [asyncio.create_task(seat.listen()) for pair in pairs for seat in pair]
        await asyncio.sleep(2)
        played = await asyncio.gather(*(at_a_table(pair) for pair in pairs))
        for reader in readers:
            reader.cancel()
    return f"{servers} behind HAProxy, {told(tables, played)}"


async def report_backup() -> list[str]:
    return [line async for line in backed_up()]


def report() -> Iterator[str]:
    yield f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"
    yield from uvloop.run(report_backup())
    for servers in (1, 2):
        yield uvloop.run(shared(servers, servers * TABLES // 4))
