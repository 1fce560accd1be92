"""Outgoing messages of one table, each held back until what was written before it is safe."""

from asyncio import Future, get_running_loop
from collections import deque
from collections.abc import Callable
from functools import partial

from tabletop.background import faults
from tabletop.files.errors import StorageError
from tabletop.protocol.codec import OutgoingMessage
from tabletop.table.seats import Peer


class Outbox:
    """Counts the writes of a table, and acts once they are safe on the disk."""

    def __init__(self) -> None:
        self._written = 0
        self._safe = 0
        self.held: deque[tuple[int, Callable[[], None]]] = deque()
        """Actions that wait, each until this many writes are safe."""
        self._awaited: set[Future[None]] = set()

    @property
    def settled(self) -> bool:
        """Whether all that was written is safe."""
        return self._safe == self._written

    def post(self, peer: Peer, message: OutgoingMessage) -> None:
        """Send a message once all that was written so far is safe."""
        self.when_safe(partial(peer.send, message))

    def when_safe(self, act: Callable[[], None]) -> None:
        """Call `act` once all that was written so far is safe."""
        if self.settled:
            act()
        else:
            self.held.append((self._written, act))

    async def all_safe(self) -> None:
        """Return once all that was written so far is safe.

        Raises:
            StorageError: the disk refused it.
        """
        safe: Future[None] = get_running_loop().create_future()
        self._awaited.add(safe)
        self.when_safe(lambda: None if safe.done() else safe.set_result(None))
        try:
            await safe
        finally:
            self._awaited.discard(safe)

    def count_write(self) -> None:
        """Note that another write has started."""
        self._written += 1

    def count_safe(self, writes: int) -> None:
        """Note that this many more writes are safe, and release what waited for them."""
        self._safe += writes
        while self.held and self.held[0][0] <= self._safe:
            faults.guarded(self.held.popleft()[1], "what waited for the disk")

    def refuse(self, trouble: StorageError) -> None:
        """Fail all awaited writes, as the disk refused."""
        for safe in self._awaited:
            if not safe.done():
                safe.set_exception(trouble)

    def clear(self) -> None:
        """Drop what is held back, and what was written before it."""
        self.held.clear()
        self._written = self._safe = 0
