"""A browser that floods its gateway is cut off, and what it may cost is counted."""

import asyncio
import re
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.frames import CloseCode

from tabletop.net.certificate import load_certificate
from tabletop.web import http_server
from tabletop.web.https_redirect import RedirectingContext
from tests.net.floods import FLOODS, FRAMES, open_silent, shake_hands
from tests.net.loopback import LONGEST, Friend, hosting, plan
from tests.web.gateways import Browser, begun, ended, gateway, play_out, seat_all, web_table


async def socket_to(port: int) -> ClientConnection:
    """A socket that has said nothing yet."""
    return await connect(
        f"ws://127.0.0.1:{port}/ws",
        origin=f"http://127.0.0.1:{port}",
        proxy=None,
        extensions=[ClientPerMessageDeflateFactory()],
    )


async def closed_by(line: ClientConnection) -> int | None:
    """The code with which a gateway closed a socket."""
    with suppress(ConnectionClosed):
        async with asyncio.timeout(LONGEST):
            while True:
                await line.recv()
    return line.close_code


EMPTY = b"\x00\x00\x00\xff\xff"
"""What deflate makes of nothing."""
COMPRESSED = {
    "compressed pieces": bytes((0x41, 0x85))
    + bytes(4)
    + EMPTY
    + (bytes((0x00, 0x85)) + bytes(4) + EMPTY) * FRAMES
}


@pytest.mark.parametrize("flood", FLOODS | COMPRESSED)
async def test_a_flood_before_hello_is_cut_off(flood: str, tmp_path: Path) -> None:
    """One socket delayed all phones for as long as it liked."""
    async with hosting(tmp_path) as host, gateway(host) as made:
        line = await socket_to(made.port)
        line.transport.write((FLOODS | COMPRESSED)[flood])
        assert await closed_by(line) == CloseCode.POLICY_VIOLATION


async def test_a_flood_of_a_seated_phone_is_cut_off(tmp_path: Path) -> None:
    async with (
        web_table(tmp_path, plan("sun", 2)) as (_, owner, made),
        Browser(made.port, code=owner.code) as phone,
        Browser(made.port, code=owner.code) as pest,
    ):
        await phone.sit(0)
        await pest.sit(1)
        flooded = pest._socket
        flooded.transport.write(FLOODS["pings"])
        await pest.until(lambda: pest.lines > 1)
        assert flooded.close_code == CloseCode.POLICY_VIOLATION
        assert phone.lines == 1


HEAD = b"GET /nowhere HTTP/1.1\r\nhost: 127.0.0.1\r\n"
REQUESTS = {
    "requests": (HEAD + b"\r\n") * FRAMES,
    "parts of a body": HEAD + b"transfer-encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * FRAMES,
}


@pytest.mark.parametrize("flood", REQUESTS)
async def test_a_flood_over_http_costs_its_address_alone(
    flood: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The parts of one body delayed all phones by two seconds."""
    monkeypatch.setattr(http_server, "PARTS_BURST", 50)
    monkeypatch.setattr(http_server, "PARTS_PER_S", 0.001)
    faults: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))

    async with hosting(tmp_path) as host, gateway(host) as made:
        answer = await ended(await begun(made.port, REQUESTS[flood], "127.7.0.1"))
        assert answer.count(b"HTTP/1.1 404") <= 50
        assert b" 429 " in await ended(await begun(made.port, HEAD + b"\r\n", "127.7.0.1"))
        assert b" 404 " in await ended(
            await begun(made.port, HEAD + b"connection: close\r\n\r\n", "127.7.0.2")
        )
    assert not faults


@pytest.mark.parametrize(
    ("method", "body"), [(b"GET", http_server.TOO_FAST), (b"HEAD", b"\r\n\r\n")]
)
async def test_one_request_too_many_is_told_so(
    method: bytes, body: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_server, "PARTS_BURST", 2)
    monkeypatch.setattr(http_server, "PARTS_PER_S", 0.001)

    async with hosting(tmp_path) as host, gateway(host) as made:
        request = method + HEAD.removeprefix(b"GET") + b"\r\n"
        answers = await ended(await begun(made.port, request * 3))
    assert re.findall(rb"HTTP/1.1 (\d+)", answers) == [b"404", b"404", b"429"]
    assert answers.endswith(body)


async def test_connections_count_even_if_they_say_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_server, "PARTS_BURST", 3)
    monkeypatch.setattr(http_server, "PARTS_PER_S", 0.001)

    async with hosting(tmp_path) as host, gateway(host) as made:
        for _ in range(3):
            _, writer = await begun(made.port, source="127.7.0.1")
            writer.close()
        assert await ended(await begun(made.port, HEAD + b"\r\n", "127.7.0.1")) == b""


async def play_by_tls(port: int, owner: Friend) -> None:
    """Play a whole match in two browsers."""
    async with (
        Browser(port, code=owner.code, tls=True) as one,
        Browser(port, code=owner.code, tls=True) as two,
    ):
        await seat_all(owner, one, two)
        await play_out([one, two])


async def test_a_silent_crowd_is_cut_before_tls_while_phones_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address could hold thousands of connections that never sent a ClientHello."""
    monkeypatch.setattr(http_server, "MAX_CONNECTIONS_PER_ADDRESS", 3)
    tls = partial(load_certificate(tmp_path / "own").make_tls_context, RedirectingContext)
    async with web_table(tmp_path, plan("sun", 2), certificate=tls, head=3600) as (
        _,
        owner,
        made,
    ):
        ends, writers = await open_silent(made.port, 200)
        async with asyncio.timeout(LONGEST):
            while sum(end.done() for end in ends) < 197:
                await asyncio.sleep(0.01)
        await play_by_tls(made.port, owner)
        assert sum(end.done() for end in ends) == 197
    await asyncio.gather(*ends)  # a gateway that closes waits for no handshake
    for writer in writers:
        writer.close()


async def test_handshakes_in_a_loop_are_counted_while_phones_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gateway finished each handshake before it cut the connection."""
    monkeypatch.setattr(http_server, "PARTS_BURST", 40)
    monkeypatch.setattr(http_server, "PARTS_PER_S", 1e-6)
    tls = partial(load_certificate(tmp_path / "own").make_tls_context, RedirectingContext)
    async with web_table(tmp_path, plan("sun", 2), certificate=tls) as (_, owner, made):
        flood = asyncio.create_task(shake_hands(made.port, 200))
        await play_by_tls(made.port, owner)
        assert await flood == 40
