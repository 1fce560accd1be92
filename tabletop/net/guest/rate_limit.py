"""A guest's rate limit for messages from its host.

Excess notices and chat messages are dropped. All other messages are delayed, so
they pile up at the host, which disconnects guests that read too slowly. A
flooding host therefore hurts only its own table.
"""

import asyncio

from tabletop.engine.model import Reason
from tabletop.net.limits import LeakyBuckets
from tabletop.protocol.messages import ChatLine, FromHost, Notice

FLOOD = Reason("Too many messages from the host. Some were left out.")

MIN_COUNTED_BYTES = 16 * 1024
"""The minimum size that each message counts for, because even a small one takes time to show."""
BYTES_PER_S = 1024 * 1024
BURST_BYTES = 16 * 1024 * 1024
TEXTS_PER_S = 5
BURST_TEXTS = 60


class IncomingRateLimiter:
    """The rate limiter of one connection."""

    def __init__(self) -> None:
        self._bytes_bucket = LeakyBuckets(BYTES_PER_S, BURST_BYTES)
        self._texts_bucket = LeakyBuckets(TEXTS_PER_S, BURST_TEXTS - 1)
        self._has_warned = False

    async def throttle(self, size_bytes: int) -> None:
        """Sleep for as long as a message of `size_bytes` must delay the next one."""
        self._bytes_bucket.fill("", max(size_bytes, MIN_COUNTED_BYTES))
        await asyncio.sleep(self._bytes_bucket.wait_s(""))

    def filter(self, message: FromHost) -> FromHost | None:
        """Return `message`, or None if it is a notice or chat message over the limit.

        The first dropped message is replaced with a warning.
        """
        if not isinstance(message, ChatLine | Notice) or self._texts_bucket.try_fill():
            return message
        first, self._has_warned = not self._has_warned, True
        return Notice(FLOOD) if first else None
