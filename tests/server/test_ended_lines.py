"""A connection that has ended, however it did, leaves nothing in memory."""

import asyncio
import gc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tabletop.server.proxied_connection import ProxiedConnection
from tabletop.server.server import TableServer
from tests.net.loopback import greeted, run
from tests.server.table_server import table_server


async def greets_and(port: int, end: str) -> None:
    line = await greeted(port, 2)
    if end == "says nonsense":
        await line.send(b"nonsense", text=True)
        await line.recv()
    if end == "closes":
        await line.close()
    else:
        line.transport.abort()
    with suppress(ConnectionClosed):
        await line.recv()


async def asks_nothing(port: int, end: str) -> None:
    line = await asyncio.open_connection("127.0.0.1", port)
    if end == "half a greeting":
        line[1].write(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(40))
    elif end == "another greeting":
        line[1].write(b"GET / HTTP/1.1\r\n\r\n")
        with suppress(OSError):
            await line[0].read()
    line[1].transport.abort()


def lines_here() -> int:
    return sum(issubclass(type(each), ProxiedConnection) for each in gc.get_objects())


def beginning() -> int:
    """The number of lines that begin TLS."""
    return sum("start_tls" in repr(task) for task in asyncio.all_tasks())


@pytest.mark.parametrize(
    ("visit", "end"),
    [
        *((greets_and, end) for end in ("closes", "cuts", "says nonsense")),
        *((asks_nothing, end) for end in ("at once", "half a greeting", "another greeting")),
    ],
)
async def test_a_connection_that_has_ended_leaves_nothing(
    visit: Callable[[int, str], asyncio.Future[None]], end: str, tmp_path: Path
) -> None:
    async with table_server(tmp_path) as host:
        await visit(host.port, end)
        await left_alone(host)
        gc.collect()
        for _ in range(3):
            await visit(host.port, end)
        await left_alone(host)
        while lines_here() or beginning():
            gc.collect()
            await asyncio.sleep(0.01)


async def left_alone(host: TableServer) -> None:
    """Wait until nobody is there any more."""
    while host.guests or len(host.limiter):
        await asyncio.sleep(0.01)


def test_a_connection_that_ends_before_tls_begins_none(tmp_path: Path) -> None:
    async def evening() -> None:
        async with table_server(tmp_path) as host:
            arrived: list[ProxiedConnection] = []
            arrive = host.limiter.try_add

            def arrive_and_end(connection: ProxiedConnection, origin: str) -> bool:
                arrived.append(connection)
                asyncio.get_running_loop().call_soon(connection.abort)
                return arrive(connection, origin)

            host.limiter.try_add = arrive_and_end
            line = await asyncio.open_connection("127.0.0.1", host.port)
            with suppress(ConnectionError):
                assert await line[0].read() == b""
            line[1].close()
            await asyncio.wait_for(arrived.pop()._handshakes.wait(), 1000)
            assert not beginning()

    run(evening)
