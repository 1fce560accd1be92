"""Messages that go out over one connection, each after those before it."""

import asyncio
from collections import deque
from contextlib import suppress

from websockets.asyncio.connection import Connection
from websockets.exceptions import ConnectionClosed

from tabletop.background.tasks import Tasks

PARTING = 2.0
"""Seconds that the end of a connection may take."""


class MessageWriter:
    """The messages of one connection; they are sent until it ends, or `stop`."""

    def __init__(self, line: Connection) -> None:
        self._line = line
        self._frames: deque[bytes] = deque()
        self._size = 0
        """Their bytes."""
        self._added = asyncio.Event()
        self._task = Tasks().start(self._run())

    @property
    def unsent(self) -> int:
        """Bytes that the other end has not taken."""
        return self._size + self._line.transport.get_write_buffer_size()

    def add(self, frame: bytes) -> None:
        """Send a message after all before it; it is lost if the connection has ended."""
        self._frames.append(frame)
        self._size += len(frame)
        self._added.set()

    def stop(self) -> None:
        """Send nothing more."""
        self._task.cancel()

    async def close(self) -> None:
        """Close the connection, after all that was added."""
        self.stop()
        with suppress(ConnectionClosed, TimeoutError):
            async with asyncio.timeout(PARTING):
                await self._send()
        await self._line.close()

    async def _run(self) -> None:
        with suppress(ConnectionClosed):
            while True:
                await self._added.wait()
                self._added.clear()
                await self._send()

    async def _send(self) -> None:
        while self._frames:
            frame = self._frames.popleft()
            self._size -= len(frame)
            await self._line.send(frame, text=True)
