"""A window's connection to the host in its own process, without sockets or encoding."""

import asyncio
from collections.abc import Callable

from tabletop.background.tasks import Tasks
from tabletop.engine.model import Reason
from tabletop.net.guest.reconnect_policy import CONNECTION_LOST
from tabletop.net.host.connected_guest import LocalGuest
from tabletop.net.host.host import Host
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import Farewell, FromGuest, FromHost
from tabletop.table.connection_events import Connected, Event, Lost


class LocalConnection:
    """A connection to a host in this process, with the interface of `Connection`."""

    def __init__(self, host: Host, address: Address, on_event: Callable[[Event], None]) -> None:
        """`on_event`: called in the host's loop with each event."""
        self.address = address
        self._host = host
        self._on_event = on_event
        self._loop: asyncio.AbstractEventLoop | None = None
        self._guest = LocalGuest(self._on_message)
        self._tasks = Tasks()
        self._closed = False

    def start(self) -> None:
        """Start the connection. Call it in the host's loop."""
        self._loop = asyncio.get_running_loop()
        self._tasks.start(self._serve(), lambda _: self._on_event(Lost(CONNECTION_LOST)))
        self._on_event(Connected(self.address.fingerprint))

    def send(self, message: FromGuest) -> None:
        """Send `message`. Safe to call from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._deliver, message)

    def reject_host(self, reason: Reason, shown: str) -> None:
        """Do nothing: the host in this process is the right one."""

    async def close(self) -> None:
        """Close the connection."""
        self._closed = True
        await self._guest.close()
        await self._tasks.wait()

    async def _serve(self) -> None:
        await self._host.serve_local(self._guest)
        if not self._closed:
            self._on_event(Lost(CONNECTION_LOST))

    def _deliver(self, message: FromGuest) -> None:
        if not self._closed:
            self._guest.incoming.put_nowait(message)

    def _on_message(self, message: FromHost) -> None:
        if self._closed:
            return
        self._on_event(message)
        if isinstance(message, Farewell) and not message.back:  # as in `Connection`
            self._closed = True
            self._tasks.start(self._guest.close())
