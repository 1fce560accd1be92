"""A connected guest as its host knows it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from itertools import count
from time import time

from websockets.asyncio.server import ServerConnection

from tabletop.engine.model import Reason
from tabletop.net.host.guest_connection import GuestConnection
from tabletop.net.host.observer import UNREAD, HostObserver
from tabletop.net.limits import COME_IN, SAY_HELLO, LeakyBuckets, Limits, origin
from tabletop.net.message_writer import MessageWriter
from tabletop.protocol.codec import OutgoingMessage
from tabletop.protocol.messages import FromGuest, FromHost
from tabletop.table.hosted_table import HostedTable

log = logging.getLogger("tabletop.net")
_numbers = count(1)
MAPPED = "::ffff:"
"""The prefix of an IPv4 address where one socket listens for both kinds."""


class ConnectedGuest:
    """A guest as its host knows it: where it comes from, its table, and what it may still say."""

    def __init__(self, address: str) -> None:
        self.number = next(_numbers)
        """The number by which an operator names it."""
        self.since = time()
        self.address = address
        self.origin = origin(address)
        self._hosted: HostedTable | None = None
        self.greeted = False
        self.can_host = True
        self.ended = False
        """Whether its messages are ignored, as the connection is being closed."""
        self.queued = False
        """Whether it waits for a turn to try a code."""
        self.asked_to_host: tuple[str, int] | None = None
        """The table that it was asked to host on, and as the player at which seat."""

    @property
    def hosted(self) -> HostedTable | None:
        """The table it is at."""
        hosted = self._hosted
        return hosted if hosted is not None and self in hosted.guests else None

    @hosted.setter
    def hosted(self, hosted: HostedTable | None) -> None:
        self._hosted = hosted

    @property
    def knocks_at(self) -> HostedTable | None:
        """The table whose host is to let it in."""
        hosted = self._hosted
        return hosted if hosted is not None and self in hosted.lobby_queue else None

    def tell(self, message: FromHost) -> None:
        self.send(OutgoingMessage(message))

    def size_of(self, message: OutgoingMessage) -> int:
        """Return the bytes that sending `message` takes; 0 in this process."""
        raise NotImplementedError

    def send(self, message: OutgoingMessage) -> None:
        """Send a message after all before it."""
        raise NotImplementedError

    def excuse_message(self) -> None:
        """Don't count the last message against the guest's limit."""

    async def wait_for_allowance(self, drawn: LeakyBuckets) -> None:
        """Wait while this origin has received more than it may at once."""

    async def wait_closed(self) -> None:
        """Return once the connection has ended."""
        raise NotImplementedError

    async def close(self) -> None:
        """Close the connection, after all that was sent."""
        raise NotImplementedError


class SocketGuest(ConnectedGuest):
    """A guest at the other end of a WebSocket."""

    def __init__(self, line: GuestConnection, limits: Limits, observer: HostObserver) -> None:
        super().__init__(address_of(line))
        self.line = line
        self._outgoing = MessageWriter(line)
        self._observer = observer
        self._unread = limits.max_unsent_bytes
        self._outside = False
        """Whether it was at no table when that was looked at last."""
        self._patience: asyncio.TimerHandle | None = None

    def hurry(self, greeting: float, cut: Callable[[ConnectedGuest, Reason], None]) -> None:
        """Cut the guest off if it says nothing for this many seconds, or is at no table; by a
        timer, as a task would take ten times the memory."""
        loop = asyncio.get_running_loop()
        self._patience = loop.call_later(greeting, self._look, greeting, cut)

    def _look(self, greeting: float, cut: Callable[[ConnectedGuest, Reason], None]) -> None:
        at_none = self.hosted is None and self.knocks_at is None and not self.queued
        if not self.greeted:
            cut(self, SAY_HELLO)
        elif at_none and self._outside:
            cut(self, COME_IN)
        self._outside = at_none
        if not self.ended:
            self.hurry(greeting, cut)

    def leave(self) -> None:
        """Stop the timer and the sending: the connection has ended."""
        self._outgoing.stop()
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    async def wait_for_allowance(self, drawn: LeakyBuckets) -> None:
        """Wait while this origin has received more than it may at once."""
        while (wait := drawn.wait_s(self.origin)) and not self.ended:
            try:
                async with asyncio.timeout(wait):
                    await self.line.wait_closed()
            except TimeoutError:
                continue
            return

    def size_of(self, message: OutgoingMessage) -> int:
        return len(message.frame)

    def send(self, message: OutgoingMessage) -> None:
        self._outgoing.add(message.frame)
        if self._outgoing.unsent_bytes > self._unread:
            if not self.ended:
                self.ended = True
                self._observer.cut_off(UNREAD)
                log.warning("cut off address=%s why=%s", self.address, "reads nothing")
            self.line.transport.abort()

    def excuse_message(self) -> None:
        self.line.bucket.fill("", -1)

    async def wait_closed(self) -> None:
        await self.line.wait_closed()

    async def close(self) -> None:
        await self._outgoing.close()


class GuestHere(ConnectedGuest):
    """A guest in the host's own process: the window in which it hosts. Nothing is encoded."""

    def __init__(self, deliver: Callable[[FromHost], None]) -> None:
        """`deliver` is called in the host's loop with each message."""
        super().__init__("127.0.0.1")
        self.incoming: asyncio.Queue[FromGuest] = asyncio.Queue()
        self._deliver = deliver
        self._closed = asyncio.Event()

    def size_of(self, message: OutgoingMessage) -> int:
        return 0

    def send(self, message: OutgoingMessage) -> None:
        if not self._closed.is_set():
            self._deliver(message.message)

    async def wait_closed(self) -> None:
        await self._closed.wait()

    async def close(self) -> None:
        self._closed.set()


def address_of(line: ServerConnection) -> str:
    """A guest's address without the port; "" if it has gone already."""
    remote = line.remote_address
    return str(remote[0]).removeprefix(MAPPED) if remote else ""
