"""The websocket to a browser, as uvicorn speaks it."""

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

from tabletop.net.frame_limit import FrameLimitProtocol
from tabletop.net.limits import LeakyBuckets

FRAMES_PER_S, FRAME_BURST = 40, 200
"""Frames of one browser, twice its messages (`browser_socket.A_SECOND`)."""

CLOSE_TIMEOUT_S = 10.0
"""Seconds that a browser may take to read the rest of a closing connection."""


class CompressedWebSocket(WebSocketsSansIOProtocol):
    """A websocket that is compressed with the whole window of 32 KB, and fails at a flood.

    A page differs little from the one before, and both fit into it: a move costs a few hundred
    bytes. uvicorn's own window of 4 KB would send the whole page each time.
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
        if self.conn.close_sent is None:  # no handshake yet: there is no frame to refuse it with
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
        """Abort the closing connection of a browser that doesn't read the rest.

        asyncio waits for it without a timeout, and the connection isn't counted any more.
        """
        self.loop.call_later(CLOSE_TIMEOUT_S, self.transport.abort)
