"""Writing a host's tables to disk. Each change is saved before it is sent to anyone.

The event loop never waits for the disk. While a file is being synced, further writes are queued,
then written and synced together (see `JournalWriter`).
"""

import logging
import os
from asyncio import AbstractEventLoop, Future
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import time

import msgspec

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import Ended, Event
from tabletop.engine.model import Reason
from tabletop.files import small_file
from tabletop.files.atomic_write import make_folder, move_file, write_atomically
from tabletop.files.disk_pool import DiskPool
from tabletop.files.errors import BadFile, StorageError
from tabletop.files.regular_file import MIB, read_regular
from tabletop.files.shared_decoders import json_decoder
from tabletop.match.history import Entry
from tabletop.match.match import Match
from tabletop.net.host.finished_file import FINISHED_SUFFIX, make_finished_file, write_finished
from tabletop.net.host.observer import HostObserver
from tabletop.protocol.codec import OutgoingMessage
from tabletop.storage import playtest_notes
from tabletop.storage.journal import JournalFile, begin_journal
from tabletop.storage.journal_writer import JournalWriter
from tabletop.storage.playtest_notes import NOTES_SUFFIX, PlaytestNote
from tabletop.storage.record import (
    SUFFIX,
    new_match_header,
    read,
    replay,
    seal_header,
    store_game_version,
)
from tabletop.storage.record_lines import End, end_of
from tabletop.table.hosted_table import HostedTable
from tabletop.table.seats import Peer
from tabletop.table.table_file import HostedTableFile

log = logging.getLogger("tabletop.net")

TABLE_SUFFIX = ".table"
"""The suffix of a table's file."""
MAX_TABLE_FILE_BYTES = 4 * MIB


class TableFileWrite:
    """A queued write of a table's file.

    Newer content replaces the queued content until the write starts.

    A table that changes constantly therefore keeps the disk no busier than others.
    """

    def __init__(self, path: Path, content: bytes) -> None:
        self.content = content
        self._path = path

    def __call__(self) -> None:
        write_atomically(self._path, self.content, private=True)


class TableDisk(JournalWriter):
    """The files of one table: its table file, the journals of
    its matches, notes and finished files.
    """

    def __init__(
        self,
        folder: Path,
        table: str,
        loop: AbstractEventLoop,
        pool: DiskPool,
        on_broken: Callable[[StorageError], None],
        observer: HostObserver,
    ) -> None:
        """`on_broken`: called in the event loop after a failed write.

        Messages that waited for that write are never sent.
        """
        super().__init__(table, pool, self._wake, self._refuse)
        self.folder = folder
        self.table = table
        self._loop = loop
        self._on_broken = on_broken
        self._observer = observer
        self._is_discarded = False
        self._unrecorded_end: End | None = None
        """The result of a match that has ended, until its `finished` file is queued."""
        self._content: bytes | None = None
        """The content of the table's file after all queued writes."""
        self._sync_waiters: set[Future[None]] = set()
        """Futures that complete once all writes queued before them are saved."""

    @property
    def file(self) -> Path:
        return table_file(self.folder, self.table)

    def record_path(self, number: int) -> Path:
        """Return the path of the journal of match `number`."""
        return journal_path(self.folder, self.table, number)

    def finished_path(self, number: int) -> Path:
        """Return the path of the file that lists the owners of match `number` after its end."""
        return self.record_path(number).with_suffix(FINISHED_SUFFIX)

    # Writes of a table

    def write(self, entry: Entry, events: Sequence[Event] = ()) -> None:
        super().write(entry, events)
        if entry.move is not None:
            self.call_when_synced(self._observer.on_move_saved)
        for event in events:
            if type(event) is Ended:
                self._unrecorded_end = end_of(event.result)
                self._do(partial(self._finish, self._unrecorded_end))

    def post(self, peer: Peer, message: OutgoingMessage) -> None:
        """Send `message` to `peer` once everything written so far is saved."""
        self.call_when_synced(partial(peer.send, message))

    async def wait_until_safe(self) -> None:
        """Wait until everything written so far is saved.

        Raises:
            StorageError: a write failed.
        """
        safe: Future[None] = self._loop.create_future()
        self._sync_waiters.add(safe)
        self.call_when_synced(lambda: None if safe.done() else safe.set_result(None))
        try:
            await safe
        finally:
            self._sync_waiters.discard(safe)

    def start_match(self, match: Match, number: int) -> None:
        """Start the journal of match `number`."""
        head = new_match_header(match)
        path, deal, fair = self.record_path(number), match.plies[0].events, match.fair_start

        def begin() -> None:
            self.close_journal()
            _remove_empty_journal(path)
            store_game_version(match.kit)
            self._attach(begin_journal(path, seal_header(head), deal, fair))

        self._do(begin)

    def keep_game(self, kit: GameKit) -> None:
        """Queue a copy of the game's folder if the game has code, which no host gives away.

        Gateways run as programs of their own, and know only the games in the user's data folder.
        """
        if kit.facts is not None and not kit.facts.data_only:
            self._do(partial(store_game_version, kit))

    def save_table(self, kept: HostedTableFile) -> None:
        """Queue a write of the table's file."""
        content = self._content = msgspec.json.encode(kept)
        last = self.writer.last_job
        if isinstance(last, TableFileWrite):
            last.content = content
        else:
            self._do(TableFileWrite(self.file, content))
        if kept.phase == "over" and self._unrecorded_end is not None:
            self.write_finished(kept, self._unrecorded_end, int(time()))
            self._unrecorded_end = None

    def add_note(self, number: int, note: PlaytestNote) -> None:
        """Save a playtest note beside the record of match `number`."""
        path = playtest_notes.notes_path(self.record_path(number))

        def keep() -> None:
            try:
                playtest_notes.add(path, note)
            except StorageError as error:  # a note is not a move, so the table goes on without it
                log.error("note lost table=%s why=%s", self.table, error)

        self._do(keep)

    def notes_on(self, number: int) -> tuple[PlaytestNote, ...]:
        """Return all playtest notes on match `number`."""
        return playtest_notes.notes(playtest_notes.notes_path(self.record_path(number)))

    def touch(self) -> None:
        """Update the modification time of the table's file.

        A restarted host reads from it how long the table has been empty.
        """

        def date() -> None:
            with suppress(OSError):
                os.utime(self.file)

        self._do(date)

    # Actions of its host

    def reopen_journal(self, number: int) -> None:
        """Continue the existing journal of match `number`.

        Raises:
            StorageError: the journal can't be written.
        """
        if self._content is None:
            with suppress(OSError):
                self._content = read_regular(self.file, MAX_TABLE_FILE_BYTES)
        self._attach(JournalFile(self.record_path(number)))

    def read_back(self, number: int, seed: str) -> Match | None:
        """Reopen the journal of match `number` after a failed write.

        Return the match as the journal has it, or None if it can't be read or has another `seed`.
        """
        try:
            match = replay(read(self.record_path(number)))
            if match.seed != seed:
                return None
            self.reopen_journal(number)
        except (BadFile, StorageError):
            return None
        return match

    def write_finished(self, kept: HostedTableFile, end: End, when: int) -> None:
        """Queue a write of the file with the owners of a finished
        match; `when`: its end in Unix time.
        """
        noted = make_finished_file(kept, end, when)
        self._do(lambda: write_finished(self.folder, noted))

    def discard_failed(self) -> None:
        """Discard the writes that failed. Nobody has been told about them."""
        self.discard_unsynced()
        self._unrecorded_end = None
        self._close()

    def close_journal(self) -> None:
        """Mark the journal as properly closed, and close it. A failure is logged."""
        try:
            super().close_journal()
        except StorageError as error:
            log.error("journal not closed in order table=%s why=%s", self.table, error)

    def archive(self, to: Path) -> None:
        """Move the records of a closed table to the folder `to` after all queued writes.

        Later writes are ignored.
        """

        def move() -> None:
            self.close_journal()
            archive_table(self.folder, self.table, to)

        self._do(move)
        self._is_discarded = True

    def _attach(self, journal: JournalFile) -> None:
        self._journal = journal
        journal.notify = self._on_journal_rewritten

    def _on_journal_rewritten(self, written_again: Reason) -> None:
        """Write the table's file again if it has vanished together with the journal.

        Raises:
            StorageError: the file can't be written.
        """
        small_file.notify_user(written_again)
        if self._content is not None and not self.file.exists():
            write_atomically(self.file, self._content, private=True)

    def _finish(self, end: End) -> None:
        self._open_journal().write_end(end)

    # In the pool's threads, and back

    def _do(self, job: Callable[[], None]) -> None:
        if not self._is_discarded:
            self.writer.add(job)

    def _on_synced(self, seconds: float) -> None:
        self._observer.on_write(seconds)

    def _wake(self) -> None:
        with suppress(RuntimeError):  # the loop has ended, so nobody is waiting
            self._loop.call_soon_threadsafe(self.writer.process_results)

    def _refuse(self, trouble: StorageError) -> None:
        log.error("disk refused table=%s why=%s", self.table, trouble)
        for safe in self._sync_waiters:
            if not safe.done():
                safe.set_exception(trouble)
        self._on_broken(trouble)


def journal_path(folder: Path, table: str, number: int) -> Path:
    """Return the path of the journal of match `number` at `table`."""
    return folder / f"{table}-{number}{SUFFIX}"


def _remove_empty_journal(journal: Path) -> None:
    """Remove a journal without moves, so that the table's next match can start in its place.

    Such a journal remains if the host was killed before it saved the
    table's file, so nobody has seen that match.
    """
    with suppress(BadFile, OSError):
        if not read(journal).entries:
            journal.unlink()


def last_write_time(folder: Path, kept: HostedTableFile) -> float:
    """Return when the table or the journal of its match was last written, in Unix time.

    Raises:
        OSError: the table's file is missing.
    """
    dates = [table_file(folder, kept.table).stat().st_mtime]
    with suppress(OSError):
        dates.append(journal_path(folder, kept.table, kept.number).stat().st_mtime)
    return max(dates)


def archive_table(folder: Path, table: str, to: Path) -> None:
    """Move the records of a closed table to the folder `to`, and remove the table's file.

    Errors are ignored.
    """
    with suppress(OSError):
        make_folder(to)
        for path in folder.glob(f"{table}-*"):
            if path.name.endswith((SUFFIX, FINISHED_SUFFIX, NOTES_SUFFIX)):
                move_file(path, to / path.name)
        table_file(folder, table).unlink(missing_ok=True)


def table_file(folder: Path, table: str) -> Path:
    """Return the path of the file of the table with the ID `table`."""
    return folder / f"{table}{TABLE_SUFFIX}"


_table = json_decoder(HostedTableFile)


def read_table(path: Path) -> HostedTableFile:
    """Read a table's file.

    Raises:
        ValueError, OSError: the file can't be read.
    """
    return _table.decode(read_regular(path, MAX_TABLE_FILE_BYTES))


def table_files_in(folder: Path) -> list[Path]:
    """Return the files of all tables in `folder`, which may be missing.

    Raises:
        OSError: the folder can't be read. `Path.glob` would treat it as empty instead.
    """
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return []
    return sorted(folder / name for name in names if name.endswith(TABLE_SUFFIX))


def disk_of(hosted: HostedTable) -> TableDisk:
    """Return the `TableDisk` of a hosted table."""
    assert isinstance(hosted.services.journal, TableDisk)
    return hosted.services.journal
