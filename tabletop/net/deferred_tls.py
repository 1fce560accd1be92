"""Accepting TLS connections as plain TCP, so that a server can count them before the handshake.

asyncio reports a TLS connection only after its handshake. Until then a server could neither count
nor refuse it, and a silent client would occupy the memory of a TLS session.
"""

import asyncio
import socket
import ssl
from typing import Any, ClassVar, Literal, cast

from tabletop.background.tasks import Tasks

MAX_EARLY_BYTES = 32 * 1024
"""The maximum number of received bytes that are buffered before TLS reads them.

The limit applies to the system's buffer and to the protocol's own.
"""

Phase = Literal["plain", "handshake", "open", "ended"]


class DeferredTlsProtocol(asyncio.Protocol):
    """A mixin for a protocol class. The class sees the connection only once TLS is established."""

    loop: asyncio.AbstractEventLoop
    context: ClassVar[ssl.SSLContext | None]
    """The server's TLS context, set in a subclass; None leaves connections unencrypted."""
    handshake_timeout_s: float
    shutdown_timeout_s: float

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.plain: asyncio.Transport | None = None
        """The transport below TLS."""
        self.early_bytes = b""
        """Bytes received before TLS was ready. uvloop continues to
        read even if the transport is paused.
        """
        self._phase: Phase = "plain"
        self._handshakes = Tasks()

    def on_accepted(self, plain: asyncio.Transport) -> None:
        """Handle a new connection: count it, then call `admit` or `abort`."""
        raise NotImplementedError

    def on_early_bytes(self) -> None:
        """Start the TLS handshake, because the first bytes have arrived."""
        assert self.plain is not None
        self.plain.pause_reading()
        self._phase = "handshake"
        self._handshakes.start(self._do_handshake(self.plain), lambda _: self.abort())

    def admit(self) -> None:
        """Admit the connection. The TLS handshake starts with the first bytes received."""
        assert self.plain is not None
        if self.context is None:
            self._open(self.plain)
        elif self.early_bytes:
            self.on_early_bytes()

    def abort(self) -> None:
        """Close the connection immediately."""
        if self.plain is not None:
            self.plain.abort()

    # Callbacks of asyncio

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
        if plain.is_closing():  # TLS would never be told that the connection has ended
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
        """Pass the bytes that arrived before TLS was ready to TLS."""
        reader: Any = plain.get_protocol()
        # TLS has not started, or the connection is closed
        if reader is self or reader is None or self._phase == "ended":
            return
        early, self.early_bytes = self.early_bytes, b""
        while early:
            room = reader.get_buffer(len(early))
            count = min(len(room), len(early))
            room[:count] = early[:count]
            reader.buffer_updated(count)
            early = early[count:]
