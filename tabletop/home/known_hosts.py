"""Known hosts (trust on first use), and the tables that the user can rejoin.

A host is identified by the key of its certificate. Its addresses only say where to look for it,
since another host may appear at the same address.

The file contains the tokens for the user's seats, so only the user can read it.
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
from tabletop.protocol.archive import TableTokens
from tabletop.protocol.invitation import PORT_SLOTS, Address
from tabletop.text.moments import check_moment
from tabletop.text.phrases import phrase

MAX_TABLES = 100
MAX_HOSTS = 500
MAX_ADDRESSES_PER_HOST = 6
"""The maximum number of addresses stored per host."""
MAX_PLAYED_TABLES = 2000
"""The maximum number of past tables that are stored.

It is enough for more than a year of evenings, in a file that older versions can still read.
"""
REJOIN_DAYS = 60
"""How many days, counting only days when the program runs, a rejoinable table is remembered."""
MAX_COUNT = 1_000_000
"""The maximum number of days, deals or seats accepted in another computer's file."""
MAX_PORT = 65_535
MAX_TOKENS_PER_TABLE = 4
"""The maximum number of tokens per table; players get a new one each time they sit down."""
DAMAGED_NOTICE = phrase(
    '"{file}" was damaged and moved to "{aside}". Known hosts and your seats at online '
    "tables are forgotten."
)

FOREIGN_DAMAGED_NOTICE = phrase(
    '"{file}" of the other computer was damaged: its known hosts and seats are missing.'
)

V = TypeVar("V")


class RejoinableTable(Struct, frozen=True):
    """An online table that the user can rejoin, and how the first screen describes it."""

    place: Address
    """The address of the host."""
    ticket: Ticket
    name: str
    game: str
    visited: datetime
    waited: int = 0
    """The number of days on which the program ran since the last visit; dates may be wrong."""
    awaited: bool = False
    """Whether the user wants to be notified when the host is back."""


class PlayedTable(Struct, frozen=True):
    """An online table where a user of this computer has played, even if it can't be rejoined."""

    place: Address
    tokens: tuple[str, ...]
    """The tokens of the user's seats, oldest first."""
    name: str
    game: str


class _Keyring(Struct, frozen=True):
    hosts: dict[str, str] = {}
    """The latest certificate fingerprint of each host, by computer name or address, newest last."""
    met: dict[str, tuple[Address, ...]] = {}
    """The known addresses of each host, newest first, by fingerprint; the newest host is last."""
    tables: dict[str, RejoinableTable] = {}
    servers: dict[str, str] = {}
    """The keys of servers where the user has opened tables, by server name, newest last."""
    played: dict[str, PlayedTable] = {}
    """The online tables where a user of this computer has played, newest last.

    Their records are stored by their hosts.
    """
    counted: date | None = None
    """The last day that was counted for the rejoinable tables; None if none was."""


class KnownHosts:
    """The known hosts and rejoinable tables, stored in a file that other windows also write."""

    def __init__(self, path: Path) -> None:
        """Read the file at `path`; a missing or unreadable file counts as empty."""
        self._file: SmallFile[_Keyring] = json_file(path, _Keyring, DAMAGED_NOTICE)
        self._keys = self._file.read_or_default(_Keyring())

    @property
    def rejoinable_tables(self) -> tuple[RejoinableTable, ...]:
        """The tables that the user can rejoin, most recently visited first."""
        return tuple(reversed(self._keys.tables.values()))

    def find_rejoinable(self, invited: Ticket) -> RejoinableTable | None:
        """Return the rejoinable table that the invitation leads to; None if there is none.

        An invitation with another certificate fingerprint leads to another table.
        """
        for back in self.rejoinable_tables if invited.table or invited.code else ():
            ticket = back.ticket
            same = ticket.table == invited.table if invited.table else ticket.code == invited.code
            if same and invited.fingerprint in ("", ticket.fingerprint):
                return back
        return None

    @property
    def servers(self) -> Mapping[str, str]:
        """The keys of servers where the user has opened tables, by server name, newest last."""
        return self._keys.servers

    @property
    def played_hosts(self) -> tuple[Address, ...]:
        """The hosts where a user of this computer has played, most recent first.

        Each address includes the known certificate fingerprint.
        """
        places = {each.place.name: each.place for each in self._keys.played.values()}
        return tuple(
            replace(place, fingerprint=self.fingerprint_of(name) or place.fingerprint)
            for name, place in reversed(places.items())
        )

    def list_played_tables(self, name: str) -> tuple[TableTokens, ...]:
        """Return the tables of host `name` where a local user has played, newest last."""
        return tuple(
            TableTokens(table, played.tokens)
            for table, played in self._keys.played.items()
            if played.place.name == name
        )

    def add_server(self, name: str, key: str) -> None:
        """Store the key of a server where the user has opened a table.

        Raises:
            StorageError: the file can't be written.
        """
        self._change(lambda keys: replace(keys, servers=_append_latest(keys.servers, name, key)))

    def fingerprint_of(self, name: str) -> str:
        """Return the known certificate fingerprint of the host `name`; "" for an unknown host.

        `name`: a computer name announced on the network, or an address typed by the user.
        """
        hosts = self._keys.hosts
        return hosts.get(name) or hosts.get(_without_brackets(name), "")

    def trust(self, name: str, fingerprint: str) -> None:
        """Store the certificate fingerprint of the host `name`.

        Raises:
            StorageError: the file can't be written.
        """
        self._change(
            lambda keys: replace(keys, hosts=_append_latest(keys.hosts, name, fingerprint))
        )

    def addresses_of(self, fingerprint: str) -> tuple[Address, ...]:
        """Return the known addresses of the host with this fingerprint, newest first."""
        return self._keys.met.get(fingerprint, ())

    def host_key_of(self, table: str) -> str:
        """Return the fingerprint of the host of `table`; "" if `table` isn't rejoinable."""
        back = self._keys.tables.get(table)
        return back.ticket.fingerprint if back is not None else ""

    def add_address(self, name: str, place: Address) -> None:
        """Store that the host `name`, which has the fingerprint in `place`, was reached at `place`.

        Raises:
            StorageError: the file can't be written.
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
        """Store a table as rejoinable, or forget it if `ticket` has neither seats nor ownership.

        `own`: whether this computer hosts the table and therefore has its records.

        Raises:
            StorageError: the file can't be written.
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
        """Store whether the user wants to be notified when the host of `table` is back.

        Raises:
            StorageError: the file can't be written.
        """

        def change(keys: _Keyring) -> _Keyring:
            back = keys.tables.get(table)
            if back is None:
                return keys
            return replace(keys, tables=keys.tables | {table: replace(back, awaited=awaited)})

        if self._keys.tables.get(table) and self._keys.tables[table].awaited != awaited:
            self._change(change)

    def count_today(self) -> None:
        """Count today once for all rejoinable tables, and forget those unvisited for `REJOIN_DAYS`.

        Tables that the user owns are kept, because nothing else leads to them.

        Raises:
            StorageError: the file can't be written.
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
        """Remove `table` from the rejoinable tables.

        Raises:
            StorageError: the file can't be written.
        """
        if table in self._keys.tables:
            self._change(
                lambda keys: replace(
                    keys, tables={n: back for n, back in keys.tables.items() if n != table}
                )
            )

    def import_from(self, path: Path) -> None:
        """Add the known hosts and tables in another computer's file.

        If both computers have an entry, this computer's is kept.

        Raises:
            StorageError: a file can't be read or written.
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
    """Check that another computer's known hosts at `path` can be decoded.

    Raises like `SmallFile.try_decode`.
    """
    _foreign_file(path).try_decode()


def _foreign_file(path: Path) -> SmallFile[_Keyring]:
    return SmallFile(path, _decode_foreign, msgspec.json.encode, FOREIGN_DAMAGED_NOTICE)


_decode = json_decoder(_Keyring).decode


def _decode_foreign(content: bytes) -> _Keyring:
    """Decode and validate another computer's known hosts.

    Raises:
        ValueError, MsgspecError: the content can't have been written by this program.
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
        if not (place.hosts and 0 < place.port <= MAX_PORT and -1 <= place.slot < PORT_SLOTS):
            raise ValueError("no place of a host")
    return keys


def _append_latest(known: Mapping[str, str], name: str, value: str) -> dict[str, str]:
    """Return `known` with `name` added or moved to the end, keeping at most `MAX_HOSTS` entries."""
    rest = {each: its for each, its in known.items() if each != _without_brackets(name)}
    return append_bounded(rest, name, value, MAX_HOSTS)


def _append_played(
    played: Mapping[str, PlayedTable], back: RejoinableTable
) -> dict[str, PlayedTable]:
    """Return `played` with the table of `back` at the end, cut to `MAX_PLAYED_TABLES`."""
    table = back.ticket.table
    before = played[table].tokens if table in played else ()
    shown = filter(None, (*before, back.ticket.owner, *back.ticket.seats.values()))
    tokens = tuple(dict.fromkeys(shown))[-MAX_TOKENS_PER_TABLE:]
    latest = PlayedTable(back.place, tokens, back.name, back.game)
    return append_bounded(played, table, latest, MAX_PLAYED_TABLES)


def _waiting_sort_key(back: RejoinableTable) -> tuple[int, float]:
    """Return a sort key that puts the table not visited for the longest time first."""
    return -back.waited, back.visited.timestamp()


def _merge_seats(back: RejoinableTable, other: RejoinableTable | None) -> RejoinableTable:
    """Return `back` with seats and ownership added from another computer's entry `other`."""
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


def _last_entries(entries: dict[str, V], max_entries: int) -> dict[str, V]:
    return dict([*entries.items()][-max_entries:])


def _without_brackets(name: str) -> str:
    """Return an IPv6 address without brackets, as older versions stored it."""
    return name.replace("[", "").replace("]", "")
