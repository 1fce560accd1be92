"""A guest's connection to a host, each of whose frames counts."""

from typing import Any, ClassVar

from websockets.asyncio.server import ServerConnection
from websockets.server import ServerProtocol

from tabletop.net.frame_limit import FrameLimitProtocol
from tabletop.net.limits import TOO_FAST, LeakyBuckets, Limits
from tabletop.protocol.codec import encode
from tabletop.protocol.messages import Farewell

_FAREWELL = encode(Farewell(TOO_FAST))


class GuestConnection(ServerConnection):
    """The connection of a guest. A host gives its subclass the class attributes."""

    limits: ClassVar[Limits]

    def __init__(self, protocol: ServerProtocol, *args: Any, **settings: Any) -> None:
        """`protocol`: replaced by one that counts frames, as websockets can't be told of it."""
        limits = self.limits
        self.bucket = LeakyBuckets(limits.messages_a_second, limits.burst - 1)
        """The frames received lately, those of messages included."""
        counting = FrameLimitProtocol(
            self.bucket,
            _FAREWELL,
            max_size=protocol.max_message_size,
            logger=protocol.logger,
        )
        super().__init__(counting, *args, **settings)

    @property
    def flooded(self) -> bool:
        """Whether it ended because of too many frames."""
        assert isinstance(self.protocol, FrameLimitProtocol)
        return self.protocol.flooded
