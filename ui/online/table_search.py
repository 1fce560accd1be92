"""The search for a table to join: on the networks of this computer, and at the servers that were
met before, which are asked again and again."""

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer

from tabletop.engine.model import Reason
from tabletop.home.known_hosts import KnownHosts
from tabletop.lan.discovery import DiscoveredTable
from tabletop.net.guest.dial import UNMET
from tabletop.net.guest.server_query import tables_at
from tabletop.protocol.invitation import Address
from tabletop.protocol.listing import Tables
from tabletop.table.connection_events import ChangedCertificate
from ui.online.certificate_prompt import trusts
from ui.online.join_screen import JoinScreen
from ui.online.network_thread import NetworkThread
from ui.online.played_matches import PlayedMatches
from ui.online.reach_help import guest_help
from ui.setup.server_fields import server_at
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator

AGAIN = 10_000
"""Milliseconds until a server is asked again."""
NONE_LISTED = Reason("“{place}” lists no tables right now. New ones appear here.")


class TableSearch(QObject):
    """Lists on the screen to join a table all that are found, as long as it is shown."""

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
        self._near: Sequence[DiscoveredTable] = ()
        """The tables that announce themselves on the network."""
        self._unheard: Reason | None = None
        """Why no announcements can be heard."""
        self._tables: dict[str, tuple[DiscoveredTable, ...]] = {}
        """The tables that servers list, by the servers' names."""
        self._named = ""
        """The server that somebody has typed and that has not answered yet."""
        self._again = QTimer(self, interval=AGAIN)
        self._again.timeout.connect(self._ask_all)
        self.played = PlayedMatches(context, self, network, known_hosts)
        network.found.connect(self._keep_near)
        network.unheard.connect(self._keep_unheard)

    @property
    def listed(self) -> tuple[DiscoveredTable, ...]:
        """All tables that servers list now."""
        return tuple(found for tables in self._tables.values() for found in tables)

    def begin(self, join: JoinScreen) -> None:
        """Look for tables, to show them on this screen, and once for the matches that have ended at
        servers."""
        self._join, self._tables = join, {}
        join.asked.connect(self.ask)
        join.unseen.connect(self._explain_unseen)
        join.show_unheard(self._unheard)
        self._network.look()
        self.played.begin(join)
        self._ask_all()
        self._again.start()

    def end(self) -> None:
        """Look for no more."""
        self._join, self._named = None, ""
        self._network.look_away()
        self._again.stop()
        self.played.end()

    def ask(self, place: Address) -> None:
        """Ask the server at the address that somebody has typed."""
        self._named = place.name
        self._ask(place.name, self._known_hosts.fingerprint_of(place.name) or UNMET)

    def _keep_near(self, tables: Sequence[DiscoveredTable]) -> None:
        self._near = tables
        self._show()

    def _keep_unheard(self, why: Reason | None) -> None:
        self._unheard = why
        if self._join is not None:
            self._join.show_unheard(why)

    def _show(self) -> None:
        if self._join is not None:
            own = {back.ticket.table for back in self._known_hosts.rejoinable_tables}
            self._join.show_found([*self._near, *self.listed], own)

    def _explain_unseen(self) -> None:
        self._navigator.show_over(guest_help(self._context, self._unheard))

    def _ask_all(self) -> None:
        for name in self._known_hosts.servers:
            if fingerprint := self._known_hosts.fingerprint_of(name):
                self._ask(name, fingerprint)

    def _ask(self, name: str, fingerprint: str) -> None:
        if (place := server_at(name)) is not None:
            asked = replace(place, fingerprint=fingerprint)
            key = self._known_hosts.servers.get(name, "")
            self._network.ask(asked, partial(tables_at, asked, key), self._take_list)

    def _take_list(self, place: Address, answer: Tables | Reason | ChangedCertificate) -> None:
        named = self._named == place.name
        if isinstance(answer, Tables):
            self._remember_server(place, named and bool(answer.tables))
            self._tables[place.name] = tuple(
                DiscoveredTable(listed, place, place.name, "", speaks=True)
                for listed in answer.tables
            )
            if named:
                nothing = NONE_LISTED.with_args(place=place.name)
                self._complain(None if answer.tables else nothing)
            self._show()
        elif named and self._is_another(place, answer):
            self._ask(place.name, UNMET)
        elif named and isinstance(answer, ChangedCertificate):
            if trusts(self._context, self._navigator.window(), answer):
                self._ask(place.name, answer.found)
            else:
                self._complain(answer.reason)
        elif named:
            self._complain(answer if isinstance(answer, Reason) else answer.reason)
        elif self._tables.pop(place.name, ()):
            self._show()

    def _is_another(self, place: Address, answer: Reason | ChangedCertificate) -> bool:
        """Whether only somebody's table was met at this address before, and no server: addresses at
        home change hands, and nobody poses as anything."""
        changed = isinstance(answer, ChangedCertificate) and place.fingerprint != UNMET
        return changed and place.name not in self._known_hosts.servers

    def _complain(self, reason: Reason | None) -> None:
        """The server that somebody has typed has answered: with tables, or this."""
        self._named = ""
        if self._join is not None:
            self._join.complain(self._context.words.reason(reason) if reason is not None else "")

    def _remember_server(self, place: Address, lists: bool) -> None:
        """Remember a server that is trusted, and one that was named and lists something."""
        with self._context.report_errors():
            if self._known_hosts.fingerprint_of(place.name) != place.fingerprint:
                self._known_hosts.trust(place.name, place.fingerprint)
            if lists and place.name not in self._known_hosts.servers:
                self._known_hosts.add_server(place.name, "")
