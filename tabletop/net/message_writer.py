"""A queue of outgoing messages for one WebSocket."""

import asyncio
from collections import deque
from contextlib import suppress

from websockets.asyncio.connection import Connection
from websockets.exceptions import ConnectionClosed

from tabletop.background.tasks import Tasks

CLOSE_TIMEOUT_S = 2.0
"""The seconds for sending queued messages when a connection closes."""


class MessageWriter:
    """Sends queued messages in order until the connection ends or `stop` is called."""

    def __init__(self, socket: Connection) -> None:
        self._socket = socket
        self._frames: deque[bytes] = deque()
        self._queued_bytes = 0
        self._added = asyncio.Event()
        self._task = Tasks().start(self._run())

    @property
    def unsent_bytes(self) -> int:
        """The number of queued bytes that haven't left this computer."""
        return self._queued_bytes + self._socket.transport.get_write_buffer_size()

    def add(self, frame: bytes) -> None:
        """Queue `frame`. It is dropped if the connection has ended."""
        self._frames.append(frame)
        self._queued_bytes += len(frame)
        self._added.set()

    def stop(self) -> None:
        """Stop sending. Queued messages stay unsent."""
        self._task.cancel()

    async def close(self) -> None:
        """Send queued messages within `CLOSE_TIMEOUT_S`, then close the connection."""
        self.stop()
        with suppress(ConnectionClosed, TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await self._flush()
        await self._socket.close()

    async def _run(self) -> None:
        with suppress(ConnectionClosed):
            while True:
                await self._added.wait()
                self._added.clear()
                await self._flush()

    async def _flush(self) -> None:
        while self._frames:
            frame = self._frames.popleft()
            self._queued_bytes -= len(frame)
            await self._socket.send(frame, text=True)
