"""Limits of a host: a guest that exceeds one pays for it alone."""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tabletop.commands.server_config import ServerConfig
from tabletop.engine.model import Reason
from tabletop.net import limits as limits_module
from tabletop.net.certificate import guest_context
from tabletop.net.codec import encode
from tabletop.net.guest.dial import dial
from tabletop.net.host.admission import TOO_MANY_TRIES, WRONG_CODE
from tabletop.net.host.event_loop import run as quick_loop
from tabletop.net.host.server import Host
from tabletop.net.host.tenants import TOO_MANY_OF_YOURS
from tabletop.net.invitation import Address
from tabletop.net.limits import COME_IN, SAY_HELLO, TOO_FAST, LeakyBuckets, Limits, origin, site
from tabletop.net.protocol import Enter, Farewell, Open, Watch
from tests.net.loopback import (
    LONGEST,
    ROOMY,
    Stranger,
    come_in,
    greeted,
    hosting,
    opened,
    plan,
    play_out,
    run,
    seated,
    table_at,
    to_the_end,
)

COUNTED = Limits(codes_per_address=5, guesses_at_once=10_000, all_guesses_at_once=10_000)
"""Wrong codes are counted by address; they are not slowed down."""


async def guess(host: Host, address: str, table: str = "") -> object:
    """The host's answer to a wrong code from there; None where it lets somebody in."""
    return await come_in(host, Stranger(address), Enter(table, "AAAAAA"))


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("2001:db8:1:1::1", "2001:db8:1:1:ffff::2", True),
        ("2001:db8:1:1::1", "2001:db8:1:2::1", False),
        ("fe80::1", "fe80::2", False),
        ("fe80::1%eth0", "fe80::2%eth0", False),
        ("fd00::1", "fd00::2", False),
        ("::1", "::2", False),
    ],
)
def test_lines_are_counted_by_network(one: str, other: str, together: bool) -> None:
    assert (origin(one) == origin(other)) == together


def test_a_site_of_many_networks_is_one() -> None:
    assert site("2001:db8:1:1::1") == site("2001:db8:1:ffff::1") != site("2001:db8:2:1::1")
    assert site("fe80::1") != site("fe80::2")


@pytest.mark.parametrize("named", [True, False], ids=["by its name", "by its code"])
async def test_wrong_codes_cost_only_their_sender(named: bool, tmp_path: Path) -> None:
    async with hosting(tmp_path, limits=replace(COUNTED, codes_per_site=8)) as host:
        hosted = table_at(host)
        table = hosted.table if named else ""
        for number in range(2, 102):  # a hundred neighbours guess as long as they may
            for address in (f"10.0.0.{number}", f"fe80::{number:x}"):
                for _ in range(5):
                    assert await guess(host, address, table) == WRONG_CODE
                assert await guess(host, address, table) == TOO_MANY_TRIES
        for address in ("10.0.0.200", "fe80::200", "2001:db8:1:1::1"):
            friend = Stranger(address)
            assert await come_in(host, friend, Enter(table, hosted.code)) is None
            assert friend.hosted is hosted
        locked = Stranger("10.0.0.2")
        assert await come_in(host, locked, Enter(table, hosted.code)) == TOO_MANY_TRIES


async def test_many_networks_allow_no_more_guesses(tmp_path: Path) -> None:
    async with hosting(tmp_path, limits=replace(COUNTED, codes_per_site=8)) as host:
        answers = [await guess(host, f"2001:db8:1:{number:x}::1") for number in range(10)]
        assert answers == [WRONG_CODE] * 8 + [TOO_MANY_TRIES] * 2
        assert await guess(host, "2001:db8:2::1") == WRONG_CODE


async def test_one_address_never_fills_a_server_with_tables(tmp_path: Path) -> None:
    limits = Limits(tables=10, tables_per_address=3)

    def opened(host: Host, address: str) -> object:
        return host.registry.open(Stranger(address), Open(plan("sun", 2)))

    async with hosting(tmp_path, limits=limits) as host:
        for address in ("2001:db8:1:1::1", "2001:db8:1:1::2", "2001:db8:1:1::3"):
            assert opened(host, address) is None
        assert opened(host, "2001:db8:1:1::4") == TOO_MANY_OF_YOURS
    async with hosting(tmp_path, limits=limits) as host:
        assert len(host.registry.tables) == 3
        assert opened(host, "2001:db8:1:1::1") == TOO_MANY_OF_YOURS
        assert opened(host, "10.0.0.1") is None
        host.registry.remove(next(iter(host.registry.sleeping)))
        assert opened(host, "2001:db8:1:1::1") is None


def test_a_server_leaves_room_for_others_however_large_it_is() -> None:
    limits = [ServerConfig(max_tables=tables).limits for tables in (1, 4, 200)]
    assert [(each.tables, each.tables_per_address) for each in limits] == [
        (1, 1),
        (4, 2),
        (200, 16),
    ]


def test_a_stopped_server_logs_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tabletop.net.host import headless

    async def at_once() -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr(headless, "stop_requested", at_once)
    handlers = list(logging.getLogger("tabletop.net").handlers)
    run(lambda: headless.serve(tmp_path, "127.0.0.1", 0, ROOMY))
    assert logging.getLogger("tabletop.net").handlers == handlers


async def test_invalid_messages_count_as_messages(tmp_path: Path) -> None:
    limits = Limits(messages_a_second=0.001, burst=20)
    async with hosting(tmp_path, limits=limits) as host:
        line = await greeted(host.port)
        with suppress(ConnectionClosed):
            for _ in range(21):  # no more than are read before the farewell is
                await line.send(b"nonsense", text=True)
        assert (await to_the_end(line))[-1] == Farewell(TOO_FAST)
        assert host.metrics.cut == 1
        assert host.metrics.refusals == 19


@pytest.mark.parametrize(
    ("greets", "reason"), [(True, COME_IN), (False, SAY_HELLO)], ids=["greets", "silent"]
)
async def test_a_line_at_no_table_is_cut_and_one_at_a_table_stays(
    greets: bool, reason: Reason, tmp_path: Path
) -> None:
    async with hosting(tmp_path, limits=Limits(greeting=1)) as host:
        friend = await opened(host)
        place = Address(("127.0.0.1",), host.port)
        idle = await (greeted(host.port) if greets else dial(place))
        assert (await to_the_end(idle))[-1] == Farewell(reason)
        assert friend.guest.connection_state == "inside"
        while len(host.guests) > 1:
            await asyncio.sleep(0.01)


ASKED = 300
"""The number of requests of each greedy line: more than the host may answer."""


@pytest.mark.parametrize("asked", [Enter, Watch], ids=["enter", "watch"])
async def test_drawing_is_rationed(asked: type[Enter | Watch], tmp_path: Path) -> None:
    """Sixty lines drew 600 MB in 15 seconds."""
    limits = Limits(burst=10_000, drawn_at_once=100_000, drawn_a_second=1)

    async with (
        hosting(tmp_path, limits=limits) as host,
        seated(host, plan("sun", 2), (0,), (1,)) as friends,
    ):
        (hosted,) = host.hosted_tables.values()
        message = Enter(hosted.table, hosted.code) if asked is Enter else Watch()
        greedy = [await greeted(host.port) for _ in range(3)]
        shown = 0

        async def draw(line: ClientConnection) -> None:
            nonlocal shown
            with suppress(ConnectionClosed):
                while True:
                    frame = await line.recv(decode=False)
                    shown += b'"reset"' in frame or b'"entered"' in frame

        drinkers = [asyncio.create_task(draw(line)) for line in greedy]
        for line in greedy:
            await line.send(encode(Enter(hosted.table, hosted.code)), text=True)
            for _ in range(ASKED):
                await line.send(encode(message), text=True)
        await play_out(friends)  # moves are played as ever meanwhile
        assert 0 < shown < len(greedy) * ASKED / 2
        for line in greedy:  # nobody would answer a farewell
            line.transport.abort()
        await asyncio.gather(*drinkers)


def test_the_drawing_ration_refills(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(limits_module, "monotonic", lambda: now)
    drawn = LeakyBuckets(rate=10, burst=100)
    drawn.fill("ann", 90)
    assert drawn.wait("ann") == 0
    drawn.fill("ann", 60)
    assert drawn.wait("ann") == 5
    assert drawn.wait("bea") == 0
    now = 105.0
    assert drawn.wait("ann") == 0
    now = 200.0
    drawn.fill("bea", 10)
    assert list(drawn._levels) == ["bea"]


async def test_a_burst_of_tiny_messages_is_cut_off_unread(tmp_path: Path) -> None:
    async with hosting(tmp_path, limits=Limits(burst=20)) as host:
        line = await greeted(host.port)
        frame = bytes((0x81, 0x82)) + bytes(4) + b"no"
        line.transport.write(frame * 3_000)
        assert (await to_the_end(line))[-1] == Farewell(TOO_FAST)
        assert host.metrics.cut == 1
        assert host.metrics.refusals <= 20


async def test_endless_pieces_of_a_message_are_cut_off(tmp_path: Path) -> None:
    async with hosting(tmp_path, limits=Limits(burst=20)) as host:
        line = await greeted(host.port)
        piece = bytes((0x00, 0x80)) + bytes(4)
        line.transport.write(bytes((0x01, 0x80)) + bytes(4) + piece * 3_000)
        assert (await to_the_end(line))[-1] == Farewell(TOO_FAST)


# Before there is a line


async def connected(host: Host) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A line of TCP alone, that says nothing."""
    return await asyncio.open_connection("127.0.0.1", host.port)


async def secured(host: Host) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A line of TLS that never asks for a WebSocket."""
    return await asyncio.open_connection("127.0.0.1", host.port, ssl=guest_context())


async def ended(reader: asyncio.StreamReader) -> None:
    """Wait until the host has ended it."""
    with suppress(ConnectionError):
        while await reader.read(1024):
            pass


async def whole(host: Host) -> tuple[ClientConnection, asyncio.Transport]:
    """A line that has been welcomed."""
    line = await greeted(host.port)
    return line, line.transport


@pytest.mark.parametrize("half", [connected, secured, whole], ids=["TCP", "TLS", "welcomed"])
async def test_every_line_counts_for_its_address(
    half: Callable[[Host], Awaitable[tuple[Any, asyncio.StreamWriter | asyncio.Transport]]],
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path, limits=Limits(connections_per_address=3)) as host:
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
    async with hosting(tmp_path, limits=Limits(connections_per_address=3)) as host:
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
    half: Callable[[Host], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]],
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path, limits=Limits(greeting=1)) as host:
        friend = await opened(host)
        reader, writer = await half(host)
        await ended(reader)
        writer.close()
        assert not len(host.limiter)
        assert friend.guest.connection_state == "inside"


async def test_nonsense_instead_of_tls_ends_its_own_line_alone(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
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
    async with hosting(tmp_path) as host:
        reader, writer = await connected(host)
        while not len(host.limiter):
            await asyncio.sleep(0.001)
    await ended(reader)
    writer.close()


@pytest.mark.skipif(sys.platform == "win32", reason="uvloop is not made for Windows")
def test_the_quicker_loop_counts_half_lines_as_well(tmp_path: Path) -> None:
    async def evening() -> None:
        async with hosting(tmp_path, limits=Limits(connections_per_address=3, greeting=1)) as host:
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
