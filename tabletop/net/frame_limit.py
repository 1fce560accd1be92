"""The limit on the frames that a server receives over one WebSocket, of whatever kind.

websockets answers pings, drops pongs and collects the pieces of messages by itself, so a program
can count only whole messages. Here each frame counts while it is parsed: one read from the network
may hold forty thousand of them.
"""

from typing import Any

from websockets.exceptions import ProtocolError
from websockets.frames import CloseCode, Frame
from websockets.protocol import State
from websockets.server import ServerProtocol

from tabletop.net.limits import TOO_FAST, LeakyBuckets


class FrameLimitProtocol(ServerProtocol):
    """A server's end of a WebSocket that fails at the first frame beyond its limit."""

    def __init__(self, bucket: LeakyBuckets, farewell: bytes = b"", **settings: Any) -> None:
        """`bucket` holds one connection's frames under "". `farewell`: the text to send before the
        close frame. `settings`: as of a `ServerProtocol`."""
        super().__init__(**settings)
        self.bucket = bucket
        self.is_flooded = False
        """Whether the connection failed because of too many frames."""
        self._farewell = farewell

    def recv_frame(self, frame: Frame) -> None:
        if not self.bucket.try_fill():
            self.is_flooded = True
            if self._farewell and self.state is State.OPEN:
                self.send_text(self._farewell)
            self.fail(CloseCode.POLICY_VIOLATION, TOO_FAST.text)
            raise ProtocolError(TOO_FAST.text)  # ends the parser
        super().recv_frame(frame)
