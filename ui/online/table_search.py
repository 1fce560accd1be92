"""Finds joinable tables by announcements on the network and by polling known servers."""

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer

from tabletop.engine.model import Reason
from tabletop.home.known_hosts import KnownHosts
from tabletop.lan.discovery import DiscoveredTable
from tabletop.net.guest.dial import UNKNOWN_FINGERPRINT
from tabletop.net.guest.server_query import list_tables
from tabletop.protocol.invitation import Address
from tabletop.protocol.listing import TableList
from tabletop.table.connection_events import ChangedCertificate
from ui.online.certificate_prompt import confirm_certificate
from ui.online.join_screen import JoinScreen
from ui.online.network_thread import NetworkThread
from ui.online.played_matches import PlayedMatches
from ui.online.reach_help import guest_help
from ui.setup.server_fields import parse_server_or_none
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator

POLL_INTERVAL_MS = 10_000
"""The interval in milliseconds at which each known server is asked for its tables."""
NO_TABLES_LISTED = Reason("“{place}” lists no tables right now. New ones appear here.")


class TableSearch(QObject):
    """Finds tables while the join screen is shown, and lists them there."""

    def __init__(
        self,
        context: AppContext,
        navigator: Navigator,
        network: NetworkThread,
        known_hosts: KnownHosts,
    ) -> None:
        super().__init__(navigator.window())
        self._context = context
        self._navigator = navigator
        self._network = network
        self._known_hosts = known_hosts
        self._join: JoinScreen | None = None
        self._announced: Sequence[DiscoveredTable] = ()
        """The tables announced on the local network."""
        self._discovery_error: Reason | None = None
        """Why announcements can't be received; None if they can."""
        self._tables: dict[str, tuple[DiscoveredTable, ...]] = {}
        """The tables that each server lists, by the server's name."""
        self._typed_server = ""
        """The name of the server that the user has entered, until it answers; "" if none."""
        self._poll_timer = QTimer(self, interval=POLL_INTERVAL_MS)
        self._poll_timer.timeout.connect(self._query_all)
        self.played_matches = PlayedMatches(context, self, network, known_hosts)
        network.tables_found.connect(self._on_tables_found)
        network.discovery_error_changed.connect(self._on_discovery_error)

    @property
    def listed_tables(self) -> tuple[DiscoveredTable, ...]:
        """All tables that servers currently list."""
        return tuple(found for tables in self._tables.values() for found in tables)

    def start(self, join: JoinScreen) -> None:
        """Start searching for tables and finished matches, and list them on the screen `join`."""
        self._join, self._tables = join, {}
        join.server_tables_requested.connect(self.query_server)
        join.help_requested.connect(self._show_help)
        join.show_discovery_error(self._discovery_error)
        self._network.start_discovery()
        self.played_matches.start(join)
        self._query_all()
        self._poll_timer.start()

    def stop(self) -> None:
        """Stop searching."""
        self._join, self._typed_server = None, ""
        self._network.stop_discovery()
        self._poll_timer.stop()
        self.played_matches.stop()

    def query_server(self, place: Address) -> None:
        """Ask the server at `place`, which the user has entered, for its tables."""
        self._typed_server = place.name
        self._query(place.name, self._known_hosts.fingerprint_of(place.name) or UNKNOWN_FINGERPRINT)

    def _on_tables_found(self, tables: Sequence[DiscoveredTable]) -> None:
        self._announced = tables
        self._show()

    def _on_discovery_error(self, why: Reason | None) -> None:
        self._discovery_error = why
        if self._join is not None:
            self._join.show_discovery_error(why)

    def _show(self) -> None:
        if self._join is not None:
            own = {back.ticket.table for back in self._known_hosts.rejoinable_tables}
            self._join.show_found([*self._announced, *self.listed_tables], own)

    def _show_help(self) -> None:
        self._navigator.show_overlay(guest_help(self._context, self._discovery_error))

    def _query_all(self) -> None:
        for name in self._known_hosts.servers:
            if fingerprint := self._known_hosts.fingerprint_of(name):
                self._query(name, fingerprint)

    def _query(self, name: str, fingerprint: str) -> None:
        if (place := parse_server_or_none(name)) is not None:
            server = replace(place, fingerprint=fingerprint)
            key = self._known_hosts.servers.get(name, "")
            self._network.query_server(server, partial(list_tables, server, key), self._on_answer)

    def _on_answer(self, place: Address, answer: TableList | Reason | ChangedCertificate) -> None:
        typed = self._typed_server == place.name
        if isinstance(answer, TableList):
            self._remember_server(place, typed and bool(answer.tables))
            self._tables[place.name] = tuple(
                DiscoveredTable(listed, place, place.name, "", is_compatible=True)
                for listed in answer.tables
            )
            if typed:
                no_tables = NO_TABLES_LISTED.with_args(place=place.name)
                self._finish_typed_query(None if answer.tables else no_tables)
            self._show()
        elif typed and self._is_reassigned_address(place, answer):
            self._query(place.name, UNKNOWN_FINGERPRINT)
        elif typed and isinstance(answer, ChangedCertificate):
            if confirm_certificate(self._context, self._navigator.window(), answer):
                self._query(place.name, answer.fingerprint)
            else:
                self._finish_typed_query(answer.reason)
        elif typed:
            self._finish_typed_query(answer if isinstance(answer, Reason) else answer.reason)
        elif self._tables.pop(place.name, ()):
            self._show()

    def _is_reassigned_address(self, place: Address, answer: Reason | ChangedCertificate) -> bool:
        """Return whether the address may simply belong to another host now.

        Home routers reassign addresses. A known server is expected to keep its certificate.
        """
        changed = (
            isinstance(answer, ChangedCertificate) and place.fingerprint != UNKNOWN_FINGERPRINT
        )
        return changed and place.name not in self._known_hosts.servers

    def _finish_typed_query(self, reason: Reason | None) -> None:
        """Finish the query of the entered server, and show `reason` unless it is None."""
        self._typed_server = ""
        if self._join is not None:
            self._join.show_error(self._context.words.reason(reason) if reason is not None else "")

    def _remember_server(self, place: Address, lists: bool) -> None:
        """Store the server's accepted certificate, and if `lists`, the server too."""
        with self._context.report_errors():
            if self._known_hosts.fingerprint_of(place.name) != place.fingerprint:
                self._known_hosts.trust(place.name, place.fingerprint)
            if lists and place.name not in self._known_hosts.servers:
                self._known_hosts.add_server(place.name, "")
