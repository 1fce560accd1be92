"""Accepts a TLS connection as plain TCP, so that a server can count it before its handshake.

asyncio announces a TLS connection only once its handshake is over. Until then a server could
neither count nor refuse it, and a client that never speaks would hold the memory of TLS.
"""

import asyncio
import socket
import ssl
from typing import Any, ClassVar, Literal, cast

from tabletop.background.tasks import Tasks

MAX_EARLY_BYTES = 32 * 1024
"""Bytes that the system, and the protocol, may receive before they are read."""

Phase = Literal["plain", "handshake", "open", "ended"]


class DeferredTlsProtocol(asyncio.Protocol):
    """A mixin in front of a protocol's class, which sees the connection once TLS is established."""

    loop: asyncio.AbstractEventLoop
    context: ClassVar[ssl.SSLContext | None]
    """TLS of the server, which sets it in a subclass; None: connections stay plain."""
    handshake_timeout_s: float
    shutdown_timeout_s: float

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.plain: asyncio.Transport | None = None
        """The connection below TLS."""
        self.early_bytes = b""
        """Bytes received before TLS began, or before its handshake was reported: uvloop goes on
        reading although it is paused."""
        self._phase: Phase = "plain"
        self._handshakes = Tasks()

    def on_accepted(self, plain: asyncio.Transport) -> None:
        """Count a connection that was accepted; then call `proceed` or `abort`."""
        raise NotImplementedError

    def on_early_bytes(self) -> None:
        """Handle the `early` bytes: the first ones of a plain connection begin its handshake."""
        assert self.plain is not None
        self.plain.pause_reading()
        self._phase = "handshake"
        self._handshakes.start(self._do_handshake(self.plain), lambda _: self.abort())

    def admit(self) -> None:
        """Admit a counted connection. TLS begins with its first bytes."""
        assert self.plain is not None
        if self.context is None:
            self._open(self.plain)
        elif self.early_bytes:
            self.on_early_bytes()

    def abort(self) -> None:
        """End the connection at once."""
        if self.plain is not None:
            self.plain.abort()

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        plain = self.plain = cast(asyncio.Transport, transport)
        if self.context is not None:
            buffer = (socket.SOL_SOCKET, socket.SO_RCVBUF, MAX_EARLY_BYTES)
            plain.get_extra_info("socket").setsockopt(*buffer)
        self.on_accepted(plain)

    def data_received(self, data: bytes) -> None:
        if self._phase == "open":
            super().data_received(data)
            return
        self.early_bytes += data
        if self._phase == "plain":
            self.on_early_bytes()
        elif len(self.early_bytes) > MAX_EARLY_BYTES:
            self.abort()

    def eof_received(self) -> None:
        if self._phase == "open":
            super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        was_open = self._phase == "open"
        self._phase = "ended"
        if was_open:
            super().connection_lost(exc)

    # The handshake

    async def _do_handshake(self, plain: asyncio.Transport) -> None:
        assert self.context is not None
        if plain.is_closing():  # TLS would never hear that the connection has ended
            return
        self.loop.call_soon(self._forward_early_bytes, plain)
        try:
            secured = await self.loop.start_tls(
                plain,
                self,
                self.context,
                server_side=True,
                ssl_handshake_timeout=self.handshake_timeout_s,
                ssl_shutdown_timeout=self.shutdown_timeout_s,
            )
        except OSError:
            secured = None
        if secured is None or plain.is_closing():
            self.abort()
            return
        self._open(secured)
        if early := self.early_bytes:
            self.early_bytes = b""
            self.data_received(early)

    def _open(self, transport: asyncio.Transport) -> None:
        self._phase = "open"
        super().connection_made(transport)

    def _forward_early_bytes(self, plain: asyncio.Transport) -> None:
        """Give to TLS what came before it began."""
        reader: Any = plain.get_protocol()
        # not yet TLS, or the connection is gone already
        if reader is self or reader is None or self._phase == "ended":
            return
        early, self.early_bytes = self.early_bytes, b""
        while early:
            room = reader.get_buffer(len(early))
            count = min(len(room), len(early))
            room[:count] = early[:count]
            reader.buffer_updated(count)
            early = early[count:]
