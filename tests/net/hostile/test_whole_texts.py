"""A text that comes whole is read without the library, and nothing else is: whatever comes in, a
line stands afterwards as if the library had read it all.

The seeds are fixed. With TABLETOP_LONG=1 it is a hundred thousand pieces.
"""

import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from websockets.asyncio.connection import Connection
from websockets.frames import BINARY, CLOSE, CONT, CTRL_OPCODES, PING, PONG, TEXT, Frame, Opcode
from websockets.server import ServerProtocol

from tabletop.net.codec import LARGEST_IN
from tabletop.net.host.doorstep import DoorstepLine
from tests.net.loopback import LONG, run

PIECES = 100_000 if LONG else 4_000
ASKED = (
    b"GET / HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
WORDS = (b'{"move":1}', b"{", b"no move", b"", b"{" + b"x" * 124, b"{" + b"y" * 125, b"{\xff")


class Wire:
    """What a line writes goes nowhere."""

    def __init__(self) -> None:
        self.written: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.written.append(bytes(data))

    def can_write_eof(self) -> bool:
        return False

    def close(self) -> None:
        self.written.append(b"closed")

    def get_write_buffer_size(self) -> int:
        return 0

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None


class Line(DoorstepLine):
    """A line that stands, and that hears what begins as a move does."""

    doorstep: Any = SimpleNamespace(turns=SimpleNamespace(do=lambda _, hear: hear()))

    def __init__(self, quickly: bool) -> None:
        protocol = ServerProtocol(max_size=LARGEST_IN)
        protocol.receive_data(ASKED)
        (asked,) = protocol.events_received()
        protocol.send_response(protocol.accept(asked))  # type: ignore[arg-type]
        protocol.data_to_send()
        super().__init__(protocol, None, ping_interval=None, max_queue=2)
        self.wire, self.heard = Wire(), list[bytes]()
        Connection.connection_made(self, self.wire)  # type: ignore[arg-type]
        self.request = asked  # type: ignore[assignment]
        self.recv_messages.pause = self._pace
        self.recv_messages.resume = self._listen
        self._stands = True
        self.hears_at_once = self._hears
        self.quickly = quickly
        self.whole = 0

    def _hears(self, text: bytes) -> bool:
        if text.startswith(b"{"):
            self.heard.append(text)
            return True
        return False

    def _hears_whole(self, piece: bytes) -> bool:
        heard = self.quickly and super()._hears_whole(piece)
        self.whole += heard
        return heard

    def take(self) -> None:
        """Somebody reads what is left to be read."""
        self.recv_messages.frames.queue.clear()
        self.recv_messages.maybe_resume()
        self.attentive = True

    @property
    def standing(self) -> tuple[object, ...]:
        protocol, frames = self.protocol, self.recv_messages.frames.queue
        return (
            self.heard,
            self.wire.written,
            self.attentive,
            self._unheard,
            [(frame.opcode, bytes(frame.data), frame.fin) for frame in frames],
            (protocol.state, protocol.current_size, bytes(protocol.reader.buffer)),
            (repr(protocol.parser_exc), protocol.close_rcvd, protocol.close_sent),
        )


def frame(chance: random.Random) -> bytes:
    """A frame of a guest, mostly a good one."""
    kind: Opcode = chance.choice((TEXT,) * 30 + (BINARY, CONT, PING, PONG, CLOSE))
    text = b"\x03\xe8" if kind in CTRL_OPCODES else chance.choice(WORDS)
    fin = kind in CTRL_OPCODES or chance.random() < 0.95
    made = Frame(kind, text, fin).serialize(mask=True, extensions=[])
    what = chance.randrange(40)
    if what == 0:  # a bit of its head is another one
        at = chance.randrange(2)
        return made[:at] + bytes((made[at] ^ 1 << chance.randrange(8),)) + made[at + 1 :]
    if what == 1 and len(text) < 126:  # its length is told in more bytes than it takes
        longer = chance.choice((b"\xfe\x00", b"\xff" + bytes(7)))
        return made[:1] + longer + bytes((len(text),)) + made[2:]
    if what == 2:
        return chance.randbytes(chance.randrange(1, 12))
    return made


def pieces(chance: random.Random) -> Iterator[bytes]:
    """Frames as they come in: mostly one by one, but also in halves and several at once."""
    rest = b""
    while True:
        rest += frame(chance)
        cut = len(rest) if chance.random() < 0.8 else chance.randrange(len(rest) + 1)
        if cut:
            yield rest[:cut]
        rest = rest[cut:]


def test_a_line_stands_as_if_the_library_had_read_all() -> None:
    async def evening() -> None:
        chance = random.Random("whole")
        count = whole = 0
        while count < PIECES:
            lines = quick, plain = Line(True), Line(False)
            for _, piece in zip(range(20), pieces(chance), strict=False):
                reads = chance.random() < 0.95
                for line in lines:
                    if reads:
                        line.take()
                    line.data_received(piece)
                assert quick.standing == plain.standing, piece
                count += 1
            whole += quick.whole
        assert whole > count // 10

    run(evening)
