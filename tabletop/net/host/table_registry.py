"""All tables of one host: opened, found by their code, brought back, moved away and closed.

No sockets here; who comes is a `Caller`, whoever it is that carries its bytes.
"""

import logging
import re
from asyncio import AbstractEventLoop
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tabletop.bots.bot_pool import BotPool
from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal
from tabletop.games import catalogue
from tabletop.games.catalogue import BrokenGame, UnknownGame
from tabletop.history import Entry
from tabletop.match import FairStart, Match
from tabletop.net.codec import tag
from tabletop.net.discovery import Listed
from tabletop.net.doors import AskDoors, Doors
from tabletop.net.host.doorkeeper import NO_TABLE, Caller, Doorkeeper
from tabletop.net.host.write_ahead import WriteAheadLog, WriterPool, read_table, tables_in
from tabletop.net.interfaces import addresses
from tabletop.net.invitation import new_code
from tabletop.net.limits import LARGEST_PARCEL, Limits
from tabletop.net.moving import Deliver
from tabletop.net.protocol import Enter, Farewell, Notice, Open, Refused
from tabletop.net.table.hosted_table import HostedTable, HostedTableFile, new_table, restored_table
from tabletop.net.table.requests import BANNED
from tabletop.net.table.seats import digest, new_token, same
from tabletop.net.table.services import TableTiming
from tabletop.plain_text import plain
from tabletop.storage.errors import BadFile, StorageError
from tabletop.storage.journal import begin_journal
from tabletop.storage.record import header, read, replay, sealed
from tabletop.storage.record_lines import Header, end_of

log = logging.getLogger("tabletop.net")

CLOSED = Reason("The host has closed the table.")
TOO_MANY_TABLES = Reason("This host has no room for another table.")
TOO_MANY_OF_YOURS = Reason("There are as many tables from your address as this host allows.")
TOO_MANY_HERE = Reason("This table is full.")
KNOCKED = Reason("The host lets in by hand who comes. Please wait a moment.")
CROWDED = Reason("Too many wait to be let in here. Please try again later.")
NOT_ALLOWED = Reason("Tables are opened here by the host alone.")
BAD_PLAN = Reason(
    "This table cannot be opened: the host has no such game, option or number of seats."
)
BAD_PARCEL = Reason("The table that was to move here did not arrive whole.")
DISK_REFUSED = Reason("The host's disk did not take the last move, and it was taken back.")

UNREADABLE = (Illegal, ValueError, OSError, BadFile, StorageError, UnknownGame, BrokenGame)
"""What may be wrong with a table that was kept or sent."""


class MigratingTable(Struct, frozen=True):
    """A table on its way to another host."""

    table: HostedTableFile
    header: Header | None
    """Of its match, with the seed; None where none was begun. Here it is sealed anew: another
    computer cannot open what this one has sealed."""
    record: tuple[Entry, ...]
    seat: int
    """Whose player hosts it there."""
    fair: FairStart | None = None
    """What the seed of its match was made of."""


class IncomingTable(Struct):
    """A place kept free for a table that is to move here."""

    ready: Callable[[str, str], None]
    """Gets the table and the token of who hosts it, once it has arrived."""
    pieces: bytearray


class TableRegistry:
    """The tables of a host."""

    def __init__(
        self,
        folder: Path,
        loop: AbstractEventLoop,
        key: str,
        limits: Limits,
        pace: TableTiming,
        bot_pool: BotPool | None,
    ) -> None:
        self.folder = folder
        self.hosted_tables: dict[str, HostedTable] = {}
        self.port = 0
        self.fingerprint = ""
        self._loop = loop
        self._key = key
        self._limits = limits
        self._pace = pace
        self._writers = WriterPool()
        self._bot_pool = bot_pool
        self._opened: Counter[str] = Counter()
        self._doorkeeper = Doorkeeper(limits)
        self._empty: dict[str, float] = {}
        self._expected: dict[str, IncomingTable] = {}

    # Who comes

    def enter(self, caller: Caller, message: Enter) -> Reason | None:
        """Let somebody in who knows the code, or has a token of the table; else say why not."""
        opened = self._doorkeeper.open(caller, message, self.hosted_tables)
        if isinstance(opened, Reason):
            return opened
        hosted, sign = opened
        if caller not in hosted.guests and len(hosted.guests) >= self._limits.guests_per_table:
            return TOO_MANY_HERE
        known = caller.hosted is hosted or hosted.knows(message)
        if not known and caller.origin in hosted.door.banned:
            return BANNED
        if caller.hosted is not hosted:
            self.depart(caller)
        if not known and hosted.plan.knock:
            return self._knock(caller, hosted, message, sign)
        caller.hosted = hosted
        self._empty.pop(hosted.table, None)
        hosted.enter(caller, message, sign)
        self.invite(hosted)
        return None

    def ask_doors(self, caller: Caller, message: AskDoors) -> Doors | Reason:
        """What somebody needs to prove that it knows a code; else say why not."""
        return self._doorkeeper.ask(caller, message, self.hosted_tables, self.fingerprint)

    @staticmethod
    def _knock(caller: Caller, hosted: HostedTable, message: Enter, sign: bytes) -> Reason | None:
        """Somebody waits until the host lets them in."""
        if hosted.door.crowded(caller):
            return CROWDED
        caller.hosted = hosted  # which holds as soon as it is let in
        hosted.door.knock(caller, plain(message.name) or caller.address, sign)
        hosted.tell(caller, Notice(KNOCKED))
        hosted.changed()
        return None

    def open(self, caller: Caller, message: Open) -> Reason | None:
        """Open a table whose host the caller is; else say why not."""
        if self._key and not same(self._key, message.key):
            return NOT_ALLOWED
        if len(self.hosted_tables) >= self._limits.tables:
            return TOO_MANY_TABLES
        if self._opened[caller.origin] >= self._limits.tables_per_address:
            return TOO_MANY_OF_YOURS
        plan = message.plan
        try:
            kit = catalogue.load(plan.game)
            options = catalogue.options(kit, plan.options, apart=True)
        except (UnknownGame, BrokenGame):
            return BAD_PLAN
        if len(plan.seats) not in kit.box.seats:
            return BAD_PLAN
        self.depart(caller)
        table = new_table()
        tidied = replace(plan, name=plain(plan.name), options=options)
        hosted = HostedTable(table, self._new_code(), tidied, kit, self._wal(table), self._pace)
        hosted.opener = caller.origin
        self._add(hosted)
        caller.hosted = hosted
        hosted.open(caller)
        self.invite(hosted)
        log.info("opened table=%s game=%s address=%s", table, kit.id, caller.address)
        return None

    def hang_up(self, caller: Caller) -> None:
        """Somebody's line has ended."""
        self._doorkeeper.forget(caller)
        self.depart(caller)

    def depart(self, caller: Caller) -> None:
        """Somebody is not at its table any more."""
        hosted = caller.hosted or caller.knocks_at
        if hosted is not None:
            hosted.gone(caller)
        caller.hosted = None

    def _new_code(self) -> str:
        here = [address for address in addresses() if ":" not in address]
        taken = {hosted.code for hosted in self.hosted_tables.values()}
        while (code := new_code(here[0] if here else "", self.port)) in taken:
            pass
        return code

    def renew_code(self, hosted: HostedTable) -> None:
        """Give a table a new code; the one before opens it no more."""
        hosted.code = self._new_code()
        hosted.keep()
        hosted.changed()
        self.invite(hosted)

    def invite(self, hosted: HostedTable) -> None:
        """Tell who hosts a table what others need to come."""
        owners = hosted.owners()
        if owners:
            invitation = hosted.invitation(addresses(), self.port, self.fingerprint)
            hosted.tell_all(invitation, owners)

    # Tables that were kept

    def resume(self) -> None:
        """Bring back every table of the folder; what cannot be read stays where it lies."""
        for path in tables_in(self.folder):
            try:
                hosted = self._brought_back(read_table(path))
            except UNREADABLE as error:
                log.error("not resumed file=%s why=%s", path.name, error)
                continue
            self._add(hosted)
            log.info("resumed table=%s game=%s", hosted.table, hosted.plan.game)

    def _brought_back(self, kept: HostedTableFile) -> HostedTable:
        """A table as its file and the journal of its match tell."""
        wal = self._wal(kept.table)
        kit = catalogue.load(kept.plan.game)
        match: Match | None = None
        if kept.phase in ("playing", "over") and kept.number:
            match = replay(read(wal.record(kept.number)))
            wal.go_on(kept.number)
        return restored_table(kept, kit, match, wal, self._pace)

    def _add(self, hosted: HostedTable) -> None:
        self.hosted_tables[hosted.table] = hosted
        if hosted.opener:
            self._opened[hosted.opener] += 1

    def _wal(self, table: str) -> WriteAheadLog:
        return WriteAheadLog(
            self.folder,
            table,
            self._loop,
            self._writers,
            lambda error: self._broken(table, error),
            self._bot_pool,
        )

    def _broken(self, table: str, error: StorageError) -> None:
        """The disk refused what a table wrote: the table stands again as its journal says."""
        log.error("disk refused table=%s why=%s", table, error)
        hosted = self.hosted_tables.get(table)
        if hosted is None:
            return
        wal = wal_of(hosted)
        wal.start_over()
        if hosted.hosted_match.match is None:
            hosted.note(error.reason)
            return
        try:
            match = replay(read(wal.record(hosted.hosted_match.number)))
            wal.go_on(hosted.hosted_match.number)
        except (BadFile, StorageError):
            hosted.hosted_match.give_up(error.reason)
        else:
            hosted.note(DISK_REFUSED)
            hosted.hosted_match.show_again(match)

    # Tables that move

    def pack(self, hosted: HostedTable, seat: int) -> MigratingTable:
        """The table as it can be sent."""
        match = hosted.hosted_match.match
        kept = hosted.kept()
        kept = replace(kept, opener="", banned=())  # where people live is no other host's affair
        if match is None:
            return MigratingTable(kept, None, (), seat)
        head = header(hosted.kit, match.players, match.state.options, match.seed)
        return MigratingTable(kept, head, tuple(match.record), seat, match.fair_start)

    def expect_table(self, ready: Callable[[str, str], None]) -> str:
        """Let one table move here; gives the key that it is let in by."""
        key = new_token()
        self._expected[key] = IncomingTable(ready, bytearray())
        return key

    def expects(self, message: Deliver) -> bool:
        """Whether this is a piece of a table that was invited."""
        return message.key in self._expected

    def take_in(self, message: Deliver) -> str | Reason:
        """A piece of a table that moves here: "" until the last, then the table's name."""
        incoming = self._expected.get(message.key)
        if incoming is None:
            return NOT_ALLOWED
        incoming.pieces += message.piece
        if len(incoming.pieces) > LARGEST_PARCEL:
            del self._expected[message.key]
            return BAD_PARCEL
        if not message.last:
            return ""
        del self._expected[message.key]
        try:
            hosted = self._unpacked(bytes(incoming.pieces))
        except UNREADABLE as error:
            log.error("parcel refused why=%s", error)
            return BAD_PARCEL
        token = new_token()
        hosted.owner = digest(token)
        hosted.keep()
        self._add(hosted)
        incoming.ready(hosted.table, token)
        log.info("arrived table=%s game=%s", hosted.table, hosted.plan.game)
        return hosted.table

    def _unpacked(self, content: bytes) -> HostedTable:
        parcel = msgspec.json.decode(content, type=MigratingTable)
        kept = replace(parcel.table, hosting=parcel.seat)
        if not re.fullmatch("[0-9a-f]{12}", kept.table) or kept.table in self.hosted_tables:
            raise ValueError("no name for a table that comes here")
        if len(kept.seats) not in catalogue.load(kept.plan.game).box.seats:
            raise ValueError("not as many seats as the game has")
        if parcel.header is not None:
            path = self._wal(kept.table).record(kept.number)
            self._write_down(parcel.header, parcel.record, parcel.fair, path, kept)
        return self._brought_back(kept)

    @staticmethod
    def _write_down(
        head: Header,
        record: tuple[Entry, ...],
        fair: FairStart | None,
        path: Path,
        kept: HostedTableFile,
    ) -> None:
        """Write the journal of a match that has come here, once it is known to fit the rules."""
        kit = catalogue.load(kept.plan.game)
        if len(head.players) != len(kept.seats):
            raise ValueError("not as many players as seats")
        if (head.game, head.rules) != (kit.id, kit.box.rules):
            raise ValueError("of another game, or of another version of its rules")
        options = catalogue.options(kit, head.options)
        match = Match(kit.game, kit.backs, head.players, options, head.seed)
        told = []
        for entry in record:
            match.restore(entry)
            told.append(() if entry.undo else match.plies[-1].events)
        journal = begin_journal(path, sealed(head), match.plies[0].events, fair)
        try:
            for entry, events in zip(record, told, strict=True):
                journal.write(entry, events)
            if match.state.result is not None:
                journal.finish(end_of(match.state.result))
        except StorageError:
            journal.close()
            path.unlink(missing_ok=True)
            raise
        journal.close()

    # Clearing away

    def sweep(self) -> None:
        """Clear away the tables that nobody comes back to."""
        now = self._loop.time()
        for table, hosted in tuple(self.hosted_tables.items()):
            if hosted.guests:
                self._empty.pop(table, None)
                continue
            since = self._empty.setdefault(table, now)
            limits, lasts = self._limits, hosted.phase == "playing" or hosted.plan.unattended
            if now - since > (limits.waiting if lasts else limits.empty):
                self.remove(table)

    def remove(self, table: str, farewell: Reason | None = CLOSED) -> None:
        """Close a table; the records of its matches go to the folder `finished`."""
        hosted = self.hosted_tables.pop(table)
        self._empty.pop(table, None)
        if self._opened[hosted.opener] > 1:
            self._opened[hosted.opener] -= 1
        else:
            del self._opened[hosted.opener]
        hosted.hosted_match.close()
        if farewell is not None:
            hosted.tell_all(Farewell(farewell, closed=True))
        for peer in hosted.door.waiting():
            hosted.tell(peer, Refused(NO_TABLE, tag(Enter())))
            hosted.door.leave(peer)
        hosted.guests.clear()
        wal_of(hosted).throw_away(self.folder / "finished")
        log.info("closed table=%s", table)

    def close(self) -> None:
        """Come back once everything is safe on disk. Not for the loop's own thread."""
        self._writers.close()
        for hosted in self.hosted_tables.values():
            wal_of(hosted).shut()

    def listed(self) -> tuple[Listed, ...]:
        """The tables that somebody could still come to, as the network may know them."""
        return tuple(
            Listed(
                hosted.table,
                hosted.plan.name,
                hosted.plan.game,
                len(hosted.plan.seats),
                hosted.free,
                hosted.plan.spectators,
            )
            for hosted in self.hosted_tables.values()
            if hosted.welcoming and hosted.guests
        )


def wal_of(hosted: HostedTable) -> WriteAheadLog:
    assert isinstance(hosted.services, WriteAheadLog)
    return hosted.services
