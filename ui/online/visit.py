"""A visit to a table: the name of its host here, and what is kept of it once it has let us in."""

from collections.abc import Mapping

from msgspec.structs import replace

from tabletop.home.known_hosts import KnownHosts
from ui.online.remote_table import RemoteTable
from ui.online.routes import HERE


class Visit:
    """One visit, from the first call to the host until its table is left."""

    def __init__(
        self, host: str = "", table: str = "", announced: Mapping[str, str] | None = None
    ) -> None:
        """`table`: to which somebody of this computer returns. `announced`: the names of the
        computers that announce themselves, by their certificates."""
        self.host = host
        """The name under which the host's certificate is kept."""
        self.table = table
        self.key: str | None = None
        """The key by which a table is just being opened there, where the host is a server."""
        self._announced = announced or {}
        self._kept: tuple[object, ...] = ()

    @property
    def is_here(self) -> bool:
        """Whether the host is this computer's own."""
        return self.host == HERE

    def keep(self, remote: RemoteTable, known_hosts: KnownHosts) -> None:
        """Keep the way back to its table, wherever that is differently known than before.

        Raises:
            StorageError: it can't be written.
        """
        info, line, ticket = remote.info, remote.line, remote.guest.ticket
        if info is None or line is None:
            return
        # no matter what others call this computer
        place = replace(line.place, hosts=(HERE,)) if self.is_here else line.place
        if (kept := (ticket, place, info.plan.name)) == self._kept:
            return
        self._kept = kept
        if not self.is_here:  # it has let us in
            name = self._announced.get(ticket.fingerprint, self.host)
            known_hosts.add_address(name, replace(place, fingerprint=ticket.fingerprint))
        if self.key is not None:
            known_hosts.add_server(self.host, self.key)
            self.key = None
        known_hosts.add_rejoinable(place, ticket, info.plan.name, info.plan.game, self.is_here)
