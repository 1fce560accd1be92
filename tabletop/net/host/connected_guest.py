"""A connected guest from the host's point of view."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from itertools import count
from time import time

from websockets.asyncio.server import ServerConnection

from tabletop.engine.model import Reason
from tabletop.net.host.guest_connection import GuestConnection
from tabletop.net.host.observer import NOT_READING, HostObserver
from tabletop.net.limits import COME_IN, SAY_HELLO, LeakyBuckets, Limits, origin
from tabletop.net.message_writer import MessageWriter
from tabletop.protocol.codec import OutgoingMessage
from tabletop.protocol.messages import FromGuest, FromHost
from tabletop.table.hosted_table import HostedTable

log = logging.getLogger("tabletop.net")
_numbers = count(1)
MAPPED_IPV4_PREFIX = "::ffff:"
"""The prefix of IPv4 addresses on a socket that accepts both IP versions."""


class ConnectedGuest:
    """A connected guest: its origin, its table and the state of its connection."""

    def __init__(self, address: str) -> None:
        self.number = next(_numbers)
        """The number by which the server's operator refers to the guest."""
        self.connected_at = time()
        self.address = address
        self.origin = origin(address)
        self._hosted: HostedTable | None = None
        self.is_greeted = False
        self.can_host = True
        self.is_closing = False
        """Whether the connection is being closed, so that further messages are ignored."""
        self.is_queued = False
        """Whether the guest is waiting for a turn to try a code."""
        self.asked_to_host: tuple[str, int] | None = None
        """The table that the guest was asked to take over, and the guest's seat there."""

    @property
    def hosted(self) -> HostedTable | None:
        """The table that the guest is at."""
        hosted = self._hosted
        return hosted if hosted is not None and self in hosted.guests else None

    @hosted.setter
    def hosted(self, hosted: HostedTable | None) -> None:
        self._hosted = hosted

    @property
    def knocked_table(self) -> HostedTable | None:
        """The table whose host has yet to admit the guest."""
        hosted = self._hosted
        return hosted if hosted is not None and self in hosted.lobby_queue else None

    def send_message(self, message: FromHost) -> None:
        self.send(OutgoingMessage(message))

    def size_bytes(self, message: OutgoingMessage) -> int:
        """Return the traffic that sending `message` causes; 0 within this process."""
        raise NotImplementedError

    def send(self, message: OutgoingMessage) -> None:
        """Queue `message` after all earlier ones."""
        raise NotImplementedError

    def uncount_message(self) -> None:
        """Take the latest message off the guest's message limit."""

    async def wait_for_allowance(self, drawn: LeakyBuckets) -> None:
        """Wait while the guest's origin is over its traffic limit."""

    async def wait_closed(self) -> None:
        """Wait until the connection has ended."""
        raise NotImplementedError

    async def close(self) -> None:
        """Send all queued messages, then close the connection."""
        raise NotImplementedError


class SocketGuest(ConnectedGuest):
    """A guest at the other end of a WebSocket."""

    def __init__(self, socket: GuestConnection, limits: Limits, observer: HostObserver) -> None:
        super().__init__(address_of(socket))
        self.socket = socket
        self._writer = MessageWriter(socket)
        self._observer = observer
        self._max_unsent_bytes = limits.max_unsent_bytes
        self._was_outside = False
        """Whether the guest wasn't at any table at the last idle check."""
        self._idle_timer: asyncio.TimerHandle | None = None

    def start_idle_timer(
        self, timeout_s: float, cut_off: Callable[[ConnectedGuest, Reason], None]
    ) -> None:
        """Call `cut_off` if the guest hasn't sent its greeting within `timeout_s`, or then joined a
        table within another `timeout_s`.

        This uses a timer, because a task would take ten times the memory.
        """
        loop = asyncio.get_running_loop()
        self._idle_timer = loop.call_later(timeout_s, self._check_idle, timeout_s, cut_off)

    def _check_idle(
        self, timeout_s: float, cut_off: Callable[[ConnectedGuest, Reason], None]
    ) -> None:
        at_none = self.hosted is None and self.knocked_table is None and not self.is_queued
        if not self.is_greeted:
            cut_off(self, SAY_HELLO)
        elif at_none and self._was_outside:
            cut_off(self, COME_IN)
        self._was_outside = at_none
        if not self.is_closing:
            self.start_idle_timer(timeout_s, cut_off)

    def stop(self) -> None:
        """Stop the timer and the outgoing queue after the connection has ended."""
        self._writer.stop()
        if self._idle_timer is not None:
            self._idle_timer.cancel()
            self._idle_timer = None

    async def wait_for_allowance(self, drawn: LeakyBuckets) -> None:
        """Wait while the guest's origin is over its traffic limit, or until the connection ends."""
        while (wait := drawn.wait_s(self.origin)) and not self.is_closing:
            try:
                async with asyncio.timeout(wait):
                    await self.socket.wait_closed()
            except TimeoutError:
                continue
            return

    def size_bytes(self, message: OutgoingMessage) -> int:
        return len(message.frame)

    def send(self, message: OutgoingMessage) -> None:
        self._writer.add(message.frame)
        if self._writer.unsent_bytes > self._max_unsent_bytes:
            if not self.is_closing:
                self.is_closing = True
                self._observer.on_cut_off(NOT_READING)
                log.warning("cut off address=%s why=%s", self.address, "reads nothing")
            self.socket.transport.abort()

    def uncount_message(self) -> None:
        self.socket.bucket.fill("", -1)

    async def wait_closed(self) -> None:
        await self.socket.wait_closed()

    async def close(self) -> None:
        await self._writer.close()


class LocalGuest(ConnectedGuest):
    """A guest in the host's own process: the window of the user who hosts.

    Messages aren't encoded.
    """

    def __init__(self, deliver: Callable[[FromHost], None]) -> None:
        """`deliver`: called in the host's loop with each message."""
        super().__init__("127.0.0.1")
        self.incoming: asyncio.Queue[FromGuest] = asyncio.Queue()
        self._deliver = deliver
        self._closed = asyncio.Event()

    def size_bytes(self, message: OutgoingMessage) -> int:
        return 0

    def send(self, message: OutgoingMessage) -> None:
        if not self._closed.is_set():
            self._deliver(message.message)

    async def wait_closed(self) -> None:
        await self._closed.wait()

    async def close(self) -> None:
        self._closed.set()


def address_of(socket: ServerConnection) -> str:
    """Return a guest's IP address; "" if the connection has ended."""
    remote = socket.remote_address
    return str(remote[0]).removeprefix(MAPPED_IPV4_PREFIX) if remote else ""
