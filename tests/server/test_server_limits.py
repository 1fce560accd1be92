"""Limits of a server: before there is a line, and what is counted of it afterwards."""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import CloseCode

from tabletop.net.certificate import guest_context
from tabletop.net.event_loop import run as quick_loop
from tabletop.net.limits import TOO_FAST, Limits
from tabletop.protocol.messages import Farewell
from tabletop.server.commands.server_config import ServerConfig
from tabletop.server.server import TableServer
from tests.net.loopback import (
    LONGEST,
    ROOMY,
    greeted,
    opened,
    run,
    to_the_end,
)
from tests.server.table_server import table_server


async def connected(host: TableServer) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A line of TCP alone, that says nothing."""
    return await asyncio.open_connection("127.0.0.1", host.port)


async def secured(host: TableServer) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A line of TLS that never asks for a WebSocket."""
    return await asyncio.open_connection("127.0.0.1", host.port, ssl=guest_context())


async def ended(reader: asyncio.StreamReader) -> None:
    """Wait until the host has ended it."""
    with suppress(ConnectionError):
        while await reader.read(1024):
            pass


async def whole(host: TableServer) -> tuple[ClientConnection, asyncio.Transport]:
    """A line that has been welcomed."""
    line = await greeted(host.port)
    return line, line.transport


@pytest.mark.parametrize("half", [connected, secured, whole], ids=["TCP", "TLS", "welcomed"])
async def test_every_line_counts_for_its_address(
    half: Callable[[TableServer], Awaitable[tuple[Any, asyncio.StreamWriter | asyncio.Transport]]],
    tmp_path: Path,
) -> None:
    async with table_server(tmp_path, limits=Limits(connections_per_address=3)) as host:
        idle = [await half(host) for _ in range(3)]
        while host.limiter.count("127.0.0.1") + len(host.guests) < 3:
            await asyncio.sleep(0.001)
        with pytest.raises(InvalidStatus):  # one more gets the reason
            await greeted(host.port)
        for _, writer in idle:
            writer.close()
        while len(host.limiter) or host.guests:
            await asyncio.sleep(0.001)
        line = await greeted(host.port)
        await line.close()
        while host.guests:
            await asyncio.sleep(0.001)
        assert not len(host.limiter)


async def test_a_crowd_of_half_lines_is_ended_at_once(tmp_path: Path) -> None:
    async with table_server(tmp_path, limits=Limits(connections_per_address=3)) as host:
        crowd = [await connected(host) for _ in range(40)]
        ends = [asyncio.create_task(ended(reader)) for reader, _ in crowd]
        while sum(end.done() for end in ends) < 36:
            await asyncio.sleep(0.001)
        assert host.limiter.count("127.0.0.1") == len(host.limiter) == 4
        for _, writer in crowd:
            writer.close()
        await asyncio.gather(*ends)


@pytest.mark.parametrize("half", [connected, secured], ids=["TCP", "TLS"])
async def test_half_a_line_is_ended_in_time_and_a_whole_one_stays(
    half: Callable[[TableServer], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]],
    tmp_path: Path,
) -> None:
    async with table_server(tmp_path, limits=Limits(greeting_timeout_s=1)) as host:
        friend = await opened(host)
        reader, writer = await half(host)
        await ended(reader)
        writer.close()
        assert not len(host.limiter)
        assert friend.guest.connection_state == "inside"


async def test_nonsense_instead_of_tls_ends_its_own_line_alone(tmp_path: Path) -> None:
    async with table_server(tmp_path) as host:
        for nonsense in (b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01" + b"\xff" * 2_000, b"\x00"):
            reader, writer = await connected(host)
            writer.write(nonsense)
            writer.write_eof()
            await ended(reader)
            writer.close()
        while len(host.limiter):
            await asyncio.sleep(0.001)
        line = await greeted(host.port)
        await line.close()


async def test_a_host_that_ends_waits_for_no_half_line(tmp_path: Path) -> None:
    async with table_server(tmp_path) as host:
        reader, writer = await connected(host)
        while not len(host.limiter):
            await asyncio.sleep(0.001)
    await ended(reader)
    writer.close()


@pytest.mark.skipif(sys.platform == "win32", reason="uvloop is not made for Windows")
def test_the_quicker_loop_counts_half_lines_as_well(tmp_path: Path) -> None:
    async def evening() -> None:
        async with table_server(
            tmp_path, limits=Limits(connections_per_address=3, greeting_timeout_s=1)
        ) as host:
            idle = [await half(host) for half in (connected, secured, connected)]
            while host.limiter.count("127.0.0.1") < 3:
                await asyncio.sleep(0.001)
            with suppress(InvalidStatus):  # unless the others were ended in time meanwhile
                await (await greeted(host.port)).close()
            for reader, writer in idle:
                await ended(reader)
                writer.close()
            while len(host.limiter):
                await asyncio.sleep(0.001)
            await (await greeted(host.port)).close()

    async def limited() -> None:
        async with asyncio.timeout(2 * LONGEST):
            await evening()

    quick_loop(limited())


# Once there is one


def test_a_stopped_server_logs_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tabletop.server import serve

    async def at_once() -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr(serve, "wait_for_stop", at_once)
    handlers = list(logging.getLogger("tabletop.net").handlers)
    run(lambda: serve.serve(tmp_path, "127.0.0.1", 0, ROOMY))
    assert logging.getLogger("tabletop.net").handlers == handlers


async def test_invalid_messages_count_as_messages(tmp_path: Path) -> None:
    limits = Limits(messages_per_s=0.001, message_burst=20)
    async with table_server(tmp_path, limits=limits) as host:
        line = await greeted(host.port)
        with suppress(ConnectionClosed):
            for _ in range(21):
                await line.send(b"nonsense", text=True)
        assert (await to_the_end(line))[-1] == Farewell(TOO_FAST)
        while host.guests:
            await asyncio.sleep(0.001)
        assert host.metrics.cut == 1
        assert host.metrics.refusals == 19


async def test_a_burst_of_tiny_messages_is_cut_off_unread(tmp_path: Path) -> None:
    limits = Limits(messages_per_s=0.001, message_burst=20)  # none drains while the host is busy
    async with table_server(tmp_path, limits=limits) as host:
        line = await greeted(host.port)
        frame = bytes((0x81, 0x82)) + bytes(4) + b"no"
        line.transport.write(frame * 3_000)
        assert (await to_the_end(line))[-1] == Farewell(TOO_FAST)
        while host.guests:
            await asyncio.sleep(0.001)
        assert host.metrics.cut == 1
        assert host.metrics.refusals == 19


async def test_endless_pieces_of_a_message_are_cut_off(tmp_path: Path) -> None:
    async with table_server(tmp_path, limits=Limits(message_burst=20)) as host:
        line = await greeted(host.port)
        piece = bytes((0x00, 0x80)) + bytes(4)
        line.transport.write(bytes((0x01, 0x80)) + bytes(4) + piece * 5_000)
        assert await to_the_end(line) == [Farewell(TOO_FAST)]
        assert line.close_code == CloseCode.POLICY_VIOLATION


def test_a_server_leaves_room_for_others_however_large_it_is() -> None:
    limits = [ServerConfig(max_tables=tables).limits for tables in (1, 4, 200)]
    assert [(each.tables, each.tables_per_address) for each in limits] == [
        (1, 1),
        (4, 2),
        (200, 16),
    ]
