"""A line that carries nothing any more is noticed by both its ends, and mended."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

from tabletop.net.certificate import guest_context, load_certificate
from tabletop.net.guest import dial as dial_module
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.reconnect_policy import CONNECTION_LOST
from tabletop.net.limits import PING_INTERVAL_S, PING_TIMEOUT_S, Limits
from tabletop.net.message_writer import CLOSE_TIMEOUT_S
from tabletop.protocol.fairness import FAIR
from tabletop.table.connection_events import Lost
from tests.net.loopback import (
    LONGEST,
    ROOMY,
    Cable,
    Friend,
    begin,
    greeted,
    hosting,
    opened,
    plan,
    play_out,
    until,
)


def test_a_cut_line_is_noticed_within_ten_seconds() -> None:
    assert PING_INTERVAL_S + PING_TIMEOUT_S + CLOSE_TIMEOUT_S <= 10


async def test_a_cut_cable_is_shown_at_both_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dial_module, "PING_INTERVAL_S", 0.3)
    monkeypatch.setattr(dial_module, "PING_TIMEOUT_S", 0.6)
    limits = Limits(
        ping_interval_s=0.4, ping_timeout_s=0.6, messages_per_s=1e6, message_burst=10**6
    )

    async with hosting(tmp_path, limits=limits) as host:
        cable = Cable(host.port)
        await cable.start()
        ann = await opened(host, plan("sun", 2), 0)
        bea = Friend(cable.port, ticket=Ticket(code=ann.code))
        await bea.sit(1)
        await begin([ann, bea])
        (hosted,) = host.hosted_tables.values()
        match = hosted.hosted_match.match
        ann.plays = True
        ann.play()
        seat = bea.guest.own_seats[1]
        await bea.until(lambda: seat.offers)
        record = len(match.record)
        cable.cut()
        number, offers = next(iter(seat.offers.items()))
        move = next(iter(offers[0].moves(number)))
        seat.send(move)
        await bea.until(lambda: any(isinstance(news, Lost) for news in bea.news))
        lost = next(news for news in bea.news if isinstance(news, Lost))
        assert lost.reason == CONNECTION_LOST
        assert seat.pending == move, "it waits"
        await ann.until(lambda: ann.guest.info.sitters[1].state == "away")
        assert len(match.record) == record
        cable.mend()
        await bea.until(lambda: len(match.record) > record)
        assert match.record[record].move == move
        await play_out((ann, bea))
        assert bea.guest.check_proof(bea.proofs[0]) == FAIR
        await ann.close()
        await bea.close()
        await cable.close()


async def test_a_cut_is_noticed_however_much_waits_to_be_sent(tmp_path: Path) -> None:
    limits = replace(
        ROOMY,
        ping_interval_s=0.2,
        ping_timeout_s=0.4,
        max_unsent_bytes=2**28,
        greeting_timeout_s=3600,
    )
    async with hosting(tmp_path, limits=limits) as host:
        place = f"wss://127.0.0.1:{host.port}/"
        dead = await connect(place, ssl=guest_context(), ping_interval=None, close_timeout=0)
        dead.transport.pause_reading()  # as if its cable were cut
        await until(lambda: host.guests)
        (guest,) = host.guests
        for _ in range(2):
            guest._writer.add(b"x" * 2**25)  # more than any system takes
        await until(lambda: not host.guests)
        dead.transport.abort()


async def test_the_pings_of_older_programs_are_answered(tmp_path: Path) -> None:
    """They send empty ones, and end a line that answers none."""
    async with hosting(tmp_path / "host") as host:
        line = await greeted(host.port)
        assert await (await line.ping(b"")) >= 0
        await line.close()

    answered = asyncio.Event()

    async def older_host(line: ServerConnection) -> None:
        await (await line.ping(b""))
        answered.set()
        await line.wait_closed()

    context = load_certificate(tmp_path / "older").make_tls_context()
    async with serve(older_host, "127.0.0.1", 0, ssl=context, ping_interval=None) as older:
        friend = Friend(older.sockets[0].getsockname()[1])
        async with asyncio.timeout(LONGEST):
            await answered.wait()
        await friend.close()
