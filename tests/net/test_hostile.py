"""Bad messages are refused with a reason, or the line is cut; nobody else notices anything."""

import asyncio
import json
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tabletop.engine.model import Move
from tabletop.net.guest.dial import dial
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.host.observer import NOT_READING
from tabletop.net.limits import Limits
from tabletop.protocol import messages as protocol
from tabletop.protocol.codec import (
    MAX_GUEST_MESSAGE_BYTES,
    BadMessage,
    decode_guest_message,
    decode_host_message,
    encode,
)
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import (
    Farewell,
    FromHost,
    Hello,
    JoinTable,
    Play,
    Refused,
    SendChat,
    TableInfo,
    TableJoined,
)
from tabletop.text.plain_text import plain_line
from tests.net.host_process import begun
from tests.net.loopback import (
    LONG,
    Friend,
    begin,
    greeted,
    hosting,
    plan,
    play_out,
    seated,
    to_the_end,
)
from tests.server.table_server import table_server

MESSAGES = 100_000 if LONG else 2_500

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
tags = st.sampled_from([kind.__struct_config__.tag for kind in protocol.FromGuest.__args__])


@given(st.binary() | st.text())
def test_any_bytes_are_a_message_or_none(frame: bytes | str) -> None:
    for read in (decode_guest_message, decode_host_message):
        with suppress(BadMessage):
            read(frame)


@given(tags, st.dictionaries(st.sampled_from(["seat", "move", "plan", "table", "seats"]), values))
def test_any_fields_are_a_message_or_none(tag: str, fields: dict[str, object]) -> None:
    frame = json.dumps({"type": tag} | fields)
    try:
        message = decode_guest_message(frame)
    except BadMessage:
        return
    assert decode_guest_message(encode(message)) == message


@given(st.text())
def test_text_of_others_is_one_harmless_line(text: str) -> None:
    shown = plain_line(text)
    assert len(shown) <= 40
    assert shown == shown.strip()
    assert all(sign.isprintable() for sign in shown)
    assert plain_line(shown) == shown


class Attacker:
    """A line with which anything may be sent."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.line: ClientConnection | None = None
        self.answered = self.cut = 0

    async def say(self, frame: bytes) -> None:
        """Send it, and hear what the host has to say to it: something, or the end of the line."""
        try:
            if self.line is None:
                self.line = await dial(Address(("127.0.0.1",), self.port))
                await self.line.send(encode(Hello(1, 1, "evil")), text=True)
            await self.line.send(frame, text=True)
            await self.line.send(b'{"type":"sit","seat":9,"name":"x"}', text=True)
            async with asyncio.timeout(20):
                while True:
                    message = decode_host_message(await self.line.recv(decode=False))
                    if isinstance(message, Refused):
                        assert message.reason.text
                        self.answered += 1
                        if message.of == "sit":
                            return
        except (ConnectionClosed, ConnectionResetError):
            self.line = None
            self.cut += 1


def nonsense(chance: random.Random, seen: list[bytes], codes: list[str]) -> Iterator[bytes]:
    """Malformed, truncated, oversized, replayed, out of turn, with a wrong token, of no version."""
    kinds = [kind.__struct_config__.tag for kind in protocol.FromGuest.__args__]
    while True:
        frame = bytearray(chance.choice(seen))
        yield bytes(chance.randbytes(chance.randrange(200)))
        for _ in range(chance.randrange(1, 6)):
            frame[chance.randrange(len(frame))] = chance.randrange(256)
        yield bytes(frame)
        yield chance.choice(seen)[: chance.randrange(60)]
        yield chance.choice(seen)
        yield b'{"type":"%s","seat":%d}' % (chance.choice(kinds).encode(), chance.randrange(-9, 99))
        yield b"[" * chance.randrange(1, 9_000)
        yield encode(Play(chance.randrange(16), Move(chance.randrange(99), "place", (1,))))
        yield encode(JoinTable(chance.choice(codes), "", "owner", {chance.randrange(16): "token"}))
        yield encode(Hello(chance.randrange(-9, 99), chance.randrange(-9, 99), "x" * 80))
        if not chance.randrange(50):
            yield (
                b'{"type":"speak","text":"'
                + b"x" * chance.randrange(MAX_GUEST_MESSAGE_BYTES)
                + b'"}'
            )


async def test_a_flood_of_nonsense_harms_nobody(tmp_path: Path) -> None:
    chance = random.Random(100)

    process, port = await asyncio.to_thread(begun, tmp_path)
    friends = [Friend(port)]
    attackers = [Attacker(port) for _ in range(4)]
    try:
        friends[0].guest.open_table(plan("sun", 2), "")
        await friends[0].sit(0)
        info = friends[0].guest.info
        friends.append(Friend(port, ticket=Ticket(code=info.code)))
        await friends[1].sit(1)
        await begin(friends)
        token = friends[0].guest.ticket.seats[0]
        seen = [
            encode(JoinTable(info.table)),
            encode(SendChat("hello")),
            encode(JoinTable(code="AAAAAA")),
        ]
        evil = nonsense(chance, seen, [info.table, "nowhere"])
        server = psutil.Process(process.pid)
        memory = []
        for count in range(0, MESSAGES, 4):
            await asyncio.gather(*(attacker.say(next(evil)) for attacker in attackers))
            if count % (MESSAGES // 10) < 4:
                memory.append(server.memory_info().rss)
        assert sum(a.answered + a.cut for a in attackers) >= MESSAGES
        assert memory[-1] < memory[2] * 1.2 + 4 * 2**20
        assert friends[0].guest.ticket.seats[0] == token
        assert all(sitter.state == "ready" for sitter in friends[1].guest.info.sitters)
        await play_out(friends)
    finally:
        process.kill()
        process.wait()
        for friend in friends:
            await friend.close()
        for attacker in attackers:
            if attacker.line is not None:
                await attacker.line.close()


async def hear(line: ClientConnection, kind: type[FromHost]) -> FromHost:
    async with asyncio.timeout(20):
        while True:
            message = decode_host_message(await line.recv(decode=False))
            if isinstance(message, kind):
                return message


@pytest.mark.parametrize(
    "frames",
    [
        [encode(JoinTable(code="AAAAAA"))],
        [encode(Hello(7, 9, "9.9"))],
        [b"x" * (MAX_GUEST_MESSAGE_BYTES + 1)],
        [encode(Hello(1, 1, "x"))] * 40,
    ],
    ids=["no greeting", "other version", "too large", "too many"],
)
async def test_a_line_that_misbehaves_is_cut(frames: list[bytes], tmp_path: Path) -> None:
    async with hosting(tmp_path, limits=Limits(messages_per_s=1, message_burst=20)) as host:
        line = await dial(Address(("127.0.0.1",), host.port))
        with suppress(ConnectionClosed):
            for frame in frames:
                await line.send(frame, text=True)
        said = await to_the_end(line)
        if "9.9" in str(frames):
            texts = [message.reason.args for message in said if isinstance(message, Refused)]
            assert texts
            assert texts[0]["ours"] == "9.9"
        if len(frames[0]) <= MAX_GUEST_MESSAGE_BYTES:
            assert isinstance(said[-1], Farewell)


async def test_a_guest_who_reads_nothing_is_cut_off_and_delays_nobody(tmp_path: Path) -> None:
    limits = Limits(
        max_unsent_bytes=64 * 1024, messages_per_s=1e6, message_burst=1_000_000, ping_timeout_s=3600
    )

    async with (
        table_server(tmp_path, limits=limits) as host,
        seated(host, plan("sun", 2), (0,), (1,)) as (ann, bea),
    ):
        bea.line._open.websocket.transport.pause_reading()
        bea.line._policy._is_returning = False
        info = ann.guest.info
        while bea.guest.info is not None and info.sitters[1].state != "away":
            for _ in range(50):
                ann.guest.send_chat("x" * 400, 0)
            await asyncio.sleep(0.005)
            info = ann.guest.info
        assert info.pause is None or info.pause.seats == (1,)
        assert host.metrics.cut_lines == {NOT_READING: 1}


async def test_a_line_that_has_died_silently_is_noticed(tmp_path: Path) -> None:
    async with (
        hosting(tmp_path, limits=Limits(ping_interval_s=0.1, ping_timeout_s=0.2)) as host,
        seated(host, plan("sun", 2), (0,), (1,)) as friends,
    ):
        friends[1].line._open.websocket.transport.pause_reading()
        await friends[0].until(lambda: friends[0].guest.info.sitters[1].state == "away", seconds=10)


async def test_no_message_shows_a_table_to_another(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)):
        line = await greeted(host.port)
        (hosted,) = host.hosted_tables.values()
        for seat, token in ((0, "wrong"), (1, "")):
            await line.send(encode(JoinTable(hosted.table, "", "", {seat: token})), text=True)
            assert "no longer exists" in (await hear(line, Refused)).reason.text
        await line.send(encode(JoinTable(hosted.table, hosted.code, "wrong", {0: "no"})), text=True)
        entered = await hear(line, TableJoined)
        assert (entered.seats, entered.hosting, entered.owner) == ((), False, "")
        assert isinstance(await hear(line, TableInfo), TableInfo)
        await line.close()
