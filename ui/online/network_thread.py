"""The network of the window: one thread of its own; what comes is handed to the window's thread."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal, SignalInstance

from tabletop.background import tasks, threads
from tabletop.background.faults import WENT_WRONG, ErrorHandler
from tabletop.background.tasks import Tasks
from tabletop.bots.bot_pool import BotPool
from tabletop.engine.model import Reason
from tabletop.files.errors import StorageError
from tabletop.lan.discovery import DiscoveredTable, Finder
from tabletop.lan.interfaces import addresses
from tabletop.net.guest.connection import Connection, ConnectionSettings
from tabletop.net.guest.dial import WrongCertificate, changed_certificate
from tabletop.net.guest.reconnect_policy import Destination
from tabletop.net.host.connection_here import ConnectionHere
from tabletop.net.host.finished_file import CLOSED_TABLES
from tabletop.net.host.host import Host
from tabletop.net.host.relocation import relocate_to_server
from tabletop.net.host.table_disk import put_away
from tabletop.net.limits import Limits
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import FromGuest
from tabletop.protocol.table_transfer import TableMoved
from tabletop.table.connection_events import Event
from tabletop.table.seats import new_token
from tabletop.table.services import NOT_NOW
from ui.online.host_watch import watch_for_hosts
from ui.shell.window_thread import call_in_gui_thread

if TYPE_CHECKING:
    from threading import Thread

log = logging.getLogger("tabletop")

OF_A_PERSON = Limits(takes_games=True, waiting=365 * 86400)
"""Only tables come that know the window's key; and an unfinished match waits for the next time that
its players meet, unless its owner forgets it."""
Query = Callable[[], Coroutine[Any, Any, object]]

PATIENCE = 5.0
"""Seconds that the network may take to end when the window closes."""


class QtConnection(QObject):
    """A connection as the window holds it, started at once: all its signals come in the window's
    thread."""

    heard = Signal(object)

    def __init__(self, network: NetworkThread, destination: Destination) -> None:
        super().__init__()
        self._network = network
        self._destination = destination
        self._count = 0
        """The number of lines so far; news of an earlier line is dropped."""
        self._line = self._begin(destination)

    @property
    def place(self) -> Address:
        """The host's present address; a table that moves takes its lines along."""
        return self._line.place

    def send(self, message: FromGuest) -> None:
        """Send a message, if connected."""
        self._line.send(message)

    def come_back(self, place: Address | None = None) -> None:
        """Come (back) at once, without waiting; `place`: there instead, as the first time."""
        self._network.run(self._line.close())
        if place is not None:  # somebody has agreed to the host there
            self._destination = replace(self._destination, place=place, others=(), sure=True)
            self._line = self._begin(self._destination)
        else:
            self._line = self._begin(replace(self._destination, place=self.place, returning=True))

    def give_up(self, reason: Reason, shown: str) -> None:
        """Try elsewhere, as of a `Connection`."""
        self._line.give_up(reason, shown)

    def close(self) -> None:
        """Cut the line; nothing is heard any more."""
        self._count += 1
        self._network.run(self._line.close())

    def _begin(self, destination: Destination) -> Connection | ConnectionHere:
        """Connect to a host: by a call, if it is in this process."""
        self._count += 1
        tell = partial(call_in_gui_thread(self._pass_on), self._count)
        place = destination.place
        host = self._network.host_at(place)
        line: Connection | ConnectionHere
        if host is not None:
            line = ConnectionHere(host, place, tell)
            self._network.call_soon(line.start)
            return line
        line = Connection(destination, tell, ConnectionSettings(is_limited=True))
        self._network.call_soon(line.start)
        return line

    def _pass_on(self, count: int, event: Event) -> None:
        if count != self._count:
            return
        self.heard.emit(event)
        if isinstance(event, TableMoved) and count == self._count:
            self._follow(Address(event.addresses, event.port, event.fingerprint))

    def _follow(self, place: Address) -> None:
        """Go to where the table has moved, to this computer's host or away from it. A connection to
        another computer follows by itself."""
        if isinstance(self._line, ConnectionHere) or self._network.host_at(place) is not None:
            self._network.run(self._line.close())
            self._line = self._begin(replace(self._destination, place=place, returning=True))


class Reachability(Struct, frozen=True):
    """The ways for others to reach a table that is hosted here, as far as known."""

    addresses: tuple[str, ...]
    port: int
    listed: bool
    """Whether the table is one that is announced, for somebody could still come to it."""
    trouble: str = ""
    """Why nothing can be announced, as the system puts it."""


class NetworkThread(QObject):
    """Begins its thread when something is first wanted of it."""

    hosting = Signal(object)
    """This computer has started to host: its Address, as seen from here."""
    failed = Signal(object)
    """This computer cannot host: the system's reason."""
    expecting = Signal(int, str, str)
    """A table may move here: the port, the fingerprint, the key that admits it."""
    arrived = Signal(str, str)
    """A table has moved here: its name, and its host's token."""
    reached = Signal(object)
    """The ways to reach a table hosted here: a Reach."""
    found = Signal(object)
    """All tables that announce themselves on the network now: a tuple of Found."""
    returned = Signal(str, object)
    """The host of this table, for which `watch_for` looked, is there again, at this Address."""
    unheard = Signal(object)
    """Why no announcements can be heard, a Reason; None once they can."""

    def __init__(self, folder: Path, bot_pool: BotPool | None = None) -> None:
        """`bot_pool` thinks for the bots of tables that are hosted here."""
        super().__init__()
        self.folder = folder
        self._bot_pool = bot_pool
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._host: Host | None = None
        self._finder: Finder | None = None
        self._tasks, self._watches = Tasks(), Tasks()
        self.key = new_token()
        """The key for opening tables at this computer's host, which this window alone knows."""

    @property
    def running(self) -> bool:
        return self._thread is not None

    def host_at(self, place: Address) -> Host | None:
        """Return this computer's host, if it is the one at this place."""
        host = self._host
        here = host is not None and host.certificate.fingerprint == place.fingerprint
        return host if here else None

    def host(self) -> None:
        """Host tables here; `hosting` or `failed` follows."""
        self.run(self._start_host(), self._not_hosting)

    def expect_table(self) -> None:
        """Host here, and let one table move here; then come `expecting` or `failed`, `arrived`."""
        self.run(self._expect_table(), self._not_hosting)

    def look(self) -> None:
        """Look for tables on the network, until `look_away`; `found` reports them."""
        self.run(self._look(), self._not_looking)

    def look_away(self) -> None:
        """Look for tables no more."""
        if self.running:
            self.run(self._look_away())

    def watch_for(self, wanted: Mapping[str, Sequence[Address]]) -> None:
        """Watch for the hosts of these tables alone, by table the places where its host was met;
        `returned` reports each."""
        if wanted or self.running:
            self.run(self._watch_for(wanted))

    def ask(self, place: Address, query: Query, take: Callable[..., None]) -> None:
        """Send a query to the server at this place. `take`, a method, is called in the window's
        thread with the place and the answer, a ChangedCertificate, or after a fault a Reason."""
        tell = partial(call_in_gui_thread(take), place)

        async def answer() -> None:
            try:
                tell(await query())
            except WrongCertificate as error:
                tell(changed_certificate(place, error.found))

        self.run(answer(), lambda _: tell(WENT_WRONG))

    def ask_reach(self, table: str) -> None:
        """Find out how a table hosted here can be reached; `reached` follows."""
        self.run(self._tell_reach(table))

    def close_table(self, table: str) -> None:
        """Close a table hosted here, whether the host runs or not; everybody there is notified."""
        self.run(self._close_table(table))

    def run(self, work: Coroutine[Any, Any, Any], failed: ErrorHandler | None = None) -> None:
        """Run a coroutine in the network's thread; `failed` is called there after a fault."""
        self.call_soon(partial(self._tasks.start, work, failed))

    def call_soon(self, act: Callable[[], object]) -> None:
        """Call a function in the network's thread."""
        self._running_loop().call_soon_threadsafe(act)

    def close(self) -> None:
        """End everything; returns once the thread has ended, or will not."""
        loop, thread = self._loop, self._thread
        if loop is None or thread is None:
            return
        self._loop, self._thread = None, None
        try:
            tasks.run_in_other_loop(self._end_network(), loop, PATIENCE)
        except Exception as error:  # even if the network hangs, the window closes
            log.warning("The network did not end cleanly: %r", error)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(PATIENCE)

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        """The loop of the thread, started the first time."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threads.start(partial(self._run_loop, self._loop), "network")
        return self._loop

    @staticmethod
    def _run_loop(loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        tasks.report_callback_faults(loop)
        loop.run_forever()
        loop.close()

    async def _start_host(self) -> None:
        host = await self._listening_host()
        if host is not None:
            place = Address(("127.0.0.1", "::1"), host.port, host.certificate.fingerprint)
            self._emit(self.hosting, place)

    async def _listening_host(self) -> Host | None:
        """The host of this computer, listening; None where it cannot be, which is reported."""
        try:
            if self._host is None:
                host = Host(
                    self.folder,
                    key=self.key,
                    announced=True,
                    bot_pool=self._bot_pool,
                    limits=OF_A_PERSON,
                )
                await host.start()
                self._host = host
        except (OSError, StorageError) as error:
            self._not_hosting(error)
        return self._host

    def _not_hosting(self, error: Exception) -> None:
        match error:
            case StorageError():
                why = error.reason
            case OSError(strerror=str(said)):
                why = Reason(said)
            case _:
                why = WENT_WRONG
        self._emit(self.failed, why)

    async def _expect_table(self) -> None:
        host = await self._listening_host()
        if host is not None:
            key = host.registry.incoming.expect(self.arrived.emit)
            self._emit(self.expecting, host.port, host.certificate.fingerprint, key)

    async def _tell_reach(self, table: str) -> None:
        host = self._host
        if host is not None:
            listed = any(table == each.table for each in host.registry.joinable_tables())
            self._emit(self.reached, Reachability(addresses(), host.port, listed, host.unannounced))

    async def move_table(self, table: str, place: Address, key: str) -> Reason | None:
        """Move a table that is hosted here to a server; return why it isn't moved (`ask`)."""
        host = self._host
        if host is None or table not in host.hosted_tables:
            return NOT_NOW
        return await relocate_to_server(host.registry, host.hosted_tables[table], place, key)

    @staticmethod
    def _emit(signal: SignalInstance, *news: object) -> None:
        with suppress(RuntimeError):  # the window is gone meanwhile
            signal.emit(*news)

    async def _close_table(self, table: str) -> None:
        if self._host is None:
            await tasks.run_in_thread(
                partial(put_away, self.folder, table, self.folder / CLOSED_TABLES)
            )
        elif table in self._host.registry.tables:
            self._host.registry.remove(table)

    async def _look(self) -> None:
        if self._finder is not None:
            return
        self._finder = finder = Finder(self._tell_found, self._tell_unheard)
        await finder.start()

    async def _watch_for(self, wanted: Mapping[str, Sequence[Address]]) -> None:
        await self._watches.cancel()
        if wanted:
            self._watches.start(watch_for_hosts(wanted, partial(self._emit, self.returned)))

    def _not_looking(self, error: Exception) -> None:
        """Whoever looks again has another try."""
        self._emit(self.unheard, WENT_WRONG)
        finder, self._finder = self._finder, None
        if finder is not None:
            self._tasks.start(finder.close())

    async def _look_away(self) -> None:
        finder, self._finder = self._finder, None
        if finder is not None:
            await finder.close()

    def _tell_found(self, tables: tuple[DiscoveredTable, ...]) -> None:
        self._emit(self.found, tables)

    def _tell_unheard(self, why: str) -> None:
        if why:
            log.info("No tables can be looked for here: %s", why)
        self._emit(self.unheard, Reason(why) if why else None)

    async def _end_network(self) -> None:
        await self._look_away()
        if self._host is not None:
            await self._host.close()
        current = asyncio.current_task()
        rest = [task for task in asyncio.all_tasks() if task is not current]
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
