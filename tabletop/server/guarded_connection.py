"""A guest's connection at a server, from TCP to the WebSocket.

asyncio announces a TLS connection only after its handshake. So a connection is accepted as plain
TCP, counted by the `PreHandshakeLimiter`, and upgraded to TLS then.
"""

import asyncio
import logging
import socket
import ssl
from typing import Any, ClassVar, cast

from tabletop.background.tasks import Tasks
from tabletop.net.host.connected_guest import MAPPED
from tabletop.net.host.guest_connection import GuestConnection
from tabletop.net.limits import LeakyBuckets, origin
from tabletop.net.outgoing import PARTING
from tabletop.server.pre_handshake_limiter import PreHandshakeLimiter
from tabletop.server.reverse_proxy import HEADER, ReverseProxy, proxy_header

log = logging.getLogger("tabletop.net")
RECEIVED = 32 * 1024
"""Bytes that the system may receive before they are read."""


class GuardedConnection(GuestConnection):
    """The connection of a guest. A server gives its subclass the class attributes."""

    context: ClassVar[ssl.SSLContext]
    limiter: ClassVar[PreHandshakeLimiter]
    proxy: ClassVar[ReverseProxy]
    complaints: ClassVar[LeakyBuckets]
    """Lines in the log about a proxy, one a minute."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._guest = ""
        """The guest's address, as a proxy has passed it on."""
        self._awaits_header = False
        """Whether a proxy has yet to send its header."""
        self._early = b""
        """Bytes received before TLS began, or before its handshake was reported: uvloop goes on
        reading although it is paused."""
        self._securing = self._secured = self._ended = False
        self._plain: asyncio.Transport | None = None
        self._tasks = Tasks()
        self._deadline: asyncio.TimerHandle | None = None

    # Before the handshake

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        plain = self._plain = cast(asyncio.Transport, transport)
        peer = plain.get_extra_info("peername")
        address = str(peer[0]).removeprefix(MAPPED) if peer else ""
        plain.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVED)
        self._deadline = self.loop.call_later(self.limits.greeting, self.abort)
        self._awaits_header = address in self.proxy.addresses
        if not self._awaits_header:
            self._admit(address)

    def _admit(self, address: str) -> None:
        """Count the connection; it begins TLS with its first bytes."""
        if not self.limiter.arrive(self, origin(address)):
            self.abort()
        elif self._early:
            self._begin()

    def _begin(self) -> None:
        """Begin TLS, unless a proxy has sent its header that nobody expects."""
        assert self._plain is not None
        if self._early.startswith(HEADER) and not self._guest:
            self._complain("proxy sends a PROXY line, but serve has no --proxy for it address=%s")
            self.abort()
            return
        self._plain.pause_reading()
        self._securing = True
        self._tasks.start(self._secure(self._plain), lambda _: self.abort())

    def _complain(self, line: str) -> None:
        assert self._plain is not None
        if self.complaints.take(line):
            log.warning(line, self._plain.get_extra_info("peername")[0])

    def _read_header(self) -> None:
        """Learn from a proxy who the guest is."""
        try:
            header = proxy_header(self._early)
        except ValueError:
            self._complain("proxy sends no PROXY line, so nobody can come in address=%s")
            self.abort()
            return
        if header is not None:
            self._guest, size = header
            self._early = self._early[size:]
            self._awaits_header = False
            self._admit(self._guest)

    @property
    def remote_address(self) -> Any:
        """The guest's address and port; behind a proxy, as that has passed it on."""
        return (self._guest, 0) if self._guest else super().remote_address

    async def _secure(self, transport: asyncio.Transport) -> None:
        if transport.is_closing():  # TLS would never hear that the connection has ended
            return
        self.loop.call_soon(self._hand_on, transport)
        try:
            secured = await self.loop.start_tls(
                transport,
                self,
                self.context,
                server_side=True,
                ssl_handshake_timeout=self.limits.greeting,
                ssl_shutdown_timeout=PARTING,
            )
        except OSError:
            secured = None
        if secured is None or transport.is_closing():
            self.abort()
            return
        self._secured = True
        super().connection_made(secured)
        if early := self._early:
            self._early = b""
            self.data_received(early)

    def _hand_on(self, transport: asyncio.Transport) -> None:
        """Give to TLS what came before it began."""
        reader: Any = transport.get_protocol()
        # not yet TLS, or the connection is gone already
        if reader is self or reader is None or self._ended:
            return
        early, self._early = self._early, b""
        while early:
            room = reader.get_buffer(len(early))
            count = min(len(room), len(early))
            room[:count] = early[:count]
            reader.buffer_updated(count)
            early = early[count:]

    def finish_handshake(self) -> None:
        """The guest is counted by the host from now on."""
        self.limiter.leave(self)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    # Receiving

    def data_received(self, data: bytes) -> None:
        if not self._secured:
            self._early += data
            if self._awaits_header:
                self._read_header()
            elif not self._securing:
                self._begin()
            elif len(self._early) > RECEIVED:
                self.abort()
            return
        super().data_received(data)

    def eof_received(self) -> None:
        if self._secured:
            super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended = True
        self.finish_handshake()
        if self._secured:
            super().connection_lost(exc)

    def abort(self) -> None:
        """End the connection at once."""
        self.finish_handshake()
        if self._plain is not None:
            self._plain.abort()
