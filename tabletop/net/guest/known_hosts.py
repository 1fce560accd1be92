"""Known hosts: whom this computer has met (trust on first use), and the ways back to their tables.

The tokens in it are the keys to seats, so the file is its owner's alone.
"""

from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from tabletop.net.guest.session import Ticket
from tabletop.net.invitation import Address
from tabletop.storage.atomic_write import write_whole
from tabletop.storage.errors import disk_trouble

MOST_TABLES = 50
MOST_HOSTS = 500


class Rejoin(Struct, frozen=True):
    """The way back to a table, and what to call it on the first screen."""

    place: Address
    ticket: Ticket
    name: str
    game: str
    visited: datetime


class _Keys(Struct, frozen=True):
    hosts: dict[str, str] = {}
    tables: dict[str, Rejoin] = {}


class KnownHosts:
    """Kept in one file, written whole at every change."""

    def __init__(self, path: Path) -> None:
        """A file that is missing or cannot be read is an empty keyring."""
        self._path = path
        try:
            self._keys = msgspec.json.decode(path.read_bytes(), type=_Keys)
        except (OSError, ValueError, RecursionError):
            self._keys = _Keys()

    @property
    def returns(self) -> tuple[Rejoin, ...]:
        """The tables to return to, the last visited first."""
        tables = self._keys.tables.values()
        return tuple(sorted(tables, key=lambda back: back.visited, reverse=True))

    def trusted(self, name: str) -> str:
        """The fingerprint that the host of this name showed before; empty for a new one.

        The name is that of an announced computer, or the address that was typed.
        """
        return self._keys.hosts.get(name, "")

    def trust(self, name: str, fingerprint: str) -> None:
        """Remember what a host showed.

        Raises:
            StorageError: it cannot be written.
        """
        rest = {known: print_ for known, print_ in self._keys.hosts.items() if known != name}
        latest = dict([*rest.items(), (name, fingerprint)][-MOST_HOSTS:])
        self._write(_Keys(latest, self._keys.tables))

    def remember(self, place: Address, ticket: Ticket, name: str, game: str) -> None:
        """Remember the way back to a table; a ticket without a seat and a table is forgotten.

        Raises:
            StorageError: it cannot be written.
        """
        if not ticket.table or not (ticket.seats or ticket.owner):
            self.forget(ticket.table)
            return
        back = Rejoin(place, ticket, name, game, datetime.now(UTC).replace(microsecond=0))
        tables = self._keys.tables | {ticket.table: back}
        latest = sorted(tables.items(), key=lambda item: item[1].visited)[-MOST_TABLES:]
        self._write(_Keys(self._keys.hosts, dict(latest)))

    def forget(self, table: str) -> None:
        """Tear up the way back to a table.

        Raises:
            StorageError: it cannot be written.
        """
        if table in self._keys.tables:
            rest = {name: back for name, back in self._keys.tables.items() if name != table}
            self._write(_Keys(self._keys.hosts, rest))

    def _write(self, keys: _Keys) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.touch(mode=0o600)
            write_whole(self._path, msgspec.json.encode(keys))
            self._path.chmod(0o600)
        except OSError as error:
            raise disk_trouble(error, self._path.name) from error
        self._keys = keys
