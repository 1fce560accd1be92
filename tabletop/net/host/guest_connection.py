"""A guest's connection to a host, which is counted even before its handshake."""

import asyncio
from typing import Any, ClassVar

from websockets.asyncio.server import ServerConnection
from websockets.server import ServerProtocol

from tabletop.net.deferred_tls import DeferredTlsProtocol
from tabletop.net.frame_limit import FrameLimitProtocol
from tabletop.net.host.pre_handshake_limiter import PreHandshakeLimiter
from tabletop.net.limits import TOO_FAST, LeakyBuckets, Limits, origin
from tabletop.net.message_writer import CLOSE_TIMEOUT_S
from tabletop.protocol.codec import encode
from tabletop.protocol.messages import Farewell

_FAREWELL = encode(Farewell(TOO_FAST))


class GuestConnection(DeferredTlsProtocol, ServerConnection):
    """A guest's connection with a limit on its frames.

    A host sets the class attributes in a subclass.
    """

    limits: ClassVar[Limits]
    limiter: ClassVar[PreHandshakeLimiter]
    shutdown_timeout_s = CLOSE_TIMEOUT_S

    def __init__(self, protocol: ServerProtocol, *args: Any, **settings: Any) -> None:
        """`protocol`: gives its settings to a protocol that counts frames,
        because websockets has no option for that.
        """
        limits = self.limits
        self.bucket = LeakyBuckets(limits.messages_per_s, limits.message_burst - 1)
        """A leaky bucket for received frames, with the key ""."""
        counting = FrameLimitProtocol(
            self.bucket,
            _FAREWELL,
            max_size=protocol.max_message_size,
            logger=protocol.logger,
        )
        super().__init__(counting, *args, **settings)
        self.handshake_timeout_s = limits.greeting_timeout_s
        self._deadline: asyncio.TimerHandle | None = None

    def on_accepted(self, plain: asyncio.Transport) -> None:
        self.start_deadline()
        self.try_admit(peer_address(plain))

    def start_deadline(self) -> None:
        """Abort the connection unless the TLS and WebSocket handshakes finish in time."""
        self._deadline = self.loop.call_later(self.limits.greeting_timeout_s, self.abort)

    def try_admit(self, address: str) -> None:
        """Admit the connection, or abort it if the limits allow no more from `address`."""
        if self.limiter.try_add(self, origin(address)):
            self.admit()
        else:
            self.abort()

    def finish_handshake(self) -> None:
        """Stop counting the connection as early. From then on, the host counts its guest."""
        self.limiter.remove(self)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def connection_lost(self, exc: Exception | None) -> None:
        self.finish_handshake()
        super().connection_lost(exc)

    def abort(self) -> None:
        """Close the connection immediately."""
        self.finish_handshake()
        super().abort()

    @property
    def is_flooded(self) -> bool:
        """Whether the connection was closed because of too many frames."""
        assert isinstance(self.protocol, FrameLimitProtocol)
        return self.protocol.is_flooded


def peer_address(plain: asyncio.Transport) -> str:
    """Return the peer's IP address; "" if the connection has ended."""
    peer = plain.get_extra_info("peername")
    return str(peer[0]) if peer else ""
