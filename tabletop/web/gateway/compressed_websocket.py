"""WebSocket protocol for browsers: compresses with a large window, and
limits the rate of frames.
"""

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

from tabletop.net.frame_limit import FrameLimitProtocol
from tabletop.net.limits import LeakyBuckets

FRAMES_PER_S, FRAME_BURST = 40, 200
"""The rate limit for frames from one browser, twice the limit for messages (`browser_socket`)."""

CLOSE_TIMEOUT_S = 10.0
"""How long a browser may take to read the rest of a closing connection, in seconds."""


class CompressedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket that compresses with a window of 32 KB, and closes if the
    browser sends too many frames.

    A page differs little from the previous one, and both fit into the window, so a move costs a few
    hundred bytes. With uvicorn's window of 4 KB each page would be sent in full.
    """

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self.conn = FrameLimitProtocol(
            LeakyBuckets(FRAMES_PER_S, FRAME_BURST - 1),
            extensions=[ServerPerMessageDeflateFactory(compress_settings={"memLevel": 5})],
            max_size=self.config.ws_max_size,
            logger=self.conn.logger,
        )

    def handle_parser_exception(self) -> None:
        if self.conn.close_sent is None:  # a refusal frame needs a completed handshake
            self.transport.abort()
            return
        super().handle_parser_exception()
        self._abort_soon()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._abort_soon()

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self._abort_soon()

    def _abort_soon(self) -> None:
        """Abort the closing connection after a timeout, in case the browser doesn't read the rest.

        asyncio would wait forever, and `OpenConnections` no longer counts the connection.
        """
        self.loop.call_later(CLOSE_TIMEOUT_S, self.transport.abort)
