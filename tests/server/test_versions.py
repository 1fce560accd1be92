"""Guests of other versions, by what they really say: older ones play, and whom the host does not
understand reads one sentence with both versions."""

from pathlib import Path

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from tabletop import __version__
from tabletop.language.words import Words
from tabletop.net.guest.dial import dial
from tabletop.protocol.codec import decode_host_message
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import Farewell, FromHost, Refused, TableInfo, TableJoined, Welcome
from tabletop.protocol.versions import PROTOCOL_VERSION
from tests.server.table_server import table_server

FIRST = b'{"type":"hello","least":1,"most":1,"program":"0.1.0"}'
"""The messages of the first version with a network, as they were recorded."""
OPENS = (
    b'{"type":"open","plan":{"game":"sun","seats":[{"kind":"open","level":"random"},'
    b'{"kind":"bot","level":"easy"}],"name":"Friday","options":{},"spectators":"live",'
    b'"delay":60,"patience":300},"key":""}'
)
BEFORE = b'{"type":"hello","least":0,"most":0,"program":"0.0.0"}'
LATER = msgspec.json.encode(
    {
        "type": "hello",
        "least": PROTOCOL_VERSION + 1,
        "most": PROTOCOL_VERSION + 3,
        "program": "9.1",
        "new": [1],
    }
)


async def told(port: int, *frames: bytes) -> list[FromHost]:
    """Return the host's answers to these frames, until it ends the line or lets somebody in."""
    line = await dial(Address(("127.0.0.1",), port))
    heard: list[FromHost] = []
    try:
        for frame in frames:
            await line.send(frame, text=True)
        while not any(isinstance(message, TableInfo) for message in heard):
            heard.append(decode_host_message(await line.recv(decode=False)))
    except ConnectionClosed:
        pass
    finally:
        await line.close()
    return heard


async def test_the_first_program_still_opens_a_table(tmp_path: Path) -> None:
    async with table_server(tmp_path) as host:
        welcome, entered, *_ = await told(host.port, FIRST, OPENS)
        assert isinstance(welcome, Welcome)
        assert (welcome.protocol, welcome.program) == (1, __version__)
        assert isinstance(entered, TableJoined)


@pytest.mark.parametrize(("hello", "version"), [(BEFORE, "0.0.0"), (LATER, "9.1")])
async def test_whom_the_host_does_not_understand_reads_both_versions(
    hello: bytes, version: str, tmp_path: Path
) -> None:
    async with table_server(tmp_path) as host:
        refused, farewell = await told(host.port, hello)
        assert isinstance(refused, Refused)
        assert isinstance(farewell, Farewell)
        assert (refused.of, farewell.reason, farewell.back) == ("hello", refused.reason, False)
        for language in ("en", "ja"):
            sentence = Words(language).reason(refused.reason)
            assert __version__ in sentence
            assert version in sentence
        assert Words("ja").reason(refused.reason) != Words("en").reason(refused.reason)
