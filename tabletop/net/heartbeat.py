"""Heartbeat: both ends of a connection notice a dead one within seconds.

Any received data is a sign of life. An end sends a ping of the WebSocket only while nothing else
goes over the connection, and cuts it if no answer comes. The guest pings a little sooner than the
host, so that only one of them does, and its ping is the host's sign of life.
"""

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar, Literal

from msgspec import Struct
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.connection import Connection
from websockets.asyncio.server import ServerConnection
from websockets.protocol import State

Step = Literal["wait", "ask", "cut"]


class Heartbeat(Struct, frozen=True):
    """The limits of a connection's silence, in seconds."""

    quiet: float
    """Until a sign of life is asked for."""
    gone: float
    """Until it is cut."""


OF_HOST = Heartbeat(4, 8)
OF_GUEST = Heartbeat(3, 8)


class Pulse:
    """The silence of one connection, and the step it calls for. No sockets, any clock."""

    def __init__(self, heartbeat: Heartbeat, clock: Callable[[], float]) -> None:
        self._heartbeat = heartbeat
        self._clock = clock
        self._received = self._sent = clock()
        self._asked: float | None = None
        """Since when an answer is missing."""

    def received(self) -> None:
        """Note that something was received."""
        self._received = self._clock()
        self._asked = None

    def sent(self) -> None:
        """Note that something was sent."""
        self._sent = self._clock()

    def look(self) -> tuple[Step, float]:
        """Return the step to take now, and the seconds until the next look.

        A line is cut only some time after it was asked: a computer that itself stood still for long
        has asked nobody meanwhile.
        """
        now, quiet = self._clock(), self._heartbeat.quiet
        patience = self._heartbeat.gone - quiet
        if self._asked is not None:
            left = self._asked + patience - now
            return ("wait", left) if left > 0 else ("cut", 0)
        left = min(self._received, self._sent) + quiet - now
        if left > 0:
            return "wait", left
        self._asked = self._sent = now
        return "ask", min(quiet, patience)


class _Beating(Connection):
    heartbeat: ClassVar[Heartbeat]

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._pulse = Pulse(self.heartbeat, self.loop.time)
        self._next: asyncio.TimerHandle | None = None
        self._unsent = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._look()

    def data_received(self, data: bytes) -> None:
        self._pulse.received()
        super().data_received(data)

    def send_data(self) -> None:
        if self.protocol.writes:
            self._pulse.sent()
        super().send_data()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._next is not None:
            self._next.cancel()
            self._next = None
        super().connection_lost(exc)

    def _look(self) -> None:
        unsent = self.transport.get_write_buffer_size()
        if unsent < self._unsent or not self.transport.is_reading():
            self._pulse.received()  # it takes what is sent; or it is this end that does not listen
        self._unsent = unsent
        step, seconds = self._pulse.look()
        if step == "cut":
            self.transport.abort()
            return
        if step == "ask" and self.protocol.state is State.OPEN:
            self.protocol.send_ping(b"")
            self.send_data()
        self._next = self.loop.call_later(seconds, self._look)


class HostLine(_Beating, ServerConnection):
    """A guest's connection at the host."""

    heartbeat = OF_HOST


class GuestLine(_Beating, ClientConnection):
    """The connection to a host at the guest."""

    heartbeat = OF_GUEST
