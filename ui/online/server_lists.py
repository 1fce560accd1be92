"""The tables that servers list: those that were met before are asked while somebody looks."""

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from tabletop.engine.model import Reason
from tabletop.home.known_hosts import KnownHosts
from tabletop.lan.discovery import Found
from tabletop.net.guest.dial import UNMET
from tabletop.net.guest.session import ChangedCertificate
from tabletop.protocol.invitation import Address
from tabletop.protocol.listing import Tables
from ui.online.certificate_prompt import trusts
from ui.online.join_screen import JoinScreen
from ui.online.network_thread import NetworkThread
from ui.online.played_matches import PlayedMatches
from ui.setup.server_fields import server_at
from ui.shell.app_context import AppContext

AGAIN = 10_000
"""Milliseconds until a server is asked again."""
NONE_LISTED = Reason("“{place}” lists no tables right now. New ones appear here.")


class ServerLists(QObject):
    """Asks servers for their tables, as long as the screen to join one is shown."""

    changed = Signal()
    """The list of tables has changed."""
    answered = Signal(object)
    """The server that somebody named has answered: a Reason, or None with a list of tables."""

    def __init__(
        self, context: AppContext, parent: QWidget, network: NetworkThread, known_hosts: KnownHosts
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._window = parent
        self._network = network
        self._known_hosts = known_hosts
        self._tables: dict[str, tuple[Found, ...]] = {}
        self._named = ""
        """The server that somebody has typed and that has not answered yet."""
        self._again = QTimer(self, interval=AGAIN)
        self._again.timeout.connect(self._ask_all)
        self.played = PlayedMatches(context, self, network, known_hosts)
        network.listed.connect(self._take_list)

    @property
    def found(self) -> tuple[Found, ...]:
        """All tables that are listed now."""
        return tuple(found for tables in self._tables.values() for found in tables)

    def begin(self, join: JoinScreen) -> None:
        """Ask every server that is known, now and again and again; and once for the matches that
        have ended there, which this screen shows."""
        self._tables = {}
        self.played.begin(join)
        self._ask_all()
        self._again.start()

    def end(self) -> None:
        """Ask no more."""
        self._again.stop()
        self.played.end()
        self._named = ""

    def ask(self, place: Address) -> None:
        """Ask the server at the address that somebody has typed."""
        self._named = place.name
        self._ask(place.name, self._known_hosts.fingerprint_of(place.name) or UNMET)

    def _ask_all(self) -> None:
        for name in self._known_hosts.servers:
            if fingerprint := self._known_hosts.fingerprint_of(name):
                self._ask(name, fingerprint)

    def _ask(self, name: str, fingerprint: str) -> None:
        if (place := server_at(name)) is not None:
            key = self._known_hosts.servers.get(name, "")
            self._network.list_tables(replace(place, fingerprint=fingerprint), key)

    def _take_list(self, place: Address, answer: Tables | Reason | ChangedCertificate) -> None:
        named = self._named == place.name
        if isinstance(answer, Tables):
            self._named = "" if named else self._named
            self._remember_server(place, named and bool(answer.tables))
            self._tables[place.name] = tuple(
                Found(listed, place, place.name, "", speaks=True) for listed in answer.tables
            )
            if named:
                nothing = NONE_LISTED.with_args(place=place.name)
                self.answered.emit(None if answer.tables else nothing)
            self.changed.emit()
        elif named and self._is_another(place, answer):
            self._ask(place.name, UNMET)
        elif named and isinstance(answer, ChangedCertificate):
            if trusts(self._context, self._window, answer):
                self._ask(place.name, answer.found)
            else:
                self._refuse(answer.reason)
        elif named:
            self._refuse(answer if isinstance(answer, Reason) else answer.reason)
        elif self._tables.pop(place.name, ()):
            self.changed.emit()

    def _is_another(self, place: Address, answer: Reason | ChangedCertificate) -> bool:
        """Whether only somebody's table was met at this address before, and no server: addresses at
        home change hands, and nobody poses as anything."""
        changed = isinstance(answer, ChangedCertificate) and place.fingerprint != UNMET
        return changed and place.name not in self._known_hosts.servers

    def _refuse(self, reason: Reason) -> None:
        self._named = ""
        self.answered.emit(reason)

    def _remember_server(self, place: Address, lists: bool) -> None:
        """Remember a server that is trusted, and one that was named and lists something."""
        with self._context.report_errors():
            if self._known_hosts.fingerprint_of(place.name) != place.fingerprint:
                self._known_hosts.trust(place.name, place.fingerprint)
            if lists and place.name not in self._known_hosts.servers:
                self._known_hosts.keep_server(place.name, "")
