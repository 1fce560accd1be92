"""Lines that are no guest's yet: counted for the address they come from, and closed in time.

asyncio tells of a TLS line only once its handshake is over. So a line is taken as plain TCP, is
counted, and begins TLS then: who connects and says nothing, or never asks for a WebSocket, has no
more room than who comes in.

What comes in by a line is heard a piece at a time, each at its turn (`turns`). A line whose turn
has not come is not read, so that what it wants to say waits at the other end.
"""

import asyncio
import logging
import socket
import ssl
from collections import Counter
from collections.abc import Callable
from struct import Struct
from typing import Any, ClassVar, cast

from websockets.frames import (  # type: ignore[attr-defined]  # of two masks the quicker
    DATA_OPCODES,
    Frame,
    apply_mask,
)
from websockets.protocol import OPEN, Event
from websockets.streams import StreamReader

from tabletop.net.heartbeat import HostLine
from tabletop.net.host.front import MAPPED, Front, introduced
from tabletop.net.host.turns import Turns
from tabletop.net.limits import Limits, origin

quiet = logging.getLogger("tabletop.net.wire")
quiet.setLevel(logging.CRITICAL)  # every guest that vanishes would be told as an error
CLOSING = 2.0
"""Seconds that the end of a TLS line may take."""
PIECE = 2048
"""Bytes of what comes in that are heard at a turn: some hundred of the smallest frames."""
HANDSHAKE = 0.0015
"""Seconds that the beginning of a TLS line takes of the host's time, soon after its turn."""
RECORD = 16 * 1024
"""Bytes that a record of TLS holds at most."""
ROOM = 32 * 1024
"""Bytes that the system may keep of what a line says, before it is read."""


class Doorstep:
    """Of one host. Who has come in is counted by the host."""

    def __init__(
        self,
        context: ssl.SSLContext,
        limits: Limits,
        inside: Callable[[str | None], int],
        turns: Turns,
        front: Front,
    ) -> None:
        """`inside` tells how many lines of an origin have come in, or of all together."""
        self.front = front
        self.context = context
        self.limits = limits
        self.turns = turns
        self._inside = inside
        self._lines: dict[DoorstepLine, str] = {}
        self._waiting: Counter[str] = Counter()
        self.buffer = memoryview(bytearray(RECORD))
        """What lines read into, each for a moment."""

    def line(self) -> "type[DoorstepLine]":
        """The class of this host's lines."""

        class Line(DoorstepLine):
            doorstep = self
            heartbeat = self.limits.heartbeat

        return Line

    def arrive(self, line: "DoorstepLine", where: str) -> bool:
        """A line has come; whether there is room. One more than may come in hears why."""
        near = self._waiting[where] + self._inside(where)
        if near > self.limits.connections_per_address:
            return False
        if len(self._lines) + self._inside(None) > self.limits.connections:
            return False
        self._lines[line] = where
        self._waiting[where] += 1
        return True

    def others(self, where: str) -> int:
        """How many lines of an origin wait besides the one that asks."""
        return max(0, self._waiting[where] - 1)

    def leave(self, line: "DoorstepLine") -> None:
        """A line has come in, or ended."""
        where = self._lines.pop(line, None)
        if where is not None:
            self._waiting[where] -= 1
            if not self._waiting[where]:
                del self._waiting[where]

    def close(self) -> None:
        """Nobody waits any more."""
        for line in tuple(self._lines):
            line.abort()


class DoorstepLine(HostLine):
    """A guest's line, from TCP on."""

    doorstep: ClassVar[Doorstep]

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._origin = self._guest = ""
        self._by_proxy = False
        """Whether a proxy is still to say whose line it is."""
        self._stands = self._ended = False
        self.hears_at_once: Callable[[bytes], bool] = _not_yet
        """Takes in the first message of a turn, or tells that it has not: it wakes no task."""
        self.attentive = False
        """Whether all that has come was heard, and more is waited for."""
        self._first = False
        """Whether no message was heard yet in this turn."""
        self._unheard = b""
        """What came in by the line that stands, before its turn."""
        self._turn = False
        """Whether a turn was asked for."""
        self._early = b""
        """What came before anybody was there to read it: uvloop reads on though it is paused, and
        a guest's first words may come with the end of the handshake."""
        self._plain: asyncio.Transport | None = None
        self._securing: asyncio.Task[None] | None = None
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        plain = cast(asyncio.Transport, transport)  # uvloop's own is of no class of asyncio's
        peer = plain.get_extra_info("peername")
        where = str(peer[0]).removeprefix(MAPPED) if peer else ""
        self._plain = plain
        plain.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, ROOM)
        patience = self.doorstep.limits.greeting
        self._deadline = self.loop.call_later(patience, self.abort)
        self._by_proxy = where in self.doorstep.front.proxies
        if not self._by_proxy:
            self._arrive(where)

    def _arrive(self, where: str) -> None:
        """It is known where the line comes from."""
        assert self._plain is not None
        self._origin = origin(where)
        if not self.doorstep.arrive(self, self._origin):
            self.abort()
            return
        self._plain.pause_reading()
        self.doorstep.turns.do(self._origin, self._begin_tls)

    def _introduce(self) -> None:
        """A proxy says whose line this is, before anything else."""
        try:
            found = introduced(self._early)
        except ValueError:
            self.abort()
            return
        if found is not None:
            self._guest, size = found
            self._early = self._early[size:]
            self._by_proxy = False
            self._arrive(self._guest)

    @property
    def remote_address(self) -> Any:
        """As of any line; where a proxy has said whose it is, that."""
        return (self._guest, 0) if self._guest else super().remote_address

    def _begin_tls(self) -> None:
        if self._plain is not None and not self._ended:
            self.doorstep.turns.took(self._origin, HANDSHAKE)
            self._securing = self.loop.create_task(self._secure(self._plain))
            # The round after next: by then it has begun, and listens before anything else can come.
            self.loop.call_soon(self.loop.call_soon, self._hand_on, self._plain)

    async def _secure(self, transport: asyncio.Transport) -> None:
        """Begin TLS; the line stands once its handshake is over."""
        if (
            transport.is_closing()
        ):  # nobody would tell TLS that the line has ended, nor would it end
            return
        try:
            secured = await self.loop.start_tls(
                transport,
                _Reading(self),
                self.doorstep.context,
                server_side=True,
                ssl_handshake_timeout=self.doorstep.limits.greeting,
                ssl_shutdown_timeout=CLOSING,
            )
        except OSError as error:
            _lighten(error)
            secured = None
        if secured is None or transport.is_closing():
            self.abort()
            return
        self._stands = True
        super().connection_made(secured)
        self.recv_messages.pause = self._pace
        self.recv_messages.resume = self._listen
        if early := self._early:
            self._early = b""
            self.data_received(early)

    def _hand_on(self, transport: asyncio.Transport) -> None:
        """Give to TLS what came before it began."""
        reader: Any = transport.get_protocol()
        if reader is self or reader is None or self._ended:  # or it has gone already
            return
        early, self._early = self._early, b""
        while early:
            room = reader.get_buffer(len(early))
            count = min(len(room), len(early))
            room[:count] = early[:count]
            reader.buffer_updated(count)
            early = early[count:]

    def data_received(self, data: bytes) -> None:
        if self._stands:
            self._unheard += data
            self._listen()
        else:
            self._early += data
            if self._by_proxy:
                self._introduce()
            elif len(self._early) > ROOM:
                self.abort()

    def eof_received(self) -> None:
        if self._stands:
            self._hear(len(self._unheard))
            super().eof_received()

    def _listen(self) -> None:
        """Hear what has come in, or ask for the turn to."""
        if self._unheard and not (self._turn or self.recv_messages.paused):
            self._turn = True
            self.doorstep.turns.do(self._origin, self._hear)
        self._pace()

    def _hear(self, size: int = PIECE) -> None:
        self._turn = False
        if self._ended:
            return
        piece, self._unheard = self._unheard[:size], self._unheard[size:]
        if self.attentive and self._hears_whole(piece):
            self._pulse.heard()
        else:
            self._first = True
            super().data_received(piece)
        self._listen()

    def _hears_whole(self, piece: bytes) -> bool:
        """Whether the piece is one text, whole and masked, that is heard at once. Most are, and
        the library takes six times as long to read one: it has no part in this, and is asked only
        whether it waits for a frame to begin."""
        masks = _masks(piece)
        protocol = self.protocol
        if not (
            masks
            and protocol.state is OPEN
            and protocol.current_size is None
            and _between_frames(protocol.parser)
        ):
            return False
        return self.hears_at_once(apply_mask(piece[masks + 4 :], piece[masks : masks + 4]))

    def process_event(self, event: Event) -> None:
        if self.attentive and isinstance(event, Frame) and event.opcode in DATA_OPCODES:
            first, self._first = self._first, False
            if first and event.fin and self.hears_at_once(bytes(event.data)):
                return
            self.attentive = False
        super().process_event(event)

    def say(self, text: bytes) -> None:
        """Send a text at once, unless the line is ending.

        It is `websockets.broadcast`, less all that only other kinds of frames need."""
        if self.protocol.state is OPEN and not self.transport.is_closing():
            self._pulse.spoke()
            self.transport.write(_head(len(text)) + text)

    def _pace(self) -> None:
        """Read on only where everything was heard."""
        if self._unheard or self.recv_messages.paused:
            self.transport.pause_reading()
        else:
            self.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended = True
        self.come_in()
        if self._stands:
            super().connection_lost(exc)
            self.recv_messages.pause = self.recv_messages.resume = _nothing
        self.hears_at_once, self.attentive = _not_yet, False
        # No ring is left: hosts look for garbage seldom, and lines come and go by thousands.
        self.protocol.parser.close()
        _lighten(self.protocol.parser_exc)
        _lighten(self.protocol.handshake_exc)
        self.logger = self.protocol.logger = quiet  # some versions' own holds the line

    def come_in(self) -> None:
        """It waits on the doorstep no more."""
        self.doorstep.leave(self)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def abort(self) -> None:
        """End it at once."""
        self.come_in()
        if self._plain is not None:
            self._plain.abort()


class _Reading(asyncio.BufferedProtocol):
    """What TLS tells of a line. It reads into a buffer of the doorstep's, one for all lines: uvloop
    else takes 256 KiB for each piece that comes in."""

    def __init__(self, line: DoorstepLine) -> None:
        self._line: DoorstepLine | None = line
        self._buffer = line.doorstep.buffer

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        if self._line is not None:
            self._line.data_received(bytes(self._buffer[:nbytes]))

    def eof_received(self) -> None:
        if self._line is not None:
            self._line.eof_received()

    def pause_writing(self) -> None:
        if self._line is not None:
            self._line.pause_writing()

    def resume_writing(self) -> None:
        if self._line is not None:
            self._line.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        line, self._line = self._line, None  # uvloop keeps this reader, which would be a ring
        if line is not None:
            line.connection_lost(exc)


def _lighten(error: BaseException | None) -> None:
    """Let an error that is kept, and what it came of, hold nothing of where it was raised."""
    while error is not None:
        error.__traceback__ = None
        error = error.__cause__ or error.__context__


def _not_yet(_: bytes) -> bool:
    return False


def _between_frames(parser: Any) -> bool:
    """Whether the library's parser, a generator, waits for a frame to begin."""
    while parser.gi_yieldfrom is not None:
        parser = parser.gi_yieldfrom
    return parser.gi_code is _BEGINNING


def _masks(piece: bytes) -> int:
    """Where the mask begins in a piece that is one whole, masked frame of text; 0 where it is not,
    or larger than what is heard at a turn."""
    size = len(piece)
    if not 6 <= size <= PIECE or piece[0] != _TEXT:
        return 0
    if piece[1] == _MASKED + size - 6 < _MASKED + 126:
        return 2
    if piece[1] == _MASKED + 126 and size >= 8 and (piece[2] << 8 | piece[3]) == size - 8:
        return 4
    return 0


def _head(size: int) -> bytes:
    """What stands before a text of so many bytes, unmasked and in one frame (RFC 6455, 5.2)."""
    if size < 126:
        return bytes((_TEXT, size))
    if size < 2**16:
        return _SHORT.pack(_TEXT, 126, size)
    return _LONG.pack(_TEXT, 127, size)


_TEXT, _MASKED = 0x81, 0x80
_BEGINNING = StreamReader.at_eof.__code__
"""Where that parser waits for a frame to begin, and for nothing else."""
_SHORT, _LONG = Struct("!BBH"), Struct("!BBQ")


def _nothing() -> None:
    """What a line does that has ended."""
