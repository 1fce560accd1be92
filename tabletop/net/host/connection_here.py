"""The connection of a window to the host in its own process: no socket, and nothing encoded."""

import asyncio
from collections.abc import Callable

from tabletop.background.tasks import Tasks
from tabletop.engine.model import Reason
from tabletop.net.guest.reconnect_policy import BROKEN
from tabletop.net.host.connected_guest import GuestHere
from tabletop.net.host.host import Host
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import Farewell, FromGuest, FromHost
from tabletop.table.connection_events import Connected, Event, Lost


class ConnectionHere:
    """A connection to a host of this process, with the interface of a `Connection`."""

    def __init__(self, host: Host, place: Address, hear: Callable[[Event], None]) -> None:
        """`hear` is called in the host's loop with each event."""
        self.place = place
        self._host = host
        self._hear = hear
        self._loop: asyncio.AbstractEventLoop | None = None
        self._guest = GuestHere(self._pass_on)
        self._tasks = Tasks()
        self._closed = False

    def start(self) -> None:
        """Begin, in the host's loop."""
        self._loop = asyncio.get_running_loop()
        self._tasks.start(self._be_served(), lambda _: self._hear(Lost(BROKEN)))
        self._hear(Connected(self.place.fingerprint))

    def send(self, message: FromGuest) -> None:
        """Send a message; may be called from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._hand_in, message)

    def give_up(self, reason: Reason, shown: str) -> None:
        """Do nothing: the host of this process is the right one."""

    async def close(self) -> None:
        """End the connection for good."""
        self._closed = True
        await self._guest.close()
        await self._tasks.wait()

    async def _be_served(self) -> None:
        await self._host.serve_here(self._guest)
        if not self._closed:
            self._hear(Lost(BROKEN))

    def _hand_in(self, message: FromGuest) -> None:
        if not self._closed:
            self._guest.incoming.put_nowait(message)

    def _pass_on(self, message: FromHost) -> None:
        if self._closed:
            return
        self._hear(message)
        if isinstance(message, Farewell) and not message.back:  # as a `Connection`
            self._closed = True
            self._tasks.start(self._guest.close())
