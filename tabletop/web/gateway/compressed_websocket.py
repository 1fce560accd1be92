"""The websocket to a browser, as uvicorn speaks it."""

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory


class CompressedWebSocket(WebSocketsSansIOProtocol):
    """A websocket that is compressed with the whole window of 32 KB.

    A page differs little from the one before, and both fit into it: a move costs a few hundred
    bytes. uvicorn's own window of 4 KB would send the whole page each time.
    """

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self.conn.available_extensions = [
            ServerPerMessageDeflateFactory(compress_settings={"memLevel": 5})
        ]
