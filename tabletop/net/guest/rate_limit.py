"""Rate limit of a guest for its host's messages: no faster than a window can show them.

Too many notices and lines of chat are dropped. All other messages wait, and so pile up at the host,
which cuts off a guest that reads too slowly: its own table alone suffers.
"""

import asyncio

from tabletop.engine.model import Reason
from tabletop.net.limits import LeakyBuckets
from tabletop.protocol.messages import ChatLine, FromHost, Notice

FLOOD = Reason("Too many messages from the host. Some were left out.")

LEAST = 16 * 1024
"""Bytes that a message counts for, however small it is: it is shown all the same."""
A_SECOND = 1024 * 1024
AT_ONCE = 16 * 1024 * 1024
PASSING_A_SECOND = 5
PASSING_AT_ONCE = 60


class IncomingLimit:
    """The limit of one connection."""

    def __init__(self) -> None:
        self._heard = LeakyBuckets(A_SECOND, AT_ONCE)
        self._passing = LeakyBuckets(PASSING_A_SECOND, PASSING_AT_ONCE - 1)
        self._flooded = False

    async def wait_after(self, size: int) -> None:
        """Wait until the next message may be read after one of this many bytes."""
        self._heard.fill("", max(size, LEAST))
        await asyncio.sleep(self._heard.wait(""))

    def admit(self, message: FromHost) -> FromHost | None:
        """Return the message, or what is shown instead of it: one sentence, then nothing."""
        if not isinstance(message, ChatLine | Notice) or self._passing.take():
            return message
        first, self._flooded = not self._flooded, True
        return Notice(FLOOD) if first else None
