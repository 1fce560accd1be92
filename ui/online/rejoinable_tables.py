"""The ways back to tables elsewhere: kept, forgotten, and watched for where a host was gone."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from tabletop.home.known_hosts import KnownHosts, RejoinableTable
from tabletop.protocol.invitation import Address
from ui.online.network_thread import NetworkThread
from ui.online.routes import HERE
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator


class RejoinableTables(QObject):
    """The tables that wait for somebody of this computer, and news of their hosts."""

    wanted = Signal(object)
    """Request to return to a table: a Rejoin."""

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
        network.returned.connect(self._tell_return)

    def watch(self) -> None:
        """Watch for the hosts that somebody wants to be told of, whose tables the shelf shows."""
        self._network.watch_for(
            {
                back.ticket.table: self._places_of(back)
                for back in self._known_hosts.rejoinable_tables
                if back.awaited and back.ticket.fingerprint and not is_hosted_here(back)
            }
        )

    def await_host(self, table: str, awaited: bool = True) -> None:
        """Tell once this table's host is there again, or do not tell it any more."""
        with self._context.report_errors():
            self._known_hosts.set_awaited(table, awaited)
        self.watch()

    def forget(self, table: str) -> None:
        """Forget the way back to this table."""
        with self._context.report_errors():
            self._known_hosts.forget_table(table)

    def give_up(self, table: str) -> None:
        """Forget the way back to this table for good: one that is hosted here is closed, since no
        other way leads to it."""
        back = self._to(table)
        self.forget(table)
        if back is not None and is_hosted_here(back):
            self._network.close_table(table)

    def _to(self, table: str) -> RejoinableTable | None:
        returns = self._known_hosts.rejoinable_tables
        return next((back for back in returns if back.ticket.table == table), None)

    def _places_of(self, back: RejoinableTable) -> tuple[Address, ...]:
        """Where the host of a table was met, with the certificate that it must show."""
        fingerprint = back.ticket.fingerprint
        places = (back.place, *self._known_hosts.addresses_of(fingerprint))
        return tuple(replace(place, fingerprint=fingerprint) for place in places)

    def _tell_return(self, table: str, place: Address) -> None:
        """Tell that a table's host is there again, and offer to return: to where it is now."""
        words, back = self._context.words, self._to(table)
        if back is None or not back.awaited:
            return
        with self._context.report_errors():
            self._known_hosts.add_address(back.place.name, place)

        def come() -> None:
            if self._navigator.may_go():
                self.wanted.emit(back)

        text = words("The host of “{name}” is there again.", name=back.name or back.game)
        self.await_host(table, False)
        self._navigator.renew_shelf()
        self._navigator.tell(text, "people", words("Return"), come)


def is_hosted_here(back: RejoinableTable) -> bool:
    """Whether this computer hosts a table itself."""
    return bool(back.ticket.owner) and HERE in back.place.hosts
