"""A host's writes of its tables. Each is safe on the disk before it's sent to anybody.

The loop never waits for the disk (`JournalWriter`): writes that come in while a table's file is
being synced are written and synced together next.
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
from tabletop.net.host.finished_file import FINISHED, finished_file, keep_finished
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

TABLE = ".table"
"""The suffix of a table's file."""
MOST_BYTES = 4 * MIB
"""The most bytes of a table's file."""


class TableFileWrite:
    """A table's file, to be written. Until the write has started, newer content replaces the older:
    a table that changes all the time keeps the disk no busier than others."""

    def __init__(self, path: Path, content: bytes) -> None:
        self.content = content
        self._path = path

    def __call__(self) -> None:
        write_atomically(self._path, self.content, private=True)


class TableDisk(JournalWriter):
    """The files of one table: its own, the journals of its matches, and those beside them."""

    def __init__(
        self,
        folder: Path,
        table: str,
        loop: AbstractEventLoop,
        pool: DiskPool,
        broken: Callable[[StorageError], None],
        observer: HostObserver,
    ) -> None:
        """`broken` is called when the disk refused: what was held back is never sent."""
        super().__init__(table, pool, self._wake, self._refuse)
        self.folder = folder
        self.table = table
        self._loop = loop
        self._broken = broken
        self._observer = observer
        self._thrown_away = False
        self._end: End | None = None
        """The end of the match, until its owners are noted."""
        self._kept: bytes | None = None
        """The content of the table's file, or what it's about to be."""
        self._awaited: set[Future[None]] = set()
        """What waits for all writes so far."""

    @property
    def file(self) -> Path:
        return table_file(self.folder, self.table)

    def record_path(self, number: int) -> Path:
        """Return the path of the journal of the match of that number."""
        return journal_of(self.folder, self.table, number)

    def finished_file(self, number: int) -> Path:
        """Return the path of the file that says whose the record of that match is, once it is
        over."""
        return self.record_path(number).with_suffix(FINISHED)

    # Writes of a table

    def write(self, entry: Entry, events: Sequence[Event] = ()) -> None:
        super().write(entry, events)
        if entry.move is not None:
            self.call_when_synced(self._observer.count_move)
        for event in events:
            if type(event) is Ended:
                self._end = end_of(event.result)
                self._do(partial(self._finish, self._end))

    def post(self, peer: Peer, message: OutgoingMessage) -> None:
        """Send a message once all that was written so far is safe."""
        self.call_when_synced(partial(peer.send, message))

    async def all_safe(self) -> None:
        """Return once all that was written so far is safe.

        Raises:
            StorageError: the disk refused it.
        """
        safe: Future[None] = self._loop.create_future()
        self._awaited.add(safe)
        self.call_when_synced(lambda: None if safe.done() else safe.set_result(None))
        try:
            await safe
        finally:
            self._awaited.discard(safe)

    def begin(self, match: Match, number: int) -> None:
        """Begin the journal of this table's match of that number."""
        head = new_match_header(match)
        path, deal, fair = self.record_path(number), match.plies[0].events, match.fair_start

        def begin() -> None:
            self.close_journal()
            _clear_unannounced(path)
            store_game_version(match.kit)
            self._take(begin_journal(path, seal_header(head), deal, fair))

        self._do(begin)

    def keep(self, kept: HostedTableFile) -> None:
        """Write the table's own file."""
        content = self._kept = msgspec.json.encode(kept)
        last = self.writer.last_job
        if isinstance(last, TableFileWrite):
            last.content = content
        else:
            self._do(TableFileWrite(self.file, content))
        if kept.phase == "over" and self._end is not None:
            self.note_finished(kept, self._end, int(time()))
            self._end = None

    def note(self, number: int, note: PlaytestNote) -> None:
        """Keep a playtest note beside the record of the match of that number."""
        path = playtest_notes.notes_path(self.record_path(number))

        def keep() -> None:
            try:
                playtest_notes.add(path, note)
            except StorageError as error:  # a note is not a move, so the table goes on without it
                log.error("note lost table=%s why=%s", self.table, error)

        self._do(keep)

    def notes_on(self, number: int) -> tuple[PlaytestNote, ...]:
        """Return all playtest notes on that match."""
        return playtest_notes.notes(playtest_notes.notes_path(self.record_path(number)))

    def refresh_date(self) -> None:
        """Date the table's file, for somebody is there: a host that starts again reads from it
        since when nobody is."""

        def date() -> None:
            with suppress(OSError):
                os.utime(self.file)

        self._do(date)

    # Actions of its host

    def go_on(self, number: int) -> None:
        """Go on with a journal that is there.

        Raises:
            StorageError: it cannot be written.
        """
        if self._kept is None:
            with suppress(OSError):
                self._kept = read_regular(self.file, MOST_BYTES)
        self._take(JournalFile(self.record_path(number)))

    def read_back(self, number: int, seed: str) -> Match | None:
        """Go on with the journal of the match of that number, after the disk refused a write.
        Return the match as the journal has it; None where it cannot be read, or is of another seed.
        """
        try:
            match = replay(read(self.record_path(number)))
            if match.seed != seed:
                return None
            self.go_on(number)
        except (BadFile, StorageError):
            return None
        return match

    def note_finished(self, kept: HostedTableFile, end: End, when: int) -> None:
        """Write beside the record of a match that is over whose it is; `when` it ended."""
        noted = finished_file(kept, end, when)
        self._do(lambda: keep_finished(self.folder, noted))

    def start_over(self) -> None:
        """Forget the writes that the disk refused: they were news to nobody."""
        self.discard_unsynced()
        self._end = None
        self._close()

    def close_journal(self) -> None:
        """Mark the journal as left in order, and close it; a refusal of the disk is logged."""
        try:
            super().close_journal()
        except StorageError as error:
            log.error("journal not closed in order table=%s why=%s", self.table, error)

    def throw_away(self, to: Path) -> None:
        """Move the records of a closed table to another folder, after all that was written so far.
        Nothing is written any more."""

        def move() -> None:
            self.close_journal()
            put_away(self.folder, self.table, to)

        self._do(move)
        self._thrown_away = True

    def _take(self, journal: JournalFile) -> None:
        self._journal = journal
        journal.notify = self._restore

    def _restore(self, written_again: Reason) -> None:
        """The journal had gone: write the table's file again, if that has gone with it.

        Raises:
            StorageError: the disk refused it.
        """
        small_file.notify_user(written_again)
        if self._kept is not None and not self.file.exists():
            write_atomically(self.file, self._kept, private=True)

    def _finish(self, end: End) -> None:
        self._open_journal().write_end(end)

    # In the pool's threads, and back

    def _do(self, job: Callable[[], None]) -> None:
        if not self._thrown_away:
            self.writer.add(job)

    def _on_synced(self, seconds: float) -> None:
        self._observer.note_write(seconds)

    def _wake(self) -> None:
        with suppress(RuntimeError):  # the loop has ended: nobody waits any more
            self._loop.call_soon_threadsafe(self.writer.process_results)

    def _refuse(self, trouble: StorageError) -> None:
        log.error("disk refused table=%s why=%s", self.table, trouble)
        for safe in self._awaited:
            if not safe.done():
                safe.set_exception(trouble)
        self._broken(trouble)


def journal_of(folder: Path, table: str, number: int) -> Path:
    """The path of the journal of a table's match of that number."""
    return folder / f"{table}-{number}{SUFFIX}"


def _clear_unannounced(journal: Path) -> None:
    """Remove a journal without a move where the next match of its table begins: the host was killed
    before it wrote the table's file, so nobody has seen that match."""
    with suppress(BadFile, OSError):
        if not read(journal).entries:
            journal.unlink()


def last_written(folder: Path, kept: HostedTableFile) -> float:
    """The time at which a table, or the journal of its match, was last written.

    Raises:
        OSError: its file is gone.
    """
    dates = [table_file(folder, kept.table).stat().st_mtime]
    with suppress(OSError):
        dates.append(journal_of(folder, kept.table, kept.number).stat().st_mtime)
    return max(dates)


def put_away(folder: Path, table: str, to: Path) -> None:
    """Move the records of a table that nobody has open to another folder, and remove its file. What
    the disk refuses stays."""
    with suppress(OSError):
        make_folder(to)
        for path in folder.glob(f"{table}-*"):
            if path.name.endswith((SUFFIX, FINISHED, NOTES_SUFFIX)):
                move_file(path, to / path.name)
        table_file(folder, table).unlink(missing_ok=True)


def table_file(folder: Path, table: str) -> Path:
    """The path of a table's own file."""
    return folder / f"{table}{TABLE}"


_table = json_decoder(HostedTableFile)


def read_table(path: Path) -> HostedTableFile:
    """Read a table's file.

    Raises:
        ValueError, OSError: it cannot be read.
    """
    return _table.decode(read_regular(path, MOST_BYTES))


def tables_in(folder: Path) -> list[Path]:
    """The files of the tables in a folder."""
    return sorted(folder.glob(f"*{TABLE}"))


def disk_of(hosted: HostedTable) -> TableDisk:
    """The disk of a table at its host."""
    assert isinstance(hosted.services.journal, TableDisk)
    return hosted.services.journal
