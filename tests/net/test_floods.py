"""A guest whose frames come too fast is cut off with a reason, whatever they are."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import InvalidHandshake
from websockets.frames import CloseCode

from tabletop.net import limits
from tabletop.net.certificate import guest_context
from tabletop.net.guest.dial import dial
from tabletop.net.host.host import Host
from tabletop.net.limits import ARRIVAL_FACTOR, TOO_FAST, Limits
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import Farewell
from tabletop.server.server import TableServer
from tests.net.floods import FLOODS, PINGS, STRANGER, cut_off, open_silent, shake_hands
from tests.net.loopback import (
    LONGEST,
    QUICK,
    ROOMY,
    greeted,
    listening,
    opened,
    plan,
    play_out,
    seated,
    to_the_end,
)

KINDS: dict[str, type[Host]] = {"host": Host, "server": TableServer}


async def silent(port: int) -> ClientConnection:
    """A connection that has said nothing yet."""
    return await dial(Address(("127.0.0.1",), port))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("met", [silent, greeted], ids=["before hello", "after hello"])
@pytest.mark.parametrize("flood", FLOODS)
async def test_a_flood_is_cut_off_with_a_reason(
    flood: str, met: Callable[[int], Awaitable[ClientConnection]], kind: str, tmp_path: Path
) -> None:
    """One guest delayed all others by six seconds, for as long as it liked."""
    async with listening(KINDS[kind](tmp_path, limits=Limits(message_burst=50))) as host:
        friend = await opened(host)
        line = await met(host.port)
        line.transport.write(FLOODS[flood])
        assert (await to_the_end(line))[-1] == Farewell(TOO_FAST)
        assert line.close_code == CloseCode.POLICY_VIOLATION
        while len(host.guests) > 1:
            await asyncio.sleep(0.01)
        assert friend.guest.connection_state == "inside"


async def test_a_flood_is_counted_as_cut_off(tmp_path: Path) -> None:
    async with listening(TableServer(tmp_path, limits=Limits(message_burst=50))) as host:
        line = await greeted(host.port)
        line.transport.write(FLOODS["pings"])
        await to_the_end(line)
        while host.guests:
            await asyncio.sleep(0.01)
        assert host.metrics.cut_lines == {TOO_FAST.code: 1}


async def test_a_flood_before_the_opening_handshake_is_cut_off(tmp_path: Path) -> None:
    """Frames that come along with the request are parsed before it is answered."""
    faults: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
    async with listening(Host(tmp_path, limits=Limits(message_burst=50))) as host:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", host.port, ssl=guest_context(), server_hostname="x"
        )
        writer.write(
            b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
            + FLOODS["pings"]
        )
        answered = b""
        with suppress(ConnectionError):
            while piece := await reader.read(1024):
                answered += piece
        assert answered.count(PINGS[-4:]) <= 50
        writer.close()
        await (await greeted(host.port)).close()
        while host.guests:
            await asyncio.sleep(0.01)
    assert not faults


@pytest.mark.parametrize("kind", KINDS)
async def test_connections_that_come_and_go_count(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address could have the host shake hands as often as it liked, one after the other."""
    monkeypatch.setattr(limits, "ARRIVALS_WINDOW_S", 1e6)
    async with listening(KINDS[kind](tmp_path, limits=Limits(connections_per_address=2))) as host:
        refused = 0
        for _ in range(2 * ARRIVAL_FACTOR + 3):
            try:
                line = await silent(host.port)
            except (InvalidHandshake, OSError):
                refused += 1
                continue
            await line.close()
            while host.guests:
                await asyncio.sleep(0.001)
        assert refused == 3


@pytest.mark.parametrize("kind", KINDS)
async def test_a_silent_crowd_is_cut_before_tls_while_guests_play(
    kind: str, tmp_path: Path
) -> None:
    """An address could hold thousands of connections that never sent a ClientHello."""
    few = replace(ROOMY, connections_per_address=3, greeting_timeout_s=3600)
    async with listening(KINDS[kind](tmp_path, limits=few, timing=QUICK)) as host:
        ends, writers = await open_silent(host.port, 200)
        async with asyncio.timeout(LONGEST):
            while sum(end.done() for end in ends) < 196:
                await asyncio.sleep(0.01)
        async with seated(host, plan("sun", 2), (0,), (1,)) as friends:
            await play_out(friends)
        assert host.limiter.count(STRANGER) == 4
        for writer in writers:
            writer.close()
        await asyncio.gather(*ends)
        while len(host.limiter):
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("kind", KINDS)
async def test_handshakes_in_a_loop_are_counted_while_guests_play(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host finished each handshake before it refused the connection."""
    monkeypatch.setattr(limits, "ARRIVALS_WINDOW_S", 1e6)
    few = replace(ROOMY, connections_per_address=8)
    async with listening(KINDS[kind](tmp_path, limits=few, timing=QUICK)) as host:
        flood = asyncio.create_task(shake_hands(host.port, 200))
        async with seated(host, plan("sun", 2), (0,), (1,)) as friends:
            await play_out(friends)
        assert await flood == 8 * ARRIVAL_FACTOR


async def test_a_handshake_that_never_ends_is_ended(tmp_path: Path) -> None:
    async with listening(Host(tmp_path, limits=Limits(greeting_timeout_s=0.3))) as host:
        for said in (b"", b"\x16\x03\x01\x02\x00"):
            reader, writer = await asyncio.open_connection("127.0.0.1", host.port)
            writer.write(said)
            async with asyncio.timeout(LONGEST):
                await cut_off(reader)
            writer.close()
        while len(host.limiter):
            await asyncio.sleep(0.01)
