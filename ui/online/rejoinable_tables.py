"""The tables to which the user can return, and notifications when an absent host is back."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from tabletop.home.known_hosts import KnownHosts, RejoinableTable
from tabletop.protocol.invitation import Address
from ui.online.network_thread import NetworkThread
from ui.online.routes import OWN_HOST
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator
from ui.widgets.confirm import ask_to_confirm


class RejoinableTables(QObject):
    """Manages the tickets for returning to tables, and watches for hosts that were unreachable."""

    rejoin_requested = Signal(object)
    """A request to return to a table: its RejoinableTable."""

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
        network.host_returned.connect(self._on_host_returned)

    def watch_hosts(self) -> None:
        """Watch for the hosts of tables whose return the user wants to be notified about."""
        self._network.watch_for_hosts(
            {
                back.ticket.table: self._places_of(back)
                for back in self._known_hosts.rejoinable_tables
                if back.awaited and back.ticket.fingerprint and not is_hosted_here(back)
            }
        )

    def notify_on_return(self, table: str, awaited: bool = True) -> None:
        """Set whether to notify the user when the host of `table` is back."""
        with self._context.report_errors():
            self._known_hosts.set_awaited(table, awaited)
        self.watch_hosts()

    def forget(self, table: str) -> None:
        """Delete the ticket for returning to `table`."""
        with self._context.report_errors():
            self._known_hosts.forget_table(table)

    def forget_and_close(self, table: str) -> bool:
        """Delete the ticket for returning to `table`, and close the table if it is hosted here.

        Without the ticket, nobody could return to a table hosted here. The user is asked first.

        Return whether the user agreed.
        """
        back, words = self._ticket_for(table), self._context.words
        if back is None:
            return True
        name = back.name or back.game
        if is_hosted_here(back):
            act = words("Close the table")
            text = words(
                "Close the table “{name}”? Its match ends for everyone, and nobody can return.",
                name=name,
            )
        else:
            act = words("Give up the seat")
            text = words(
                "Give up your seat at “{name}”? You can't return to it from the shelf.", name=name
            )
        window = self._navigator.window()
        if not ask_to_confirm(self._context, window, "forget_table", text, act):
            return False
        self.forget(table)
        if is_hosted_here(back):
            self._network.close_table(table)
        return True

    def _ticket_for(self, table: str) -> RejoinableTable | None:
        returns = self._known_hosts.rejoinable_tables
        return next((back for back in returns if back.ticket.table == table), None)

    def _places_of(self, back: RejoinableTable) -> tuple[Address, ...]:
        """Return the host's known addresses, each with the certificate it must present."""
        fingerprint = back.ticket.fingerprint
        places = (back.place, *self._known_hosts.addresses_of(fingerprint))
        return tuple(replace(place, fingerprint=fingerprint) for place in places)

    def _on_host_returned(self, table: str, place: Address) -> None:
        """Notify the user that the table's host is back at `place`, and offer to return."""
        words, back = self._context.words, self._ticket_for(table)
        if back is None or not back.awaited:
            return
        with self._context.report_errors():
            self._known_hosts.add_address(back.place.name, place)

        def rejoin() -> None:
            if self._navigator.try_leave_table():
                self.rejoin_requested.emit(back)

        text = words("The host of “{name}” is there again.", name=back.name or back.game)
        self.notify_on_return(table, False)
        self._navigator.refresh_shelf()
        self._navigator.show_message(text, "people", words("Return"), rejoin)


def is_hosted_here(back: RejoinableTable) -> bool:
    """Return whether this computer hosts the table."""
    return bool(back.ticket.owner) and OWN_HOST in back.place.hosts
