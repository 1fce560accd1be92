"""Lines that are no guest's yet: counted for the address they come from, and closed in time.

asyncio tells of a TLS line only once its handshake is over. So a line is taken as plain TCP, is
counted, and begins TLS then: who connects and says nothing, or never asks for a WebSocket, has no
more room than who comes in.
"""

import asyncio
import ssl
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar, cast

from tabletop.net.heartbeat import HostLine
from tabletop.net.limits import Limits, origin

CLOSING = 2.0
"""Seconds that the end of a TLS line may take."""


class Doorstep:
    """Of one host. Who has come in is counted by the host."""

    def __init__(
        self, context: ssl.SSLContext, limits: Limits, inside: Callable[[str | None], int]
    ) -> None:
        """`inside` tells how many lines of an origin have come in, or of all together."""
        self.context = context
        self.limits = limits
        self._inside = inside
        self._lines: dict[DoorstepLine, str] = {}
        self._waiting: Counter[str] = Counter()

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
        self._stands = self._ended = False
        self._early = b""
        """What came before anybody was there to read it: uvloop reads on though it is paused, and
        a guest's first words may come with the end of the handshake."""
        self._plain: asyncio.Transport | None = None
        self._securing: asyncio.Task[None] | None = None
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        plain = cast(asyncio.Transport, transport)  # uvloop's own is of no class of asyncio's
        peer = plain.get_extra_info("peername")
        self._plain = plain
        if not self.doorstep.arrive(self, origin(str(peer[0]) if peer else "")):
            plain.abort()
            return
        plain.pause_reading()
        patience = self.doorstep.limits.greeting
        self._deadline = self.loop.call_later(patience, self.abort)
        self._securing = self.loop.create_task(self._secure(plain))

    async def _secure(self, transport: asyncio.Transport) -> None:
        """Begin TLS; the line stands once its handshake is over."""
        starting = self.loop.create_task(
            self.loop.start_tls(
                transport,
                self,
                self.doorstep.context,
                server_side=True,
                ssl_handshake_timeout=self.doorstep.limits.greeting,
                ssl_shutdown_timeout=CLOSING,
            )
        )
        await asyncio.sleep(0)  # it has begun, and listens before anything else can come
        self.loop.call_soon(self._hand_on, transport)
        try:
            secured = await starting
        except OSError:
            secured = None
        if secured is None or self._ended:
            self.abort()
            return
        self._stands = True
        super().connection_made(secured)
        if early := self._early:
            self._early = b""
            super().data_received(early)

    def _hand_on(self, transport: asyncio.Transport) -> None:
        """Give to TLS what came before it began."""
        reader: Any = transport.get_protocol()
        if reader is self or self._ended:
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
            super().data_received(data)
        else:
            self._early += data

    def eof_received(self) -> None:
        if self._stands:
            super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended = True
        self.come_in()
        if self._stands:
            super().connection_lost(exc)

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
