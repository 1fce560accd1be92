"""Known hosts (trust on first use), and the ways back to their tables.

What is trusted is the key of a host, by its certificate. Where it was met tells where to look for
it, and says nothing against another host that is met there.

The tokens in the file are the keys to seats, so it is its owner's alone.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tabletop.files.shared_decoders import json_decoder
from tabletop.files.small_file import SmallFile, append_bounded, json_file
from tabletop.net.guest.join_attempt import Ticket
from tabletop.protocol.archive import PlayedAt
from tabletop.protocol.invitation import SLOTS, Address
from tabletop.text.moments import check_moment
from tabletop.text.phrases import phrase

MAX_TABLES = 100
MAX_HOSTS = 500
MAX_ADDRESSES_PER_HOST = 6
"""Addresses of one host."""
MAX_PLAYED_TABLES = 2000
"""A year of evenings and more, in a file that older versions read too."""
REJOIN_DAYS = 60
"""Days on which the program was opened after which a way back is forgotten."""
MAX_COUNT = 1_000_000
"""Days, deals and seats that another computer may name."""
MAX_PORT = 65_535
MAX_TOKENS_PER_TABLE = 4
"""The tokens kept of one table: a player gets another one each time they sit down."""
BROKEN = phrase(
    '"{file}" was damaged and moved to "{aside}". Known hosts and your seats at online '
    "tables are forgotten."
)

FOREIGN_BROKEN = phrase(
    '"{file}" of the other computer was damaged: its known hosts and seats are missing.'
)

V = TypeVar("V")


class RejoinableTable(Struct, frozen=True):
    """The way back to a table, and what to call it on the first screen."""

    place: Address
    ticket: Ticket
    name: str
    game: str
    visited: datetime
    waited: int = 0
    """Days on which the program was opened since then; no date is trusted for that."""
    awaited: bool = False
    """Whether somebody wants to be told once its host is there again."""


class PlayedTable(Struct, frozen=True):
    """A table where somebody of this computer has sat, though there may be no way back any more."""

    place: Address
    tokens: tuple[str, ...]
    name: str
    game: str


class _Keyring(Struct, frozen=True):
    hosts: dict[str, str] = {}
    """The key that was met last under each name, of a computer or an address."""
    met: dict[str, tuple[Address, ...]] = {}
    """By the key, where its host was met, the latest first; the latest host last."""
    tables: dict[str, RejoinableTable] = {}
    servers: dict[str, str] = {}
    """The servers where tables were opened, each with its key, the latest last."""
    played: dict[str, PlayedTable] = {}
    """Tables elsewhere where somebody sat, the latest last: their matches' records are there."""
    counted: date | None = None
    """The last day that was counted for the ways back."""


class KnownHosts:
    """Kept in one file, which other windows write too."""

    def __init__(self, path: Path) -> None:
        """A file that is missing or cannot be read is an empty keyring."""
        self._file: SmallFile[_Keyring] = json_file(path, _Keyring, BROKEN)
        self._keys = self._file.read_or_default(_Keyring())

    @property
    def rejoinable_tables(self) -> tuple[RejoinableTable, ...]:
        """The tables to return to, the last visited first."""
        return tuple(reversed(self._keys.tables.values()))

    def find_rejoinable(self, wanted: Ticket) -> RejoinableTable | None:
        """The way back to the table that an invitation leads to, if somebody of this computer has a
        seat there or hosts it. An invitation that names another certificate leads elsewhere."""
        for back in self.rejoinable_tables if wanted.table or wanted.code else ():
            ticket = back.ticket
            same = ticket.table == wanted.table if wanted.table else ticket.code == wanted.code
            if same and wanted.fingerprint in ("", ticket.fingerprint):
                return back
        return None

    @property
    def servers(self) -> Mapping[str, str]:
        """The servers on which tables were opened, each with its key, the latest last."""
        return self._keys.servers

    @property
    def played_hosts(self) -> tuple[Address, ...]:
        """The hosts at whose tables somebody of this computer has sat, the latest first, each with
        the certificate that it must show."""
        places = {each.place.name: each.place for each in self._keys.played.values()}
        return tuple(
            replace(place, fingerprint=self.fingerprint_of(name) or place.fingerprint)
            for name, place in reversed(places.items())
        )

    def list_played_tables(self, name: str) -> tuple[PlayedAt, ...]:
        """The tables of the host of this name at which somebody of this computer has sat, the
        latest last."""
        return tuple(
            PlayedAt(table, played.tokens)
            for table, played in self._keys.played.items()
            if played.place.name == name
        )

    def add_server(self, name: str, key: str) -> None:
        """Remember a server on which a table was opened, and its key.

        Raises:
            StorageError: it cannot be written.
        """
        self._change(lambda keys: replace(keys, servers=_append_latest(keys.servers, name, key)))

    def fingerprint_of(self, name: str) -> str:
        """The fingerprint that the host of this name showed before; empty for a new one.

        The name is that of an announced computer, or the address that was typed.
        """
        hosts = self._keys.hosts
        return hosts.get(name) or hosts.get(_without_brackets(name), "")

    def trust(self, name: str, fingerprint: str) -> None:
        """Remember what a host showed.

        Raises:
            StorageError: it cannot be written.
        """
        self._change(
            lambda keys: replace(keys, hosts=_append_latest(keys.hosts, name, fingerprint))
        )

    def addresses_of(self, fingerprint: str) -> tuple[Address, ...]:
        """The places where the host of this key was met, the latest first."""
        return self._keys.met.get(fingerprint, ())

    def host_key_of(self, table: str) -> str:
        """The key of the host at whose table somebody of this computer has a seat; empty if nobody
        has."""
        back = self._keys.tables.get(table)
        return back.ticket.fingerprint if back is not None else ""

    def add_address(self, name: str, place: Address) -> None:
        """Remember that the host that is called so was met there, with the key that it showed.

        Raises:
            StorageError: it cannot be written.
        """
        fingerprint = place.fingerprint
        before = self.addresses_of(fingerprint)
        rest = (each for each in before if each.hosts[:1] != place.hosts[:1])
        places = (place, *rest)[:MAX_ADDRESSES_PER_HOST]
        if self.fingerprint_of(name) == fingerprint and before == places:
            return

        def change(keys: _Keyring) -> _Keyring:
            hosts = _append_latest(keys.hosts, name, fingerprint)
            return replace(
                keys, hosts=hosts, met=append_bounded(keys.met, fingerprint, places, MAX_HOSTS)
            )

        self._change(change)

    def add_rejoinable(
        self, place: Address, ticket: Ticket, name: str, game: str, own: bool = False
    ) -> None:
        """Remember the way back to a table; a ticket without a seat and a table is forgotten.
        `own`: it is hosted here, and what is played there is kept here as well.

        Raises:
            StorageError: it cannot be written.
        """
        if not ticket.table or not (ticket.seats or ticket.owner):
            self.forget_table(ticket.table)
            return
        back = RejoinableTable(place, ticket, name, game, datetime.now(UTC).replace(microsecond=0))

        def add_visit(keys: _Keyring) -> _Keyring:
            tables = append_bounded(keys.tables, ticket.table, back, MAX_TABLES)
            played = keys.played if own else _append_played(keys.played, back)
            return replace(keys, tables=tables, played=played)

        self._change(add_visit)

    def set_awaited(self, table: str, awaited: bool = True) -> None:
        """Remember whether somebody wants to be told once this table's host is there again.

        Raises:
            StorageError: it cannot be written.
        """

        def change(keys: _Keyring) -> _Keyring:
            back = keys.tables.get(table)
            if back is None:
                return keys
            return replace(keys, tables=keys.tables | {table: replace(back, awaited=awaited)})

        if self._keys.tables.get(table) and self._keys.tables[table].awaited != awaited:
            self._change(change)

    def count_today(self) -> None:
        """Count today, once, for all ways back, and forget those that have waited for long. Those
        to tables that are hosted here stay: no other way leads there.

        Raises:
            StorageError: it cannot be written.
        """
        today = date.today()

        def count(keys: _Keyring) -> _Keyring:
            new_day = keys.counted is not None and keys.counted != today
            waited = {
                table: replace(back, waited=back.waited + new_day)
                for table, back in keys.tables.items()
            }
            tables = {
                table: back
                for table, back in waited.items()
                if back.waited <= REJOIN_DAYS or back.ticket.owner
            }
            return replace(keys, tables=tables, counted=today)

        if self._keys.tables and self._keys.counted != today:
            self._change(count)

    def forget_table(self, table: str) -> None:
        """Forget the way back to a table.

        Raises:
            StorageError: it cannot be written.
        """
        if table in self._keys.tables:
            self._change(
                lambda keys: replace(
                    keys, tables={n: back for n, back in keys.tables.items() if n != table}
                )
            )

    def import_from(self, path: Path) -> None:
        """Take the known hosts and ways back of another computer, in this file. What is known here
        stays: a host's key above all.

        Raises:
            StorageError: they cannot be read or written.
        """
        theirs = _foreign_file(path).read() or _Keyring()

        def merge(ours: _Keyring) -> _Keyring:
            tables = theirs.tables | {
                table: _merge_seats(back, theirs.tables.get(table))
                for table, back in ours.tables.items()
            }
            played = theirs.played | {
                table: _merge_tokens(known, theirs.played.get(table))
                for table, known in ours.played.items()
            }
            visits = sorted(tables.items(), key=lambda each: _waiting_sort_key(each[1]))
            return _Keyring(
                hosts=_last_entries({**theirs.hosts, **ours.hosts}, MAX_HOSTS),
                met=_last_entries({**theirs.met, **ours.met}, MAX_HOSTS),
                tables=_last_entries(dict(visits), MAX_TABLES),
                servers=_last_entries({**theirs.servers, **ours.servers}, MAX_HOSTS),
                played=_last_entries(played, MAX_PLAYED_TABLES),
                counted=ours.counted,
            )

        self._change(merge)

    def _change(self, act: Callable[[_Keyring], _Keyring]) -> None:
        self._keys = self._file.update(lambda keys: act(keys or _Keyring()))


def check_foreign_known_hosts(path: Path) -> None:
    """Decode the known hosts of another computer, in this file. Raises as `SmallFile.try_decode`."""
    _foreign_file(path).try_decode()


def _foreign_file(path: Path) -> SmallFile[_Keyring]:
    return SmallFile(path, _decode_foreign, msgspec.json.encode, FOREIGN_BROKEN)


_decode = json_decoder(_Keyring).decode


def _decode_foreign(content: bytes) -> _Keyring:
    """Decode a file of another computer.

    Raises:
        ValueError, MsgspecError: it can't be what this program wrote.
    """
    keys = _decode(content)
    for back in keys.tables.values():
        check_moment(back.visited)
        deals = back.ticket.starts.unfinished if back.ticket.starts else 0
        if not all(0 <= each <= MAX_COUNT for each in (back.waited, deals, *back.ticket.seats)):
            raise ValueError("a number too large for a way back")
    places = [back.place for back in keys.tables.values()]
    places += [table.place for table in keys.played.values()]
    places += [place for met in keys.met.values() for place in met]
    for place in places:
        if not (place.hosts and 0 < place.port <= MAX_PORT and -1 <= place.slot < SLOTS):
            raise ValueError("no place of a host")
    return keys


def _append_latest(known: Mapping[str, str], name: str, value: str) -> dict[str, str]:
    """Return the entries with this one last, the latest few."""
    rest = {each: its for each, its in known.items() if each != _without_brackets(name)}
    return append_bounded(rest, name, value, MAX_HOSTS)


def _append_played(
    played: Mapping[str, PlayedTable], back: RejoinableTable
) -> dict[str, PlayedTable]:
    """Return the tables with this one last, the latest few."""
    table = back.ticket.table
    before = played[table].tokens if table in played else ()
    shown = filter(None, (*before, back.ticket.owner, *back.ticket.seats.values()))
    tokens = tuple(dict.fromkeys(shown))[-MAX_TOKENS_PER_TABLE:]
    latest = PlayedTable(back.place, tokens, back.name, back.game)
    return append_bounded(played, table, latest, MAX_PLAYED_TABLES)


def _waiting_sort_key(back: RejoinableTable) -> tuple[int, float]:
    """The key by which ways back are sorted, the one that has waited longest first."""
    return -back.waited, back.visited.timestamp()


def _merge_seats(back: RejoinableTable, other: RejoinableTable | None) -> RejoinableTable:
    """A way back with the seats that another computer had at the same table as well."""
    if other is None:
        return back
    ticket = replace(
        back.ticket,
        seats={**other.ticket.seats, **back.ticket.seats},
        owner=back.ticket.owner or other.ticket.owner,
    )
    return replace(back, ticket=ticket)


def _merge_tokens(known: PlayedTable, other: PlayedTable | None) -> PlayedTable:
    if other is None:
        return known
    both = dict.fromkeys((*other.tokens, *known.tokens))
    return replace(known, tokens=tuple(both)[-MAX_TOKENS_PER_TABLE:])


def _last_entries(entries: dict[str, V], most: int) -> dict[str, V]:
    return dict([*entries.items()][-most:])


def _without_brackets(name: str) -> str:
    """As the address of an IPv6 host was once written here."""
    return name.replace("[", "").replace("]", "")
