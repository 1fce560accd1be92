"""What `tests.bench.net` measures, each in a process of its own: a host, a bare relay, an echo.

    python -m tests.bench._servers host|drowsy|relay|echo FOLDER [PORT]

The first line on standard output is the port. All of them speak TLS with the same certificate. The
host runs as `tabletop serve` does; so does the drowsy one, whose tables sleep after a second, and
which begins anew after `QUIET` seconds at which nobody was there, once it was told that it may
(`SIGUSR1`). The others run as the library's own examples do.
"""

import asyncio
import signal
import socket
import sys
from pathlib import Path

from msgspec.structs import replace
from websockets.asyncio.server import ServerConnection, serve

from tabletop.net.certificate import certificate
from tabletop.net.host.event_loop import many_files, run
from tabletop.net.host.freed_memory import begin_anew, give_back_memory, outgrown
from tabletop.net.host.front import EVERYBODY, Front
from tabletop.net.host.garbage_collection import collect_seldom
from tabletop.net.host.headless import first_of
from tabletop.net.host.inherited_socket import inherited_socket
from tabletop.net.host.server import Host
from tabletop.net.limits import Limits

ROOMY = Limits(
    tables=10_000,
    tables_per_address=10_000,
    connections=20_000,
    connections_per_address=20_000,
    openings_a_minute=1_000_000,
    messages_a_second=1_000,
    burst=10_000,
    drawn_at_once=2**40,
)


QUIET = 2.0


async def host(folder: Path, port: int = 0) -> None:
    """At a port that is named it stands behind HAProxy."""
    many_files()
    front = Front(("127.0.0.1",)) if port else EVERYBODY
    table = Host(folder, limits=ROOMY, front=front)
    await table.start("127.0.0.1", port)
    print(table.port, flush=True)
    await asyncio.gather(collect_seldom(), give_back_memory())


async def drowsy(folder: Path) -> socket.socket:
    """Whoever measures says when the host may begin anew, to see before what it has until then."""
    many_files()
    inherited = inherited_socket() or socket.create_server(("127.0.0.1", 0), backlog=1000)
    held = inherited.dup()
    table = Host(folder, limits=replace(ROOMY, awake=1))
    await table.start(at=inherited)
    print(table.port, flush=True)
    may_end = False

    def let_end() -> None:
        nonlocal may_end
        may_end = True

    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, let_end)
    worn = outgrown(lambda: may_end and table.deserted, QUIET)
    await first_of(worn, collect_seldom(), give_back_memory())
    await table.close()
    return held


async def bare(folder: Path, relays: bool) -> None:
    """Pass each frame on to the other guest, or back to the same."""
    guests: list[ServerConnection] = []

    async def pass_on(guest: ServerConnection) -> None:
        guests.append(guest)
        async for frame in guest:
            others = [other for other in guests if other is not guest] if relays else [guest]
            for other in others:
                await other.send(frame)
        guests.remove(guest)

    context = certificate(folder).context()
    server = await serve(pass_on, "127.0.0.1", 0, ssl=context, compression=None)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    what, place = sys.argv[1], Path(sys.argv[2])
    if what == "host":
        run(host(place, *map(int, sys.argv[3:])))
    elif what == "drowsy":
        begin_anew(run(drowsy(place)))
    else:
        asyncio.run(bare(place, what == "relay"))
