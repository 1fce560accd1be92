"""Servers for `tests.bench.wire`: a host, a bare relay, an echo.

    python -m tests.bench.wire_servers host|relay|echo FOLDER

The first line on standard output is the port. All speak TLS with the same certificate; the relay
and the echo run as the library's own examples do.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
from websockets.asyncio.server import ServerConnection, serve

from tabletop.net.certificate import load_certificate
from tabletop.net.event_loop import raise_open_file_limit, run
from tabletop.net.host.host import Host
from tabletop.net.limits import Limits

ROOMY = Limits(
    tables=10_000,
    tables_per_address=10_000,
    connections=20_000,
    connections_per_address=20_000,
    openings_per_minute=1_000_000,
    messages_per_s=1_000,
    message_burst=10_000,
    traffic_burst_bytes=2**40,
)


RAM = "/dev/shm" if os.path.isdir("/dev/shm") else None
"""A folder without a disk behind it, where there is one."""


@asynccontextmanager
async def server(kind: str, disk: str | None = None) -> AsyncIterator[tuple[int, psutil.Process]]:
    """Run one of the servers; yield its port and its process."""
    with tempfile.TemporaryDirectory(dir=disk) as folder:
        command = [sys.executable, "-m", "tests.bench.wire_servers", kind, folder]
        environment = os.environ | {"TABLETOP_HOME": str(Path(folder) / "home")}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
        try:
            port = int(await asyncio.to_thread(process.stdout.readline))
            yield port, psutil.Process(process.pid)
        finally:
            process.kill()
            process.wait()


async def host(folder: Path) -> None:
    """Serve tables as `tabletop serve` does."""
    raise_open_file_limit()
    table = Host(folder, limits=ROOMY)
    await table.start("127.0.0.1", 0)
    print(table.port, flush=True)
    await asyncio.Event().wait()


async def bare(folder: Path, relays: bool) -> None:
    """Pass each frame on to the other guest, or back to its sender."""
    guests: list[ServerConnection] = []

    async def pass_on(guest: ServerConnection) -> None:
        guests.append(guest)
        async for frame in guest:
            others = [other for other in guests if other is not guest] if relays else [guest]
            for other in others:
                await other.send(frame)
        guests.remove(guest)

    context = load_certificate(folder).make_tls_context()
    server = await serve(pass_on, "127.0.0.1", 0, ssl=context, compression=None)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    what, place = sys.argv[1], Path(sys.argv[2])
    if what == "host":
        run(host(place))
    else:
        asyncio.run(bare(place, what == "relay"))
