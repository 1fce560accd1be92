"""All tables of one host: opening, joining, waking, moving and closing them.

The registry uses no sockets. A guest is a `Caller`, however its messages are carried.
"""

import asyncio
import logging
from asyncio import Lock
from collections import ChainMap
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from time import time
from typing import TypeVar

from msgspec.structs import replace

from tabletop.background.tasks import run_in_thread
from tabletop.bots.bot_pool import BotPool
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import BrokenGame, UnknownGame
from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal
from tabletop.files.atomic_write import delete_leftovers
from tabletop.files.disk_pool import DiskPool
from tabletop.files.errors import BadFile, StorageError, read_error
from tabletop.lan.interfaces import addresses
from tabletop.match.match import Match
from tabletop.net.guess_limit import BUSY
from tabletop.net.host.admission import (
    GUESSED,
    NO_TABLE,
    WRONG_CODE,
    WRONG_CODE_OR_UNREAD,
    Admission,
    Admitted,
    Caller,
)
from tabletop.net.host.finished_file import CLOSED_TABLES
from tabletop.net.host.observer import HostObserver
from tabletop.net.host.opening_limits import OpeningLimits
from tabletop.net.host.sleeping_tables import (
    NOT_READ,
    KnownTable,
    OtherVersion,
    SleepingTable,
    is_played_by_bots,
    listing_of,
    load_table,
    reopen_journal,
    sleeping_table,
    wake_refusal,
)
from tabletop.net.host.table_disk import (
    TableDisk,
    disk_of,
    last_write_time,
    read_table,
    table_file,
    table_files_in,
)
from tabletop.net.host.table_packing import (
    BAD_TRANSFER,
    ArrivingTable,
    GameUnavailable,
    IncomingTables,
    unpack_table,
)
from tabletop.net.limits import Limits
from tabletop.protocol.codec import tag_of
from tabletop.protocol.invitation import Address, generate_code
from tabletop.protocol.join_proof import JoinChallenge, RequestJoinProof
from tabletop.protocol.listing import ListedTable
from tabletop.protocol.messages import Farewell, JoinTable, Notice, OpenTable, Phase, Refused
from tabletop.protocol.table_transfer import RequestTableMove, TableMoveAllowed
from tabletop.table.hosted_table import HostedTable, new_table_id, restore_table
from tabletop.table.requests import BANNED
from tabletop.table.seats import new_token, token_digest
from tabletop.table.services import TableServices, TableTiming
from tabletop.table.table_bots import TableBots
from tabletop.table.table_file import HostedTableFile
from tabletop.text.plain_text import MAX_NAME_CHARS, plain_line
from tabletop.text.skeleton import distinguish

log = logging.getLogger("tabletop.net")

Answer = TypeVar("Answer")

CLOSED = Reason("The host closed the table.", code="closed")
TOO_MANY_HERE = Reason("This table is full.", code="too_many_here")
WAITING_FOR_ADMISSION = Reason("Waiting for the host to let you in.", code="knocked")
CROWDED = Reason("Too many wait to be let in here. Please try again later.", code="crowded")
BAD_PLAN = Reason(
    "This table cannot be opened: the host has no such game, option or number of seats.",
    code="bad_plan",
)
DISK_REFUSED = Reason(
    "The host's disk did not take the last move, and it was taken back.", code="disk_refused"
)

FILE_ERRORS = (Illegal, ValueError, OSError, BadFile, StorageError)
"""Exceptions raised by a table whose files are damaged or can't be read now."""
TABLE_ERRORS = (*FILE_ERRORS, UnknownGame, BrokenGame)
"""Exceptions raised by a damaged or unusable table."""


class TableRegistry:
    """The tables of a host, in memory and on disk."""

    def __init__(
        self,
        folder: Path,
        key: str,
        limits: Limits,
        timing: TableTiming,
        bot_pool: BotPool | None,
        observer: HostObserver,
    ) -> None:
        self.folder = folder
        self.hosted_tables: dict[str, HostedTable] = {}
        """The tables in memory, by ID."""
        self.sleeping: dict[str, SleepingTable] = {}
        self.tables: Mapping[str, KnownTable] = ChainMap(
            self.hosted_tables,  # type: ignore[arg-type]  # nothing is ever put into it
            self.sleeping,  # type: ignore[arg-type]
        )
        self.unreadable: dict[str, str] = {}
        """For each table whose files can't be read at present, the error, by table ID.

        Its guests are told to come back. Either it is asleep, or it couldn't be listed either.
        """
        self.port = 0
        self.fingerprint = ""
        self.public_address: Address | None = None
        self.incoming = IncomingTables(limits.max_moved_table_bytes)
        self.changed_tables = asyncio.Event()
        """Set whenever a table is opened or woken, or a connection ends."""
        self._loop = asyncio.get_running_loop()
        self.openings = OpeningLimits(limits, key)
        self._limits = limits
        self._timing = timing
        self._observer = observer
        self._disk_pool = DiskPool()
        self.bots = TableBots(lambda: bot_pool, self._call_soon)
        self.admission = Admission(limits, self._warn_owner)
        self._empty_since: dict[str, float] = {}
        self._age_at_start: dict[str, float] = {}
        """For each table that nobody has visited since the start,
        the age of its files then, in seconds.
        """
        self._start_times = self._loop.time(), time()
        """When the host started, on the loop's clock and on the system's clock."""
        self._wake_locks: dict[str, Lock] = {}
        self._unsaved_openers: dict[str, Caller] = {}
        """The callers whose new table isn't saved yet, by table ID.

        They don't know about the table yet.
        """

    # Admission

    async def admit(self, caller: Caller, message: JoinTable) -> Admitted | Reason:
        """Return the table that `message` may join with its code or token, or why it is refused."""
        if message.table in self.unreadable:
            await self._read_again(message.table)
        guesses = self.admission.count_guesses(caller, message, self.tables)
        if not await self.admission.wait_for_turn(caller, guesses):
            return BUSY
        opened = self.admission.admit(caller, message, self.tables)
        if opened != WRONG_CODE:
            self.admission.give_back_turn(caller, guesses)
        return self._unless_unreadable(message.table, opened)

    def _unless_unreadable(self, table: str, answer: Answer | Reason) -> Answer | Reason:
        """Return `answer`, or the true reason if a table seems missing but can't be read."""
        if answer == NO_TABLE and table in self.unreadable:
            return NOT_READ
        unlisted = self.unreadable.keys() - self.tables.keys()
        return WRONG_CODE_OR_UNREAD if answer == WRONG_CODE and unlisted else answer

    def _warn_owner(self, table: str) -> None:
        """Warn the owner of `table` that someone is guessing its code."""
        log.warning("codes guessed table=%s", table)
        if (hosted := self.hosted_tables.get(table)) is not None:
            hosted.send_all(Notice(GUESSED), hosted.owners())

    def enter(
        self, caller: Caller, message: JoinTable, hosted: HostedTable, sign: bytes
    ) -> Reason | None:
        """Add an admitted guest to its table, which must be awake.

        Return why it is refused, or None.

        `sign`: the host's own proof that it knows the code, as in `Admitted`.
        """
        if caller not in hosted.guests and len(hosted.guests) >= self._limits.guests_per_table:
            return TOO_MANY_HERE
        known = caller.hosted is hosted or hosted.has_token_of(message)
        if not known and caller.origin in hosted.lobby_queue.banned:
            return BANNED
        if caller.hosted is not hosted:
            self.leave_table(caller)
        if not known and hosted.plan.knock:
            return self._knock(caller, hosted, message, sign)
        caller.hosted = hosted
        self._empty_since.pop(hosted.table, None)
        hosted.admit(caller, message, sign)
        self.send_invitation(hosted)
        return None

    def challenge(self, caller: Caller, asked: RequestJoinProof) -> JoinChallenge | Reason:
        """Return a challenge with which `caller` can prove that
        it knows a code, or why it is refused.
        """
        answer = self.admission.challenge(caller, asked, self.tables, self.fingerprint)
        return self._unless_unreadable(asked.table, answer)

    @staticmethod
    def _knock(
        caller: Caller, hosted: HostedTable, message: JoinTable, sign: bytes
    ) -> Reason | None:
        """Queue `caller` until the table's host admits it. Return why it can't wait, or None."""
        if hosted.lobby_queue.is_full_for(caller):
            return CROWDED
        caller.hosted = hosted  # takes effect once the caller is let in
        seated = (place.name for place in hosted.seats if place.person)
        name = distinguish(plain_line(message.name), seated, MAX_NAME_CHARS)
        hosted.lobby_queue.add(caller, name or caller.address, sign)
        hosted.send(caller, Notice(WAITING_FOR_ADMISSION))
        hosted.send_info()
        return None

    def open_table(self, caller: Caller, message: OpenTable) -> Reason | None:
        """Open a table owned by `caller`. Return why it is refused, or None."""
        plan = message.plan
        try:
            kit = catalogue.load(plan.game)
            options = catalogue.options(kit, plan.options, apart=True)
        except (UnknownGame, BrokenGame):
            return BAD_PLAN
        if len(plan.seats) not in kit.box.seats:
            return BAD_PLAN
        if why := self.openings.check_opening(caller.origin, message.key, self.tables.values()):
            return why
        self.leave_table(caller)
        table = new_table_id()
        records = plan.records if self._limits.open_records else "players"
        tidied = replace(plan, name=plain_line(plan.name), options=options, records=records)
        services = self._services(self._disk(table))
        hosted = HostedTable(table, self._new_code(), tidied, kit, services, self._timing)
        hosted.opener = caller.origin
        self._add(hosted)
        caller.hosted = hosted
        disk_of(hosted).keep_game(kit)
        hosted.admit_owner(caller)
        self._unsaved_openers[table] = caller
        disk_of(hosted).call_when_synced(partial(self._on_opening_saved, table))
        self.send_invitation(hosted)
        log.info("opened table=%s game=%s address=%s", table, kit.id, caller.address)
        return None

    def _on_opening_saved(self, table: str) -> None:
        self._unsaved_openers.pop(table, None)

    def on_disconnected(self, caller: Caller) -> None:
        """Remove `caller` from its table, because its connection has ended."""
        self.changed_tables.set()
        self.admission.drop_challenge(caller)
        self.leave_table(caller)

    def leave_table(self, caller: Caller) -> None:
        """Remove `caller` from its table."""
        hosted = caller.hosted or caller.knocked_table
        if hosted is not None:
            hosted.remove_guest(caller)
        caller.hosted = None

    def _new_code(self) -> str:
        here = [address for address in addresses() if ":" not in address]
        taken = {known.code for known in self.tables.values()}
        while (code := generate_code(here[0] if here else "", self.port)) in taken:
            pass
        return code

    def renew_code(self, hosted: HostedTable) -> None:
        """Give a table a new code. The previous one stops working."""
        hosted.code = self._new_code()
        hosted.save()
        hosted.send_info()
        self.send_invitation(hosted)

    def send_invitation(self, hosted: HostedTable) -> None:
        """Send the table's owner the invitation to pass on to other guests."""
        owners = hosted.owners()
        if owners:
            place = self.public_address or Address(addresses(), self.port)
            invitation = hosted.invitation(place.hosts, place.port, self.fingerprint)
            hosted.send_all(invitation, owners)

    # Saved tables

    async def load_tables(self) -> None:
        """Load all tables in the folder.

        A table sleeps until its first guest arrives, unless bots play a match there for all absent
        people. Unreadable files are left alone, and read again later.

        Raises:
            StorageError: the folder can't be read.
        """
        self._start_times = self._loop.time(), time()
        for folder in (self.folder, self.folder / CLOSED_TABLES):
            delete_leftovers(folder)
        try:
            paths = table_files_in(self.folder)
        except OSError as error:
            raise read_error(error, self.folder.name) from error
        for path in paths:
            try:
                kept = read_table(path)
                age = time() - last_write_time(self.folder, kept)
            except (ValueError, OSError) as error:
                self._note_unreadable(path.stem, error)
            else:
                await self._add_sleeping(kept, age)

    async def _add_sleeping(self, kept: HostedTableFile, age: float) -> None:
        """Add a table that was read from disk `age` seconds after its last write."""
        self._age_at_start[kept.table] = age
        self.sleeping[kept.table] = sleeping_table(kept, self._loop.time() - max(0.0, age))
        if is_played_by_bots(kept):
            await self.wake(kept.table)

    def _note_unreadable(self, table: str, error: Exception) -> None:
        if self.unreadable.get(table) != str(error):
            log.error("not resumed table=%s why=%s", table, error)
        self.unreadable[table] = str(error)

    async def read_missing_tables(self) -> None:
        """Read the tables again that couldn't be read so far. An operator may have repaired them.

        Sleeping tables are read again when they are woken.
        """
        for table in tuple(self.unreadable.keys() - self.tables.keys()):
            await self._read_again(table)

    async def _read_again(self, table: str) -> None:
        def read() -> tuple[HostedTableFile, float]:
            kept = read_table(table_file(self.folder, table))
            return kept, time() - last_write_time(self.folder, kept)

        async with self._wake_locks.setdefault(table, Lock()):
            if table in self.tables:
                return
            try:
                kept, age = await run_in_thread(read)
            except (ValueError, OSError) as error:
                self._note_unreadable(table, error)
                return
            finally:
                self._wake_locks.pop(table, None)
            self.unreadable.pop(table, None)
        log.info("resumed table=%s", table)
        await self._add_sleeping(kept, age)

    async def wake(self, table: str) -> HostedTable | Reason:
        """Load a sleeping table. Return it, or why it can't be loaded.

        The match is replayed in a worker thread, so other guests aren't delayed.
        """
        async with self._wake_locks.setdefault(table, Lock()):  # later callers wait as well
            try:
                if row := self.sleeping.get(table):
                    row.empty_since = self._loop.time()
                    # even without the game, its saved earlier version may be playable
                    with suppress(UnknownGame, BrokenGame):
                        catalogue.load(row.plan.game)  # resolved once, before a thread needs it
                    kept_and_match = await run_in_thread(partial(load_table, self.folder, table))
                    if table in self.sleeping:  # it wasn't closed meanwhile
                        self._wake(*kept_and_match)
                        self.unreadable.pop(table, None)
            except (OtherVersion, *TABLE_ERRORS) as error:
                if isinstance(error, FILE_ERRORS):
                    self.unreadable[table] = str(error)
                return wake_refusal(table, error)
            finally:
                self._wake_locks.pop(table, None)
        return self.hosted_tables.get(table, NO_TABLE)

    def _wake(self, kept: HostedTableFile, match: Match | None) -> None:
        """Move a table that was read from disk from `sleeping` to `hosted_tables`.

        Raises:
            StorageError: the journal can't be written.
        """
        hosted = self.hosted_tables[kept.table] = self._build_table(kept, match)
        self._empty_since[kept.table] = self.sleeping.pop(kept.table).empty_since
        self._age_at_start.pop(kept.table, None)
        log.info("woken table=%s game=%s", kept.table, hosted.plan.game)

    def _put_to_sleep(self, hosted: HostedTable) -> None:
        """Drop a table from memory, and keep only what its listing needs."""
        disk, kept = disk_of(hosted), hosted.to_file()
        self.sleeping[kept.table] = sleeping_table(kept, self._empty_since.pop(kept.table))
        del self.hosted_tables[kept.table]
        hosted.hosted_match.close()
        disk.close_journal()
        log.info("asleep table=%s", kept.table)

    def _build_table(self, kept: HostedTableFile, match: Match | None) -> HostedTable:
        """Return a table with its replayed match.

        Raises:
            StorageError: the journal can't be written.
        """
        disk = self._disk(kept.table)
        kit = catalogue.load(kept.plan.game) if match is None else match.kit
        if match is not None:
            reopen_journal(kept, match, disk)
        return restore_table(kept, kit, match, self._services(disk), self._timing)

    def _add(self, hosted: HostedTable) -> None:
        self.hosted_tables[hosted.table] = hosted
        self.changed_tables.set()

    def _call_soon(self, act: Callable[[], None]) -> None:
        """Call a function in the event loop. Safe to call from any thread."""
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(act)

    def _disk(self, table: str) -> TableDisk:
        broken = partial(self._recover, table)
        return TableDisk(self.folder, table, self._loop, self._disk_pool, broken, self._observer)

    def _services(self, disk: TableDisk) -> TableServices:
        return TableServices(disk, disk.post, self._loop.call_later, self.bots)

    def _recover(self, table: str, error: StorageError) -> None:
        """Restore a table from its files after a failed write to disk."""
        self._observer.on_refused("write", error.reason)
        if (hosted := self.hosted_tables.get(table)) is None:
            return
        disk = disk_of(hosted)
        disk.discard_failed()
        if table in self._unsaved_openers:
            self._undo_opening(hosted, error.reason)
            return
        hosted_match = hosted.hosted_match
        match, sealings = hosted_match.match, hosted_match.sealings
        with suppress(ValueError, OSError):
            kept = read_table(disk.file)
            hosted.restore_seats(kept)
            sealings = kept.sealings
        record = disk.record_path(hosted_match.number)
        written = disk.read_back(hosted_match.number, match.seed) if match is not None else None
        hosted.notify(error.reason)
        unwritten = match is not None and not match.record and not record.exists()
        if hosted_match.phase == "shuffling" or unwritten:
            hosted.cancel_start(sealings)
        elif match is not None and written is None:
            hosted_match.abort(error.reason)
        elif match is not None and written is not None:
            if len(written.record) < len(match.record):
                hosted.notify(DISK_REFUSED)
            hosted_match.revert_to(written, error.reason)
        hosted.resend_state()
        self.send_invitation(hosted)

    def _undo_opening(self, hosted: HostedTable, reason: Reason) -> None:
        """Close a table whose opening couldn't be saved, and tell its opener why."""
        caller = self._unsaved_openers.pop(hosted.table)
        if caller.hosted is hosted:
            caller.hosted = None
            hosted.send(caller, Refused(reason, tag_of(OpenTable(hosted.plan))))
        self._close(self.hosted_tables.pop(hosted.table), None)
        log.warning("not opened table=%s why=%s", hosted.table, reason.text)

    # Tables that move

    def offer_move(self, caller: Caller, asked: RequestTableMove) -> TableMoveAllowed | Reason:
        """Return permission to move a table here from another computer, or why it is refused."""
        if why := self.openings.check_opening(caller.origin, asked.key, self.tables.values()):
            return why
        key = self.incoming.offer(self._loop, caller.origin)
        return key if isinstance(key, Reason) else TableMoveAllowed(key)

    async def import_table(self, arrived: ArrivingTable) -> str | Reason:
        """Add a table that has arrived completely. Return its ID, or why it is refused.

        The match is replayed in a worker thread, so other guests aren't delayed.
        """
        hosted: HostedTable

        def settle(kept: HostedTableFile, match: Match | None) -> None:
            nonlocal hosted
            hosted = self._build_arrived(kept, match, arrived)

        try:
            takes = self._limits.accepts_games
            sent = await run_in_thread(arrived.read)
            if sent.table.table in self.tables:  # check before anything is written
                raise ValueError("a table of this name is here")
            await unpack_table(arrived, self.folder, takes, settle)
        except TABLE_ERRORS as error:
            log.error("parcel refused why=%s", error)
            return error.reason if isinstance(error, GameUnavailable) else BAD_TRANSFER
        token = new_token()
        if arrived.on_arrived is not None:
            hosted.owner = token_digest(token)
        hosted.save()
        self._add(hosted)
        if arrived.on_arrived is not None:
            arrived.on_arrived(hosted.table, token)
        log.info("arrived table=%s game=%s", hosted.table, hosted.plan.game)
        return hosted.table

    def _build_arrived(
        self, kept: HostedTableFile, match: Match | None, arrived: ArrivingTable
    ) -> HostedTable:
        if kept.table in self.tables:
            raise ValueError("a table of this name is here")
        if arrived.on_arrived is None:  # nobody has checked that no other table here has this code
            kept = replace(kept, code=self._new_code())
        return self._build_table(kept, match)

    # Closing tables

    def close_abandoned_tables(self) -> None:
        """Close tables that have been empty for too long, and put other empty tables to sleep."""
        now, limits = self._loop.time(), self._limits
        for table, hosted in tuple(self.hosted_tables.items()):
            if hosted.guests:
                self._empty_since.pop(table, None)
                disk_of(hosted).touch()
                continue
            if table not in self._empty_since:
                self._empty_since[table] = now
                hosted.save()  # including state that isn't saved while guests are there
            since = self._empty_since[table]
            if self._is_expired(hosted.phase, hosted.plan.unattended, now - since):
                self.close_table(table)
            elif (
                now - since >= limits.sleep_after_s
                and hosted.is_at_rest
                and disk_of(hosted).writer.is_settled
            ):
                self._put_to_sleep(hosted)
        for table, row in tuple(self.sleeping.items()):
            ages = (now - row.empty_since, self._rechecked_age(table))
            if self._is_expired(row.phase, row.plan.unattended, min(ages)):
                self.close_table(table)

    def _rechecked_age(self, table: str) -> float:
        """Return the age of a table's files in seconds, corrected by the system's current clock.

        The clock may have been ahead when the host started. Returns 0 until the host has run long
        enough to tell, and infinity if somebody has visited the table since the start.
        """
        if table not in self._age_at_start:
            return inf
        began, date = self._start_times
        runs = self._loop.time() - began
        set_by = time() - date - runs
        return (
            max(0.0, self._age_at_start[table] + set_by) + runs
            if runs >= self._limits.clock_recheck_after_s
            else 0.0
        )

    def _is_expired(self, phase: Phase, unattended: bool, age_s: float) -> bool:
        lasts = phase == "playing" or unattended
        return age_s >= (
            self._limits.unfinished_table_lifetime_s
            if lasts
            else self._limits.empty_table_lifetime_s
        )

    def close_table(self, table: str, farewell: Reason | None = CLOSED) -> None:
        """Close a table, and move its records to the folder `CLOSED_TABLES`.

        `farewell`: the reason to send to its guests; None sends nothing.
        """
        self._age_at_start.pop(table, None)
        self.unreadable.pop(table, None)
        if self.sleeping.pop(table, None) is not None:
            self._disk(table).archive(self.folder / CLOSED_TABLES)
        else:
            self._close(self.hosted_tables.pop(table), farewell)
        log.info("closed table=%s", table)

    def _close(self, hosted: HostedTable, farewell: Reason | None) -> None:
        self._empty_since.pop(hosted.table, None)
        hosted.hosted_match.close()
        if farewell is not None:
            hosted.send_all(Farewell(farewell, closed=True))
        for peer in hosted.lobby_queue.waiting_guests():
            hosted.send(peer, Refused(NO_TABLE, tag_of(JoinTable())))
            hosted.lobby_queue.remove(peer)
        hosted.guests.clear()
        disk_of(hosted).archive(self.folder / CLOSED_TABLES)

    def close(self) -> None:
        """Wait until everything is saved. Don't call it in the event loop's thread."""
        self._disk_pool.close()
        for hosted in self.hosted_tables.values():
            disk_of(hosted).close_journal()

    def joinable_tables(self) -> tuple[ListedTable, ...]:
        """Return the tables to announce on the LAN: those that someone could join or rejoin."""
        return tuple(
            listing_of(hosted)
            for hosted in self.hosted_tables.values()
            if hosted.guests and (hosted.is_joinable or hosted.has_absent_players)
        )
