"""The network thread of the GUI, for connections, this computer's host and discovery.

The thread starts on first use. Everything it reports reaches Qt objects in the GUI thread.
"""

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
from tabletop.net.guest.dial import WrongCertificate, certificate_changed_event
from tabletop.net.guest.reconnect_policy import Destination
from tabletop.net.host.connection_here import LocalConnection
from tabletop.net.host.finished_file import CLOSED_TABLES
from tabletop.net.host.host import Host
from tabletop.net.host.relocation import relocate_to_server
from tabletop.net.host.table_disk import archive_table
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

HOME_HOST_LIMITS = Limits(accepts_games=True, unfinished_table_lifetime_s=365 * 86400)
"""The limits of this computer's host, where only this program can open tables.

An unfinished match waits a year for its players, unless its owner discards it.
"""
Query = Callable[[], Coroutine[Any, Any, object]]

SHUTDOWN_TIMEOUT_S = 5.0
"""The maximum time in seconds for which closing the window waits for the network thread."""


class QtConnection(QObject):
    """A connection to a table's host that emits its events as signals in the GUI thread.

    The connection is started when the object is created.
    """

    event_received = Signal(object)
    """The connection has reported an `Event`."""

    def __init__(self, network: NetworkThread, destination: Destination) -> None:
        super().__init__()
        self._network = network
        self._destination = destination
        self._generation = 0
        """The number of connections started so far, used to drop events of earlier ones."""
        self._connection = self._begin(destination)

    @property
    def place(self) -> Address:
        """The host's current address; it changes when the table moves."""
        return self._connection.address

    def send(self, message: FromGuest) -> None:
        """Send `message`; drop it if there is no connection."""
        self._connection.send(message)

    def reconnect(self, place: Address | None = None) -> None:
        """Reconnect at once, without waiting for the next scheduled attempt.

        `place`: an address to use instead, whose certificate the user has just accepted.
        """
        self._network.run(self._connection.close())
        if place is not None:  # the user accepts the host's certificate
            self._destination = replace(
                self._destination, address=place, other_addresses=(), is_pinned=True
            )
            self._connection = self._begin(self._destination)
        else:
            self._connection = self._begin(
                replace(self._destination, address=self.place, is_returning=True)
            )

    def give_up(self, reason: Reason, shown: str) -> None:
        """Try the next address because of `reason`, as `Connection.reject_host` does."""
        self._connection.reject_host(reason, shown)

    def close(self) -> None:
        """Close the connection; no events are emitted afterwards."""
        self._generation += 1
        self._network.run(self._connection.close())

    def _begin(self, destination: Destination) -> Connection | LocalConnection:
        """Connect to the host, by direct calls if it runs in this process."""
        self._generation += 1
        notify = partial(call_in_gui_thread(self._forward), self._generation)
        place = destination.address
        host = self._network.host_at(place)
        connection: Connection | LocalConnection
        if host is not None:
            connection = LocalConnection(host, place, notify)
            self._network.call_soon(connection.start)
            return connection
        connection = Connection(destination, notify, ConnectionSettings(is_rate_limited=True))
        self._network.call_soon(connection.start)
        return connection

    def _forward(self, generation: int, event: Event) -> None:
        if generation != self._generation:
            return
        self.event_received.emit(event)
        if isinstance(event, TableMoved) and generation == self._generation:
            self._follow(Address(event.addresses, event.port, event.fingerprint))

    def _follow(self, place: Address) -> None:
        """Reconnect to a table that has moved to or away from this computer's host.

        A `Connection` to another computer follows a moved table itself.
        """
        if (
            isinstance(self._connection, LocalConnection)
            or self._network.host_at(place) is not None
        ):
            self._network.run(self._connection.close())
            self._connection = self._begin(
                replace(self._destination, address=place, is_returning=True)
            )


class Reachability(Struct, frozen=True):
    """How others can reach a table hosted here."""

    addresses: tuple[str, ...]
    port: int
    is_announced: bool
    """Whether the table is announced; a full table isn't."""
    announce_error: str = ""
    """The system's message if announcing the table failed; "" if it didn't."""


class NetworkThread(QObject):
    """Runs connections, hosting and discovery in a thread of its own, started on first use.

    All signals are emitted in the GUI thread's event loop.
    """

    hosting_started = Signal(object)
    """This computer has started hosting: the host's loopback Address."""
    hosting_failed = Signal(object)
    """Hosting has failed: a Reason."""
    table_expected = Signal(int, str, str)
    """A table may be transferred here: the host's port and fingerprint, and the admission key."""
    table_arrived = Signal(str, str)
    """A table has been transferred here: its ID and its owner's token."""
    reachability_checked = Signal(object)
    """A reachability check has finished: its Reachability."""
    tables_found = Signal(object)
    """The announced tables have changed: a tuple of all current DiscoveredTables."""
    host_returned = Signal(str, object)
    """A watched host is back: the ID of its table, and its Address."""
    discovery_error_changed = Signal(object)
    """Discovery has failed, with a Reason, or works again, with None."""

    def __init__(self, folder: Path, bot_pool: BotPool | None = None) -> None:
        """`folder` stores the tables hosted here, and `bot_pool` computes their bots' moves."""
        super().__init__()
        self.folder = folder
        self._bot_pool = bot_pool
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._host: Host | None = None
        self._finder: Finder | None = None
        self._tasks, self._watches = Tasks(), Tasks()
        self.key = new_token()
        """The secret key for opening tables at this computer's host; unknown to other programs."""

    @property
    def is_running(self) -> bool:
        return self._thread is not None

    def host_at(self, place: Address) -> Host | None:
        """Return this computer's host if `place` has its certificate; None otherwise."""
        host = self._host
        matches = host is not None and host.certificate.fingerprint == place.fingerprint
        return host if matches else None

    def start_hosting(self) -> None:
        """Start hosting, and emit `hosting_started` or `hosting_failed`."""
        self.run(self._start_host(), self._on_hosting_failed)

    def expect_table(self) -> None:
        """Start hosting and admit one table that is transferred here.

        Emits `table_expected`, then `table_arrived` once the table is here, or `hosting_failed`.
        """
        self.run(self._expect_table(), self._on_hosting_failed)

    def start_discovery(self) -> None:
        """Start listening for announced tables; each change emits `tables_found`."""
        self.run(self._start_discovery(), self._on_discovery_failed)

    def stop_discovery(self) -> None:
        """Stop listening for announced tables."""
        if self.is_running:
            self.run(self._stop_discovery())

    def watch_for_hosts(self, wanted: Mapping[str, Sequence[Address]]) -> None:
        """Watch for the hosts of `wanted` only; emit `host_returned` for each that is back.

        `wanted`: the known addresses of each table's host, by table ID.
        """
        if wanted or self.is_running:
            self.run(self._watch_for_hosts(wanted))

    def query_server(self, place: Address, query: Query, on_answer: Callable[..., None]) -> None:
        """Run `query` against the server at `place` in the network thread.

        `on_answer`, a bound method of a QObject, is called in the GUI thread with `place` and the
        answer: the query's result, a ChangedCertificate, or a Reason after an error.
        """
        notify = partial(call_in_gui_thread(on_answer), place)

        async def answer() -> None:
            try:
                notify(await query())
            except WrongCertificate as error:
                notify(certificate_changed_event(place, error.fingerprint))

        self.run(answer(), lambda _: notify(WENT_WRONG))

    def check_reachability(self, table: str) -> None:
        """Check how others can reach a hosted table; emit `reachability_checked`.

        `table`: the table's ID.
        """
        self.run(self._check_reachability(table))

    def close_table(self, table: str) -> None:
        """Close the hosted `table` and notify its players.

        If the host isn't running, the table's files are archived.
        """
        self.run(self._close_table(table))

    def run(self, work: Coroutine[Any, Any, Any], on_error: ErrorHandler | None = None) -> None:
        """Run the coroutine `work` in the network thread.

        `on_error` is called in that thread if `work` raises an exception.
        """
        self.call_soon(partial(self._tasks.start, work, on_error))

    def call_soon(self, call: Callable[[], object]) -> None:
        """Call `call` in the network thread."""
        self._running_loop().call_soon_threadsafe(call)

    def close(self) -> None:
        """Stop the network thread, and wait for it until the timeout."""
        loop, thread = self._loop, self._thread
        if loop is None or thread is None:
            return
        self._loop, self._thread = None, None
        try:
            tasks.run_in_other_loop(self._end_network(), loop, SHUTDOWN_TIMEOUT_S)
        except Exception as error:  # close the window even if the network hangs
            log.warning("The network did not end cleanly: %r", error)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(SHUTDOWN_TIMEOUT_S)

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        """Return the thread's event loop, after starting the thread on first use."""
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
            self._emit(self.hosting_started, place)

    async def _listening_host(self) -> Host | None:
        """Return this computer's host once it listens; None, after an error report, if it can't."""
        try:
            if self._host is None:
                host = Host(
                    self.folder,
                    key=self.key,
                    is_announced=True,
                    bot_pool=self._bot_pool,
                    limits=HOME_HOST_LIMITS,
                )
                await host.start()
                self._host = host
        except (OSError, StorageError) as error:
            self._on_hosting_failed(error)
        return self._host

    def _on_hosting_failed(self, error: Exception) -> None:
        match error:
            case StorageError():
                why = error.reason
            case OSError(strerror=str(said)):
                why = Reason(said)
            case _:
                why = WENT_WRONG
        self._emit(self.hosting_failed, why)

    async def _expect_table(self) -> None:
        host = await self._listening_host()
        if host is not None:
            key = host.registry.incoming.expect(self.table_arrived.emit)
            self._emit(self.table_expected, host.port, host.certificate.fingerprint, key)

    async def _check_reachability(self, table: str) -> None:
        host = self._host
        if host is not None:
            listed = any(table == each.table for each in host.registry.joinable_tables())
            self._emit(
                self.reachability_checked,
                Reachability(addresses(), host.port, listed, host.announcement_error),
            )

    async def move_table(self, table: str, place: Address, key: str) -> Reason | None:
        """Transfer the hosted table with the ID `table` to the server at `place`.

        Returns the reason if the transfer failed; None otherwise. Runs in the network thread, as a
        query for `query_server`.
        """
        host = self._host
        if host is None or table not in host.hosted_tables:
            return NOT_NOW
        return await relocate_to_server(host.registry, host.hosted_tables[table], place, key)

    @staticmethod
    def _emit(signal: SignalInstance, *news: object) -> None:
        with suppress(RuntimeError):  # the window has been closed
            signal.emit(*news)

    async def _close_table(self, table: str) -> None:
        if self._host is None:
            await tasks.run_in_thread(
                partial(archive_table, self.folder, table, self.folder / CLOSED_TABLES)
            )
        elif table in self._host.registry.tables:
            self._host.registry.close_table(table)

    async def _start_discovery(self) -> None:
        if self._finder is not None:
            return
        self._finder = finder = Finder(self._on_tables_found, self._on_discovery_error, probes=True)
        await finder.start()

    async def _watch_for_hosts(self, wanted: Mapping[str, Sequence[Address]]) -> None:
        await self._watches.cancel()
        if wanted:
            self._watches.start(watch_for_hosts(wanted, partial(self._emit, self.host_returned)))

    def _on_discovery_failed(self, error: Exception) -> None:
        """Report the failure and drop the finder, so that discovery can be started again."""
        self._emit(self.discovery_error_changed, WENT_WRONG)
        finder, self._finder = self._finder, None
        if finder is not None:
            self._tasks.start(finder.close())

    async def _stop_discovery(self) -> None:
        finder, self._finder = self._finder, None
        if finder is not None:
            await finder.close()

    def _on_tables_found(self, tables: tuple[DiscoveredTable, ...]) -> None:
        self._emit(self.tables_found, tables)

    def _on_discovery_error(self, why: str) -> None:
        if why:
            log.info("Can't discover tables: %s", why)
        self._emit(self.discovery_error_changed, Reason(why) if why else None)

    async def _end_network(self) -> None:
        await self._stop_discovery()
        if self._host is not None:
            await self._host.close()
        current = asyncio.current_task()
        rest = [task for task in asyncio.all_tasks() if task is not current]
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
