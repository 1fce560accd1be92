"""A proxy and a host that disagree about the PROXY line: nobody comes in, and the log says why."""

import asyncio
import logging
from pathlib import Path

import pytest

from tabletop.server.reverse_proxy import ReverseProxy
from tabletop.server.server import TableServer
from tests.net.loopback import Friend, opened

HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + 200 * b"x"
"""The beginning of a TLS handshake."""
LINE = b"PROXY TCP4 192.0.2.7 192.0.2.1 40000 18920\r\n"


async def turned_away(host: TableServer, sent: bytes) -> bool:
    """Whether a line that begins so is cut."""
    reader, writer = await asyncio.open_connection("127.0.0.1", host.port)
    writer.write(sent)
    try:
        return await reader.read() == b""
    except ConnectionResetError:
        return True
    finally:
        writer.close()


@pytest.mark.parametrize(
    ("addresses", "sent", "said"),
    [
        (("127.0.0.1",), HELLO, "no PROXY line"),
        ((), LINE + HELLO, "sends a PROXY line"),
    ],
)
async def test_the_log_says_once_a_minute_that_a_proxy_is_wrong(
    addresses: tuple[str, ...],
    sent: bytes,
    said: str,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING, "tabletop.net")
    host = TableServer(tmp_path, proxy=ReverseProxy(addresses))
    await host.start("127.0.0.1", 0)
    try:
        for _ in range(3):
            assert await turned_away(host, sent)
        lines = [record.getMessage() for record in caplog.records]
        assert len(lines) == 1
        assert said in lines[0]
        assert "address=127.0.0.1" in lines[0]
    finally:
        await host.close()


async def test_a_guest_whose_first_bytes_are_slow_comes_in(tmp_path: Path) -> None:
    host = TableServer(tmp_path)
    await host.start("127.0.0.1", 0)
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", host.port)
        friend = await opened(host)
        assert friend.guest.info
        writer.close()
        await Friend.close(friend)
    finally:
        await host.close()
