"""An impostor of a host: answers at a port as the test says, and keeps the guests' messages."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from tabletop.net.certificate import load_certificate
from tabletop.protocol.codec import decode_guest_message, encode
from tabletop.protocol.messages import FromGuest, FromHost, Hello, Welcome


class Impostor:
    """Answers at a port with a certificate of its own, and keeps all that guests say."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.port = 0
        self.fingerprint = ""

    @property
    def learned(self) -> str:
        return repr(self.frames)

    async def hear(self, line: ServerConnection) -> FromGuest:
        self.frames.append(await line.recv(decode=False))
        return decode_guest_message(self.frames[-1])


Act = Callable[[Impostor, ServerConnection], Awaitable[None]]
"""What an impostor does to each line."""


@asynccontextmanager
async def posing(
    folder: Path,
    act: Act,
    address: str = "127.0.0.1",
    port: int = 0,
) -> AsyncIterator[Impostor]:
    """An impostor that does this to each line after the first greeting."""
    impostor, papers = Impostor(), load_certificate(folder)
    impostor.fingerprint = papers.fingerprint

    async def visited(line: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            assert isinstance(await impostor.hear(line), Hello)
            await act(impostor, line)
            while True:
                await impostor.hear(line)

    papers_shown = papers.make_tls_context()
    async with serve(visited, address, port, ssl=papers_shown, close_timeout=1) as listening:
        impostor.port = listening.sockets[0].getsockname()[1]
        yield impostor


async def say(line: ServerConnection, *messages: FromHost) -> None:
    for message in messages:
        await line.send(encode(message), text=True)


async def only_greets(_: Impostor, line: ServerConnection) -> None:
    """Welcome a guest, and say nothing more."""
    await say(line, Welcome(2, "x"))
