"""A browser that floods its gateway is cut off, and what it may cost is counted."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.frames import CloseCode

from tests.net.floods import FLOODS, FRAMES
from tests.net.loopback import LONGEST, hosting, plan
from tests.web.gateways import Browser, gateway, web_table


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
