"""A rate limit for the frames that a server receives over one WebSocket.

websockets itself answers pings, drops pongs and joins fragments, so a program sees
only whole messages. This module counts each frame while it is parsed. One read
from the network may contain forty thousand frames.
"""

from typing import Any

from websockets.exceptions import ProtocolError
from websockets.frames import CloseCode, Frame
from websockets.protocol import State
from websockets.server import ServerProtocol

from tabletop.net.limits import TOO_FAST, LeakyBuckets


class FrameLimitProtocol(ServerProtocol):
    """The server side of a WebSocket, which closes the
    connection at the first frame over the limit.
    """

    def __init__(self, bucket: LeakyBuckets, farewell: bytes = b"", **settings: Any) -> None:
        """Args:
        bucket: The leaky bucket that counts the connection's frames, with the key "".
        farewell: A text message to send before the close frame.
        settings: The other arguments of `ServerProtocol`.
        """
        super().__init__(**settings)
        self.bucket = bucket
        self.is_flooded = False
        """Whether the connection was closed because of too many frames."""
        self._farewell = farewell

    def recv_frame(self, frame: Frame) -> None:
        if not self.bucket.try_fill():
            self.is_flooded = True
            if self._farewell and self.state is State.OPEN:
                self.send_text(self._farewell)
            self.fail(CloseCode.POLICY_VIOLATION, TOO_FAST.text)
            raise ProtocolError(TOO_FAST.text)  # ends the parser
        super().recv_frame(frame)
