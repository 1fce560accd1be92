"""The data of a visit to a table, some of which is stored once the host has admitted the user."""

from collections.abc import Mapping

from msgspec.structs import replace

from tabletop.home.known_hosts import KnownHosts
from ui.online.remote_table import RemoteTable
from ui.online.routes import OWN_HOST


class TableVisit:
    """One visit to a table, from the first connection attempt until the user leaves."""

    def __init__(
        self, host: str = "", table: str = "", announced: Mapping[str, str] | None = None
    ) -> None:
        """`host`: the name under which the host's certificate is stored. `table`: the ID of the
        table to which the user returns. `announced`: the names of computers that announce tables,
        by certificate fingerprint.
        """
        self.host_name = host
        """The name under which the host's certificate is stored."""
        self.table = table
        self.key: str | None = None
        """The key with which a table is being opened on a server; None in all other cases."""
        self._announced = announced or {}
        self._kept: tuple[object, ...] = ()

    @property
    def is_hosted_here(self) -> bool:
        """Whether this computer hosts the table."""
        return self.host_name == OWN_HOST

    def save(self, remote: RemoteTable, known_hosts: KnownHosts) -> None:
        """Store the host's certificate, and the ticket for returning if it has changed.

        Raises:
            StorageError: the ticket can't be written.
        """
        info, line, ticket = remote.info, remote.connection, remote.guest.ticket
        if info is None or line is None:
            return
        # the loopback address, whatever address the host announces
        place = replace(line.place, hosts=(OWN_HOST,)) if self.is_hosted_here else line.place
        if (kept := (ticket, place, info.plan.name)) == self._kept:
            return
        self._kept = kept
        if not self.is_hosted_here:  # the host has admitted the user
            name = self._announced.get(ticket.fingerprint, self.host_name)
            known_hosts.add_address(name, replace(place, fingerprint=ticket.fingerprint))
        if self.key is not None:
            known_hosts.add_server(self.host_name, self.key)
            self.key = None
        known_hosts.add_rejoinable(
            place, ticket, info.plan.name, info.plan.game, self.is_hosted_here
        )
