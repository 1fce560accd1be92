"""All tables of one host: opened, found by their code, brought back, moved away and closed.

No sockets here: a guest is a `Caller`, whatever carries its bytes.
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

from msgspec.structs import replace

from tabletop.background.tasks import run_in_thread
from tabletop.bots.bot_pool import BotPool
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import BrokenGame, UnknownGame
from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal
from tabletop.files.atomic_write import delete_leftovers
from tabletop.files.disk_pool import DiskPool
from tabletop.files.errors import BadFile, StorageError
from tabletop.lan.interfaces import addresses
from tabletop.match.match import Match
from tabletop.net.guess_limit import BUSY
from tabletop.net.host.admission import (
    GUESSED,
    NO_TABLE,
    WRONG_CODE,
    Admission,
    Admitted,
    Caller,
)
from tabletop.net.host.finished_file import CLOSED_TABLES
from tabletop.net.host.observer import HostObserver
from tabletop.net.host.opening_limits import OpeningLimits
from tabletop.net.host.sleeping_tables import (
    KnownTable,
    OtherVersion,
    SleepingTable,
    go_on,
    listed_as,
    not_woken,
    plays_alone,
    read_through,
    sleeping_table,
)
from tabletop.net.host.table_disk import (
    TableDisk,
    disk_of,
    last_written,
    read_table,
    tables_in,
)
from tabletop.net.host.table_packing import (
    BAD_TRANSFER,
    ArrivingTable,
    IncomingTables,
    LacksGame,
    brought_in,
)
from tabletop.net.limits import Limits
from tabletop.protocol.codec import tag
from tabletop.protocol.invitation import Address, new_code
from tabletop.protocol.join_proof import JoinChallenge, RequestJoinProof
from tabletop.protocol.listing import Listed
from tabletop.protocol.messages import Enter, Farewell, Notice, Open, Phase, Refused
from tabletop.protocol.table_transfer import MoveOffer, RequestMove
from tabletop.table.hosted_table import HostedTable, new_table, restored_table
from tabletop.table.requests import BANNED
from tabletop.table.seats import digest, new_token
from tabletop.table.services import TableServices, TableTiming
from tabletop.table.table_bots import TableBots
from tabletop.table.table_file import HostedTableFile
from tabletop.text.plain_text import plain_line

log = logging.getLogger("tabletop.net")

CLOSED = Reason("The host closed the table.", code="closed")
TOO_MANY_HERE = Reason("This table is full.", code="too_many_here")
KNOCKED = Reason("Waiting for the host to let you in.", code="knocked")
CROWDED = Reason("Too many wait to be let in here. Please try again later.", code="crowded")
BAD_PLAN = Reason(
    "This table cannot be opened: the host has no such game, option or number of seats.",
    code="bad_plan",
)
DISK_REFUSED = Reason(
    "The host's disk did not take the last move, and it was taken back.", code="disk_refused"
)

UNREADABLE = (Illegal, ValueError, OSError, BadFile, StorageError, UnknownGame, BrokenGame)
"""Errors of a table that was kept or sent."""


class TableRegistry:
    """The tables of a host."""

    def __init__(
        self,
        folder: Path,
        key: str,
        limits: Limits,
        pace: TableTiming,
        bot_pool: BotPool | None,
        observer: HostObserver,
    ) -> None:
        self.folder = folder
        self.hosted_tables: dict[str, HostedTable] = {}
        """The tables that are awake."""
        self.sleeping: dict[str, SleepingTable] = {}
        self.tables: Mapping[str, KnownTable] = ChainMap(
            self.hosted_tables,  # type: ignore[arg-type]  # nothing is ever put into it
            self.sleeping,  # type: ignore[arg-type]
        )
        self.port = 0
        self.fingerprint = ""
        self.known_as: Address | None = None
        self.incoming = IncomingTables(limits.largest_moved_table)
        self.changed_tables = asyncio.Event()
        """Set whenever a table is opened or woken, or a connection has ended."""
        self._loop = asyncio.get_running_loop()
        self.openings = OpeningLimits(limits, key)
        self._limits = limits
        self._pace = pace
        self._observer = observer
        self._disk_pool = DiskPool()
        self.bots = TableBots(lambda: bot_pool, self._call_soon)
        self.admission = Admission(limits, self._warn)
        self._empty: dict[str, float] = {}
        self._dated: dict[str, float] = {}
        """The tables that nobody has come to since the start, and how old they were then by the
        date of their files."""
        self._started = self._loop.time(), time()
        """The moment of that, by the loop's clock and by the computer's."""
        self._waking: dict[str, Lock] = {}
        self._opening: dict[str, Caller] = {}
        """The callers whose new table is not safe on the disk yet: they were told nothing."""

    # Admission

    async def admit(self, caller: Caller, message: Enter) -> Admitted | Reason:
        """The table of a guest who knows its code, or has a token of it; else why not."""
        guesses = self.admission.count_guesses(caller, message, self.tables)
        if not await self.admission.wait_for_turn(caller, guesses):
            return BUSY
        opened = self.admission.open(caller, message, self.tables)
        if opened != WRONG_CODE:
            self.admission.give_back_turn(caller, guesses)
        return opened

    def _warn(self, table: str) -> None:
        """Warn a table's owner that somebody guesses its code."""
        log.warning("codes guessed table=%s", table)
        if (hosted := self.hosted_tables.get(table)) is not None:
            hosted.tell_all(Notice(GUESSED), hosted.owners())

    def enter(
        self, caller: Caller, message: Enter, hosted: HostedTable, sign: bytes
    ) -> Reason | None:
        """Let a guest in who was admitted to a table, just woken; else say why not."""
        if caller not in hosted.guests and len(hosted.guests) >= self._limits.guests_per_table:
            return TOO_MANY_HERE
        known = caller.hosted is hosted or hosted.knows(message)
        if not known and caller.origin in hosted.lobby_queue.banned:
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

    def challenge(self, caller: Caller, asked: RequestJoinProof) -> JoinChallenge | Reason:
        """Let a caller prove that they know a code; else return why not."""
        return self.admission.ask(caller, asked, self.tables, self.fingerprint)

    @staticmethod
    def _knock(caller: Caller, hosted: HostedTable, message: Enter, sign: bytes) -> Reason | None:
        """Queue a caller until the table's host lets them in."""
        if hosted.lobby_queue.is_crowded(caller):
            return CROWDED
        caller.hosted = hosted  # takes effect once the caller is let in
        hosted.lobby_queue.knock(caller, plain_line(message.name) or caller.address, sign)
        hosted.tell(caller, Notice(KNOCKED))
        hosted.send_info()
        return None

    def open(self, caller: Caller, message: Open) -> Reason | None:
        """Open a table whose host the caller is; else say why not."""
        plan = message.plan
        try:
            kit = catalogue.load(plan.game)
            options = catalogue.options(kit, plan.options, apart=True)
        except (UnknownGame, BrokenGame):
            return BAD_PLAN
        if len(plan.seats) not in kit.box.seats:
            return BAD_PLAN
        if why := self.openings.refusal_of(caller.origin, message.key, self.tables.values()):
            return why
        self.depart(caller)
        table = new_table()
        records = plan.records if self._limits.open_records else "players"
        tidied = replace(plan, name=plain_line(plan.name), options=options, records=records)
        services = self._services(self._disk(table))
        hosted = HostedTable(table, self._new_code(), tidied, kit, services, self._pace)
        hosted.opener = caller.origin
        self._add(hosted)
        caller.hosted = hosted
        hosted.open(caller)
        self._opening[table] = caller
        disk_of(hosted).call_when_synced(partial(self._end_opening, table))
        self.invite(hosted)
        log.info("opened table=%s game=%s address=%s", table, kit.id, caller.address)
        return None

    def _end_opening(self, table: str) -> None:
        self._opening.pop(table, None)

    def hang_up(self, caller: Caller) -> None:
        """Forget a caller whose connection has ended."""
        self.changed_tables.set()
        self.admission.forget(caller)
        self.depart(caller)

    def depart(self, caller: Caller) -> None:
        """Take a caller off its table."""
        hosted = caller.hosted or caller.knocks_at
        if hosted is not None:
            hosted.remove_guest(caller)
        caller.hosted = None

    def _new_code(self) -> str:
        here = [address for address in addresses() if ":" not in address]
        taken = {known.code for known in self.tables.values()}
        while (code := new_code(here[0] if here else "", self.port)) in taken:
            pass
        return code

    def renew_code(self, hosted: HostedTable) -> None:
        """Give a table a new code; the one before opens it no more."""
        hosted.code = self._new_code()
        hosted.keep()
        hosted.send_info()
        self.invite(hosted)

    def invite(self, hosted: HostedTable) -> None:
        """Send the table's host the invitation."""
        owners = hosted.owners()
        if owners:
            place = self.known_as or Address(addresses(), self.port)
            invitation = hosted.invitation(place.hosts, place.port, self.fingerprint)
            hosted.tell_all(invitation, owners)

    # Tables that were kept

    async def resume(self) -> None:
        """Bring back every table of the folder, each asleep until its first guest comes; one where
        bots play alone is awake. Files that can't be read stay where they are."""
        self._started = now, date = self._loop.time(), time()
        for folder in (self.folder, self.folder / CLOSED_TABLES):
            delete_leftovers(folder)
        for path in tables_in(self.folder):
            try:
                kept = read_table(path)
                age = date - last_written(self.folder, kept)
            except (ValueError, OSError) as error:
                log.error("not resumed file=%s why=%s", path.name, error)
                continue
            self._dated[kept.table] = age
            self.sleeping[kept.table] = sleeping_table(kept, now - max(0.0, age))
            if plays_alone(kept):
                await self.wake(kept.table)

    async def wake(self, table: str) -> HostedTable | Reason:
        """Return a table, awake; else why not. Others are served while its match is replayed."""
        async with self._waking.setdefault(table, Lock()):  # later callers wait as well
            try:
                if row := self.sleeping.get(table):
                    row.since = self._loop.time()
                    # an earlier version of the game may be kept
                    with suppress(UnknownGame, BrokenGame):
                        catalogue.load(row.plan.game)  # resolved once, before a thread needs it
                    kept_and_match = await run_in_thread(partial(read_through, self.folder, table))
                    if table in self.sleeping:  # nobody closed it meanwhile
                        self._put_awake(*kept_and_match)
            except (OtherVersion, *UNREADABLE) as error:
                return not_woken(table, error)
            finally:
                self._waking.pop(table, None)
        return self.hosted_tables.get(table, NO_TABLE)

    def _put_awake(self, kept: HostedTableFile, match: Match | None) -> None:
        """Make a sleeping table an awake one, as it was read. Raises as `go_on`."""
        hosted = self.hosted_tables[kept.table] = self._build_table(kept, match)
        self._empty[kept.table] = self.sleeping.pop(kept.table).since
        self._dated.pop(kept.table, None)
        log.info("woken table=%s game=%s", kept.table, hosted.plan.game)

    def _put_to_sleep(self, hosted: HostedTable) -> None:
        """Keep a table on disk alone."""
        disk, kept = disk_of(hosted), hosted.to_file()
        self.sleeping[kept.table] = sleeping_table(kept, self._empty.pop(kept.table))
        del self.hosted_tables[kept.table]
        hosted.hosted_match.close()
        disk.close_journal()
        log.info("asleep table=%s", kept.table)

    def _build_table(self, kept: HostedTableFile, match: Match | None) -> HostedTable:
        """Build a table with its replayed match. Raises as `go_on`."""
        disk = self._disk(kept.table)
        kit = catalogue.load(kept.plan.game) if match is None else match.kit
        if match is not None:
            go_on(kept, match, disk)
        return restored_table(kept, kit, match, self._services(disk), self._pace)

    def _add(self, hosted: HostedTable) -> None:
        self.hosted_tables[hosted.table] = hosted
        self.changed_tables.set()

    def _call_soon(self, act: Callable[[], None]) -> None:
        """Have a function called in the loop; call this in any thread."""
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(act)

    def _disk(self, table: str) -> TableDisk:
        broken = partial(self._recover, table)
        return TableDisk(self.folder, table, self._loop, self._disk_pool, broken, self._observer)

    def _services(self, disk: TableDisk) -> TableServices:
        return TableServices(disk, disk.post, self._loop.call_later, self.bots)

    def _recover(self, table: str, error: StorageError) -> None:
        """Restore a table from its files after the disk refused a write."""
        self._observer.refuse("write", error.reason)
        if (hosted := self.hosted_tables.get(table)) is None:
            return
        disk = disk_of(hosted)
        disk.start_over()
        if table in self._opening:
            self._undo_opening(hosted, error.reason)
            return
        hosted_match = hosted.hosted_match
        match, sealings = hosted_match.match, hosted_match.sealings
        with suppress(ValueError, OSError):
            kept = read_table(disk.file)
            hosted.take_seats_back(kept)
            sealings = kept.sealings
        record = disk.record_path(hosted_match.number)
        written = disk.read_back(hosted_match.number, match.seed) if match is not None else None
        hosted.notify(error.reason)
        unwritten = match is not None and not match.record and not record.exists()
        if hosted_match.phase == "shuffling" or unwritten:
            hosted.call_off_start(sealings)
        elif match is not None and written is None:
            hosted_match.give_up(error.reason)
        elif match is not None and written is not None:
            if len(written.record) < len(match.record):
                hosted.notify(DISK_REFUSED)
            hosted_match.show_again(written, error.reason)
        hosted.resend_state()
        self.invite(hosted)

    def _undo_opening(self, hosted: HostedTable, why: Reason) -> None:
        """Close a table that the disk never took: nobody has the key to it."""
        caller = self._opening.pop(hosted.table)
        if caller.hosted is hosted:
            caller.hosted = None
            hosted.tell(caller, Refused(why, tag(Open(hosted.plan))))
        self._close(self.hosted_tables.pop(hosted.table), None)
        log.warning("not opened table=%s why=%s", hosted.table, why.text)

    # Tables that move

    def offer(self, caller: Caller, asked: RequestMove) -> MoveOffer | Reason:
        """Keep a place free for a table of another computer; else say why not."""
        if why := self.openings.refusal_of(caller.origin, asked.key, self.tables.values()):
            return why
        key = self.incoming.offer(self._loop, caller.origin)
        return key if isinstance(key, Reason) else MoveOffer(key)

    async def take_in(self, arrived: ArrivingTable) -> str | Reason:
        """Take in a table that has arrived whole; return its name, or why not. Others are served
        while its match is replayed."""
        hosted: HostedTable

        def settle(kept: HostedTableFile, match: Match | None) -> None:
            nonlocal hosted
            hosted = self._build_arrived(kept, match, arrived)

        try:
            takes = self._limits.takes_games
            sent = await run_in_thread(arrived.read)
            if sent.table.table in self.tables:  # checked before anything of it is written
                raise ValueError("a table of this name is here")
            await brought_in(arrived, self.folder, takes, settle)
        except UNREADABLE as error:
            log.error("parcel refused why=%s", error)
            return error.reason if isinstance(error, LacksGame) else BAD_TRANSFER
        token = new_token()
        if arrived.ready is not None:
            hosted.owner = digest(token)
        hosted.keep()
        self._add(hosted)
        if arrived.ready is not None:
            arrived.ready(hosted.table, token)
        log.info("arrived table=%s game=%s", hosted.table, hosted.plan.game)
        return hosted.table

    def _build_arrived(
        self, kept: HostedTableFile, match: Match | None, arrived: ArrivingTable
    ) -> HostedTable:
        if kept.table in self.tables:
            raise ValueError("a table of this name is here")
        if arrived.ready is None:  # nobody has checked that no other table here has this code
            kept = replace(kept, code=self._new_code())
        return self._build_table(kept, match)

    # Clearing away

    def sweep(self) -> None:
        """Clear away the tables that nobody comes back to; let those sleep where nobody is."""
        now, limits = self._loop.time(), self._limits
        for table, hosted in tuple(self.hosted_tables.items()):
            if hosted.guests:
                self._empty.pop(table, None)
                disk_of(hosted).refresh_date()
                continue
            if table not in self._empty:
                self._empty[table] = now
                hosted.keep()  # including what an awake table need not write down
            since = self._empty[table]
            if self._is_expired(hosted.phase, hosted.plan.unattended, now - since):
                self.remove(table)
            elif (
                now - since >= limits.awake and hosted.at_rest and disk_of(hosted).writer.is_settled
            ):
                self._put_to_sleep(hosted)
        for table, row in tuple(self.sleeping.items()):
            ages = (now - row.since, self._age_read_again(table))
            if self._is_expired(row.phase, row.plan.unattended, min(ages)):
                self.remove(table)

    def _age_read_again(self, table: str) -> float:
        """The age of a table by the clock as it is now: one that ran ahead at the start may have
        been set since. A host that has only just started doesn't know."""
        if table not in self._dated:
            return inf
        began, date = self._started
        runs = self._loop.time() - began
        set_by = time() - date - runs
        return max(0.0, self._dated[table] + set_by) + runs if runs >= self._limits.doubt else 0.0

    def _is_expired(self, phase: Phase, unattended: bool, seconds: float) -> bool:
        lasts = phase == "playing" or unattended
        return seconds >= (self._limits.waiting if lasts else self._limits.empty)

    def remove(self, table: str, farewell: Reason | None = CLOSED) -> None:
        """Close a table; the records of its matches go to the folder `CLOSED_TABLES`."""
        self._dated.pop(table, None)
        if self.sleeping.pop(table, None) is not None:
            self._disk(table).throw_away(self.folder / CLOSED_TABLES)
        else:
            self._close(self.hosted_tables.pop(table), farewell)
        log.info("closed table=%s", table)

    def _close(self, hosted: HostedTable, farewell: Reason | None) -> None:
        self._empty.pop(hosted.table, None)
        hosted.hosted_match.close()
        if farewell is not None:
            hosted.tell_all(Farewell(farewell, closed=True))
        for peer in hosted.lobby_queue.waiting_guests():
            hosted.tell(peer, Refused(NO_TABLE, tag(Enter())))
            hosted.lobby_queue.leave(peer)
        hosted.guests.clear()
        disk_of(hosted).throw_away(self.folder / CLOSED_TABLES)

    def close(self) -> None:
        """Return once everything is safe on disk. Not for the loop's own thread."""
        self._disk_pool.close()
        for hosted in self.hosted_tables.values():
            disk_of(hosted).close_journal()

    def joinable_tables(self) -> tuple[Listed, ...]:
        """The tables that somebody could still come to, or back to, as the network may know
        them."""
        return tuple(
            listed_as(hosted)
            for hosted in self.hosted_tables.values()
            if hosted.guests and (hosted.welcoming or hosted.misses_somebody)
        )
