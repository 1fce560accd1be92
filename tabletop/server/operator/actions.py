"""An operator's actions on a running server.

Each action returns a sentence that says what was done, or raises `Illegal` without any change.
"""

import logging
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path

from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal
from tabletop.files.atomic_write import write_atomically
from tabletop.files.errors import StorageError, read_error
from tabletop.files.regular_file import MIB, read_regular
from tabletop.net.host.connected_guest import ConnectedGuest
from tabletop.net.host.sleeping_tables import KnownTable, SleepingTable
from tabletop.net.limits import origin
from tabletop.protocol.messages import MAX_CHAT_CHARACTERS, OPERATOR_ANNOUNCEMENT, Notice
from tabletop.server.bans import is_at
from tabletop.server.server import TableServer
from tabletop.table.hosted_table import HostedTable
from tabletop.table.seats import new_token
from tabletop.text.plain_text import plain_line

log = logging.getLogger("tabletop.net")

KICKED = Reason("The server's operator has ended your connection.", code="kicked")
SHUT = Reason("The server's operator has closed the table.", code="table_shut")
NO_GUEST = Reason('There is no guest "{who}": name one by its number or its address.')
NO_TABLE_HERE = Reason('There is no table "{table}".')
ASLEEP = Reason('Nobody is at the table "{table}".')
NO_ADDRESS = Reason('"{who}" is no address.')
NOT_BANNED = Reason('"{who}" is not banned.')
NOTHING_TO_TELL = Reason("The announcement is empty.")
SENT = Reason("Guests sent away: {count}.")
ADDRESS_SHARED = Reason(
    "Guest {who} shares the address {address}. A ban also sends away the others there: {count}."
)
BANNED_NOW = Reason("{who} is banned. Guests sent away: {count}.")
LIFTED = Reason("{who} may come again.")
CLOSED_NOW = Reason("The table {table} is closed. Its records are in the folder finished.")
DRAINS = Reason("It opens no new tables, and ends once nobody plays. Still playing: {count}.")
NO_KEY = Reason("There is no key to change: everybody may open tables here.")
NO_FILE = Reason("The key has no file of its own, so change it in the configuration.")
ROTATED = Reason("The new key is {key}. The former one opens no more tables.")
ANNOUNCED_TO = Reason("Tables notified: {count}.")


class NeedsConfirmation(Illegal):
    """Raised if an action affects more people than the operator has named."""


class OperatorActions:
    """The actions on one running server."""

    def __init__(self, host: TableServer) -> None:
        self._host = host

    def kick(self, who: str) -> Reason:
        """Disconnect a guest, or all guests of an address. They may reconnect.

        Raises:
            Illegal: no guest matches `who`.
        """
        guests = self._find_guests(who)
        if not guests:
            raise _make_refusal(NO_GUEST, who=who)
        return SENT.with_args(count=self._send_away(guests))

    def ban(self, who: str, lift: bool = False, alone: bool = False) -> Reason:
        """Ban an address, or the address of a guest; with `lift`, lift the ban.

        Raises:
            Illegal: `who` isn't a guest or an address, or isn't banned.
            NeedsConfirmation: `alone` is set, and other guests share the address of guest `who`.
        """
        if lift:
            return self._lift(who)
        guests = self._find_guests(who)
        address = guests[0].origin if guests else _origin(who)
        banned = [each for each in self._host.guests if is_at(each.origin, address)]
        others = len(banned) - 1
        if alone and others > 0 and any(who == str(each.number) for each in guests):
            raise NeedsConfirmation(
                ADDRESS_SHARED.with_args(who=plain_line(who), address=address, count=others)
            )
        self._keep(lambda: self._host.bans.add(address))
        return BANNED_NOW.with_args(who=address, count=self._send_away(banned))

    def _lift(self, who: str) -> Reason:
        address = who if who in self._host.bans.since else _origin(who)
        if address not in self._host.bans.since:
            raise _make_refusal(NOT_BANNED, who=who)
        self._keep(lambda: self._host.bans.lift(address))
        return LIFTED.with_args(who=address)

    def close(self, table: str) -> Reason:
        """Close a table and notify everybody at it.

        Raises:
            Illegal: there is no such table.
        """
        known = self._find_table(table)
        self._host.registry.close_table(known.table, SHUT)
        return CLOSED_NOW.with_args(table=known.table)

    def announce(self, text: str, table: str = "") -> Reason:
        """Send a notice to everybody at all tables, or at one.

        Raises:
            Illegal: `text` is empty, or the table is unknown or asleep.
        """
        message = plain_line(text, MAX_CHAT_CHARACTERS)
        if not message:
            raise Illegal(NOTHING_TO_TELL)
        tables = [self._find_awake_table(table)] if table else [*self._host.hosted_tables.values()]
        for hosted in tables:
            hosted.send_all(Notice(OPERATOR_ANNOUNCEMENT.with_args(text=message)))
        return ANNOUNCED_TO.with_args(count=len(tables))

    def rotate_key(self) -> Reason:
        """Replace the server's key, and write the new key to the key file.

        Raises:
            Illegal: the server has no key, or the key has no file of its own.
        """
        openings, file = self._host.registry.openings, self._host.key_file
        if not openings.key:
            raise Illegal(NO_KEY)
        if not file:
            raise Illegal(NO_FILE)
        key = new_token()
        self._keep(lambda: _write_key(Path(file), key))
        openings.key = key
        log.info("key rotated")
        return ROTATED.with_args(key=key)

    def drain(self) -> Reason:
        """Refuse new tables, notify everybody at a table, and stop the server once nobody plays."""
        registry = self._host.registry
        registry.drain()
        playing = sum(hosted.phase == "playing" for hosted in registry.hosted_tables.values())
        return DRAINS.with_args(count=playing)

    def _find_guests(self, who: str) -> list[ConnectedGuest]:
        return [each for each in self._host.guests if who in (str(each.number), each.address)]

    def _send_away(self, guests: list[ConnectedGuest]) -> int:
        for guest in guests:
            self._host.cut_off(guest, KICKED)
        return len(guests)

    def _find_awake_table(self, name: str) -> HostedTable:
        """Return the awake table called `name`.

        Raises:
            Illegal: the table is unknown or asleep.
        """
        known = self._find_table(name)
        if isinstance(known, SleepingTable):
            raise _make_refusal(ASLEEP, table=known.table)
        return known

    def _find_table(self, name: str) -> KnownTable:
        """Return the table whose ID or code is `name`.

        Raises:
            Illegal: there is no such table.
        """
        tables = self._host.registry.tables
        by_code = (each for each in tables.values() if each.code == name.upper())
        match = tables.get(name) or next(by_code, None)
        if match is None:
            raise _make_refusal(NO_TABLE_HERE, table=name)
        return match

    @staticmethod
    def _keep(change: Callable[[], None]) -> None:
        try:
            change()
        except StorageError as error:
            raise Illegal(error.reason) from error


def _write_key(file: Path, key: str) -> None:
    """Replace the first line of `file` with `key`.

    Raises:
        StorageError: `file` can't be read or written.
    """
    try:
        _, _, more = read_regular(file, MIB).partition(b"\n")
    except OSError as error:
        raise read_error(error, file.name) from error
    write_atomically(file, f"{key}\n".encode() + more, private=True)


def _origin(who: str) -> str:
    try:
        ip_address(who)
    except ValueError:
        raise _make_refusal(NO_ADDRESS, who=who) from None
    return origin(who)


def _make_refusal(reason: Reason, **args: str) -> Illegal:
    return Illegal(reason.with_args(**{name: plain_line(value) for name, value in args.items()}))
