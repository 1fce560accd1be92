"""Limits of a host: a guest that exceeds one pays for it alone."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tabletop.engine.model import Reason
from tabletop.net import limits as limits_module
from tabletop.net.guest.dial import dial
from tabletop.net.host.admission import TOO_MANY_TRIES, WRONG_CODE
from tabletop.net.host.host import Host
from tabletop.net.host.opening_limits import TOO_MANY_OF_YOURS
from tabletop.net.limits import (
    COME_IN,
    SAY_HELLO,
    FailureLimiter,
    LeakyBuckets,
    Limits,
    origin,
    site,
)
from tabletop.protocol.codec import encode
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import Farewell, JoinTable, OpenTable, Watch
from tests.net.loopback import (
    Stranger,
    come_in,
    greeted,
    hosting,
    opened,
    plan,
    play_out,
    seated,
    table_at,
    to_the_end,
)

COUNTED = Limits(codes_per_address=5, guess_burst=10_000, total_guess_burst=10_000)
"""Wrong codes are counted by address; they are not slowed down."""


async def guess(host: Host, address: str, table: str = "") -> object:
    """The host's answer to a wrong code from there; None where it lets somebody in."""
    return await come_in(host, Stranger(address), JoinTable(table, "AAAAAA"))


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
            assert await come_in(host, friend, JoinTable(table, hosted.code)) is None
            assert friend.hosted is hosted
        locked = Stranger("10.0.0.2")
        assert await come_in(host, locked, JoinTable(table, hosted.code)) == TOO_MANY_TRIES


async def test_many_networks_allow_no_more_guesses(tmp_path: Path) -> None:
    async with hosting(tmp_path, limits=replace(COUNTED, codes_per_site=8)) as host:
        answers = [await guess(host, f"2001:db8:1:{number:x}::1") for number in range(10)]
        assert answers == [WRONG_CODE] * 8 + [TOO_MANY_TRIES] * 2
        assert await guess(host, "2001:db8:2::1") == WRONG_CODE


async def test_one_address_never_fills_a_server_with_tables(tmp_path: Path) -> None:
    limits = Limits(tables=10, tables_per_address=3)

    def opened(host: Host, address: str) -> object:
        return host.registry.open_table(Stranger(address), OpenTable(plan("sun", 2)))

    async with hosting(tmp_path, limits=limits) as host:
        for address in ("2001:db8:1:1::1", "2001:db8:1:1::2", "2001:db8:1:1::3"):
            assert opened(host, address) is None
        assert opened(host, "2001:db8:1:1::4") == TOO_MANY_OF_YOURS
    async with hosting(tmp_path, limits=limits) as host:
        assert len(host.registry.tables) == 3
        assert opened(host, "2001:db8:1:1::1") == TOO_MANY_OF_YOURS
        assert opened(host, "10.0.0.1") is None
        host.registry.close_table(next(iter(host.registry.sleeping)))
        assert opened(host, "2001:db8:1:1::1") is None


@pytest.mark.parametrize(
    ("greets", "reason"), [(True, COME_IN), (False, SAY_HELLO)], ids=["greets", "silent"]
)
async def test_a_line_at_no_table_is_cut_and_one_at_a_table_stays(
    greets: bool, reason: Reason, tmp_path: Path
) -> None:
    async with hosting(tmp_path, limits=Limits(greeting_timeout_s=1)) as host:
        friend = await opened(host)
        place = Address(("127.0.0.1",), host.port)
        idle = await (greeted(host.port) if greets else dial(place))
        assert (await to_the_end(idle))[-1] == Farewell(reason)
        assert friend.guest.connection_state == "inside"
        while len(host.guests) > 1:
            await asyncio.sleep(0.01)


ASKED = 300
"""The number of requests of each greedy line: more than the host may answer."""


@pytest.mark.parametrize("asked", [JoinTable, Watch], ids=["enter", "watch"])
async def test_drawing_is_rationed(asked: type[JoinTable | Watch], tmp_path: Path) -> None:
    """Sixty lines drew 600 MB in 15 seconds."""
    limits = Limits(message_burst=10_000, traffic_burst_bytes=100_000, traffic_bytes_per_s=1)

    async with (
        hosting(tmp_path, limits=limits) as host,
        seated(host, plan("sun", 2), (0,), (1,)) as friends,
    ):
        (hosted,) = host.hosted_tables.values()
        message = JoinTable(hosted.table, hosted.code) if asked is JoinTable else Watch()
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
            await line.send(encode(JoinTable(hosted.table, hosted.code)), text=True)
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
    assert drawn.wait_s("ann") == 0
    drawn.fill("ann", 60)
    assert drawn.wait_s("ann") == 5
    assert drawn.wait_s("bea") == 0
    now = 105.0
    assert drawn.wait_s("ann") == 0
    now = 200.0
    drawn.fill("bea", 10)
    assert list(drawn._levels) == ["bea"]


def test_addresses_beyond_a_number_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full bucket kept all that came after it."""
    monkeypatch.setattr(LeakyBuckets, "MAX_KEYS", 10)
    monkeypatch.setattr(FailureLimiter, "MAX_KEYS", 10)
    drawn, tries = LeakyBuckets(rate=0.001, burst=100), FailureLimiter(allowed=1, window=3600)
    for number in range(50):
        drawn.fill(str(number), 50)
        tries.add_failure(str(number))
        assert len(drawn._levels) <= 10
        assert len(tries._failures) <= 10
    assert drawn.level("49") > 0
    assert tries.is_exhausted("49")
    assert not tries.is_exhausted("0")
