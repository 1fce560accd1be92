"""Limits of a gateway and other pages: half a request, and silence, shut nobody out."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from websockets.asyncio.client import ClientConnection, connect

from tabletop.net.certificate import load_certificate
from tabletop.net.guest.connection import ConnectionSettings
from tabletop.protocol.invitation import Address
from tabletop.server.operator.endpoints import operator_endpoints
from tabletop.server.server import TableServer
from tabletop.web import browser_session, http_server
from tabletop.web.gateway import compressed_websocket
from tabletop.web.gateway import gateway as gateways
from tabletop.web.gateway.compressed_websocket import CompressedWebSocket
from tabletop.web.gateway.sessions import Sessions
from tabletop.web.http_server import HttpServer
from tabletop.web.https_redirect import RedirectingContext
from tests.net.impostor import only_greets, posing
from tests.net.loopback import LONGEST, hosting, plan
from tests.server.table_server import table_server
from tests.web.gateways import Browser, Line, begun, ended, gateway, opened

HALF = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: "


@pytest.mark.parametrize("said", [b"", HALF, b"GET / HTTP"], ids=["nothing", "half", "a word"])
async def test_half_a_request_is_ended_in_time(said: bytes, tmp_path: Path) -> None:
    """1,500 of them lived for 25 seconds, and longer."""

    async with hosting(tmp_path) as host, gateway(host, head=0.3) as made:
        assert await ended(await begun(made.port, said)) == b""


async def test_half_a_request_after_a_whole_one_is_ended_too(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, gateway(host, head=0.3) as made:
        whole = b"GET /nowhere HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"
        line = await begun(made.port, whole)
        assert (await line[0].readuntil(b"\r\n")).startswith(b"HTTP/1.1 404")
        line[1].write(HALF)
        await ended(line)


async def test_a_handshake_that_never_ends_is_ended(tmp_path: Path) -> None:
    context = partial(load_certificate(tmp_path / "papers").make_tls_context, RedirectingContext)
    async with hosting(tmp_path) as host, gateway(host, certificate=context, head=0.3) as made:
        assert await ended(await begun(made.port, b"\x16\x03\x01\x02\x00")) == b""


@asynccontextmanager
async def serving() -> AsyncIterator[int]:
    """A page that answers when it is let."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = HttpServer(PlainTextResponse("ok"), head=3600)
    await server.start(listening)
    try:
        yield listening.getsockname()[1]
    finally:
        await server.close()


async def answered(port: int, source: str) -> bool:
    """Whether somebody from there gets an answer."""
    whole = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n"
    try:
        return b"200 OK" in await ended(await begun(port, whole, source))
    except ConnectionError:
        return False


async def test_one_address_has_no_more_than_its_connections(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http_server, "MAX_CONNECTIONS_PER_ADDRESS", 3)

    async with serving() as port:
        idle = [await begun(port, HALF, "127.3.0.1") for _ in range(3)]
        while await answered(port, "127.3.0.1"):
            await asyncio.sleep(0.01)
        assert await answered(port, "127.3.0.2")
        for _, writer in idle:
            writer.close()
        while not await answered(port, "127.3.0.1"):
            await asyncio.sleep(0.01)


async def test_many_addresses_shut_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection that has waited for longest makes room."""
    monkeypatch.setattr(http_server, "MAX_CONNECTIONS", 5)

    async with serving() as port:
        idle = [await begun(port, HALF, f"127.3.0.{number + 1}") for number in range(12)]
        for _ in range(3):
            assert await answered(port, "127.4.0.1")
        await asyncio.gather(*(ended(line) for line in idle[:5]))
        for _, writer in idle[5:]:
            writer.close()


@asynccontextmanager
async def sending(content: bytes, head: float = 3600) -> AsyncIterator[int]:
    """A page that answers with this, and waits so many seconds for the next request."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = HttpServer(PlainTextResponse(content), head=head)
    await server.start(listening)
    try:
        yield listening.getsockname()[1]
    finally:
        await server.close()


LARGE = bytes(24 << 20)
"""An answer that no buffer on its way holds."""
ASKED = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"


async def never_reading(port: int, source: str) -> Line:
    """Somebody who asks, and stops reading after the first bytes of the answer."""
    reader, writer = await begun(port, ASKED, source)
    await reader.readexactly(9)
    writer.transport.pause_reading()
    return reader, writer


async def test_who_asks_and_never_reads_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only then its address has room for another line."""
    monkeypatch.setattr(http_server, "TRANSFER_TIMEOUT_S", 0.3)
    monkeypatch.setattr(http_server, "MAX_CONNECTIONS_PER_ADDRESS", 1)

    async with sending(LARGE) as port:
        _, writer = await never_reading(port, "127.3.0.1")
        while not await answered(port, "127.3.0.1"):
            await asyncio.sleep(0.01)
        writer.close()


async def test_who_reads_slowly_gets_the_whole_answer() -> None:
    """A phone that needed longer than for a request's head for a picture was cut off."""
    head = 0.3
    async with sending(LARGE, head=head) as port:
        reader, writer = await never_reading(port, "127.3.0.1")
        await asyncio.sleep(3 * head)
        writer.transport.resume_reading()
        await reader.readuntil(b"\r\n\r\n")
        assert len(await reader.readexactly(len(LARGE))) == len(LARGE)
        writer.close()


async def test_who_never_reads_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """36 addresses with 64 lines each shut phones out for as long as they liked."""
    monkeypatch.setattr(http_server, "MAX_CONNECTIONS", 5)

    async with sending(LARGE) as port:
        lines = [await never_reading(port, f"127.3.0.{number + 1}") for number in range(9)]
        reader, phone = await begun(port, ASKED, "127.4.0.1")
        assert len(await reader.readexactly(len(LARGE))) == len(LARGE)
        phone.close()
        for reader, writer in lines[:4]:
            writer.transport.resume_reading()
            with suppress(ConnectionError):
                assert len(await reader.read()) < len(LARGE)
        for _, writer in lines:
            writer.close()


async def test_half_a_request_with_a_body_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_server, "TRANSFER_TIMEOUT_S", 0.3)

    async def echoing(scope: Scope, receive: Receive, send: Send) -> None:
        body = await Request(scope, receive).body()
        await PlainTextResponse(body)(scope, receive, send)

    listening = socket.create_server(("127.0.0.1", 0))
    server = HttpServer(echoing, head=3600)
    await server.start(listening)
    try:
        port = listening.getsockname()[1]
        half = b"POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 9\r\n\r\nabc"
        assert await ended(await begun(port, half)) == b""
    finally:
        await server.close()


async def test_silent_sockets_shut_no_phone_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """13 addresses with 32 silent sockets each shut phones out for 17 seconds."""
    monkeypatch.setattr(gateways, "MAX_SOCKETS", 6)

    async with (
        hosting(tmp_path) as host,
        opened(host, plan("sun", 2)) as owner,
        gateway(host) as made,
        Browser(made.port, code=owner.code) as seated,
    ):
        await seated.sit(0)
        silent: list[ClientConnection] = []
        for number in range(9):
            uri = f"ws://127.0.0.1:{made.port}/ws"
            here = f"http://127.0.0.1:{made.port}"
            source = (f"127.5.0.{number + 1}", 0)
            silent.append(await connect(uri, origin=here, local_addr=source))
        phone = Browser(made.port, code=owner.code, source="127.6.0.1")
        async with phone:
            await phone.sit(1)
            assert phone.lines == 1
        assert seated.lines == 1  # a player with a seat is never sent away
        for line in silent:
            line.transport.abort()


async def test_a_phone_reads_that_its_host_lets_nobody_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browser_session, "ConnectionSettings", partial(ConnectionSettings, 0.3))

    async with posing(tmp_path, only_greets) as impostor:
        made = gateways.Gateway(Sessions(Address(("127.0.0.1",), impostor.port)))
        await made.start("127.0.0.1", 0)
        async with Browser(made.port, code="K7MPQ2") as phone:
            await phone.until(lambda: "lets nobody in" in phone.door)
        await made.close()


@asynccontextmanager
async def figures(host: TableServer) -> AsyncIterator[int]:
    """The port where a host's figures are."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    async with operator_endpoints(host, metrics=("127.0.0.1", port)):
        yield port


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"host: 127.0.0.1\r\n", b"200"),
        (b"host: localhost:18981\r\n", b"200"),
        (b"host: evil.example\r\n", b"403"),
        (b"", b"403"),
        (b"host: 127.0.0.1\r\norigin: https://evil.example\r\n", b"403"),
    ],
)
@pytest.mark.parametrize("path", [b"/health", b"/metrics"])
async def test_figures_are_sent_to_no_page_of_another_site(
    path: bytes, head: bytes, status: bytes, tmp_path: Path
) -> None:
    async with table_server(tmp_path) as host, figures(host) as port:
        asked = b"GET " + path + b" HTTP/1.0\r\n" + head + b"\r\n"
        answer = await ended(await begun(port, asked))
        assert answer.split()[1] == status


async def test_a_socket_that_reads_nothing_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """asyncio waits for ever until what was sent is read."""
    monkeypatch.setattr(compressed_websocket, "CLOSE_TIMEOUT_S", 0.1)
    gone = asyncio.Event()

    async def overwhelming(scope: Scope, receive: Receive, send: Send) -> None:
        socket = WebSocket(scope, receive, send)
        await socket.accept()
        await socket.send_bytes(os.urandom(len(LARGE)))
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
        gone.set()

    listening = socket.create_server(("127.0.0.1", 0))
    server = HttpServer(
        overwhelming, ws=CompressedWebSocket, ws_ping_interval=0.1, ws_ping_timeout=0.1
    )
    await server.start(listening)
    try:
        port = listening.getsockname()[1]
        _, writer = await begun(
            port,
            b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
            b"sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
        )
        writer.transport.pause_reading()
        async with asyncio.timeout(LONGEST):
            await gone.wait()
        writer.close()
    finally:
        await server.close()
