"""The host's write-ahead log: what is told to anybody is safe on the disk first.

While the disk is quick a move is waited for at once: to have somebody else wait would take longer
than to wait. A disk that takes its time, or has much to do, is waited for by the kernel where that
can (`disk.kernel_sync`), else in threads, so that no table waits for another one's; what is written
meanwhile goes down together, and a message that leaves after something was written is held back
until that is safe.
"""

import logging
import os
from asyncio import AbstractEventLoop, Future
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from secrets import token_hex
from time import perf_counter, time

import msgspec

from tabletop.bots.decision import LEVELS, Question
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import Kit
from tabletop.engine.events import Ended, Event
from tabletop.engine.heuristic import Past, some
from tabletop.engine.model import Ask, Move, Offer, Reason, State
from tabletop.engine.scratch import Luck
from tabletop.files import small_file
from tabletop.files.atomic_write import make_folder, patiently, sync_folder, write_whole
from tabletop.files.errors import StorageError, disk_trouble
from tabletop.files.regular_file import MIB, read_regular
from tabletop.match.history import Entry
from tabletop.match.match import Match
from tabletop.match.reactions import thinking_time
from tabletop.net.host.bot_ration import BotRation
from tabletop.net.host.finished_file import FINISHED, finished_file, keep_finished
from tabletop.net.host.writer_pool import MOVES, TABLES, WriterPool
from tabletop.net.table.hosted_table import HostedTable, HostedTableFile
from tabletop.net.table.seats import Peer, Timer
from tabletop.storage import playtest_notes
from tabletop.storage.journal import JournalFile, begin_journal
from tabletop.storage.playtest_notes import ENDING, PlaytestNote
from tabletop.storage.record import SUFFIX, header, sealed
from tabletop.storage.record_lines import End, end_of

log = logging.getLogger("tabletop.net")

TABLE = ".table"
"""What the file of a table ends with."""


MOST_BYTES = 4 * MIB
"""Of the file of a table."""
BOT_SECONDS = 1.0
"""How long a bot of the hard level may think."""


class TableFileWrite:
    """The file of a table, to be written. As long as nobody has begun, a newer content takes the
    place of the old one: a table that changes all the time has the disk no more than others."""

    def __init__(self, path: Path, content: bytes) -> None:
        self.content = content
        self._path = path

    def __call__(self) -> None:
        write_whole(self._path, self.content)


class WriteAheadLog:
    """What one table writes, and what it tells once that is safe (its `TableServices`)."""

    def __init__(
        self,
        folder: Path,
        table: str,
        loop: AbstractEventLoop,
        writers: WriterPool,
        broken: Callable[[StorageError], None],
        pause: float,
        bots: BotRation | None = None,
        count_move: Callable[[], None] = lambda: None,
    ) -> None:
        """`broken` hears that the disk refused: what was held back is never told. `pause`: seconds
        that a bot waits before it answers. `count_move` is called for each move that is safe."""
        self.folder = folder
        self.table = table
        self._loop = loop
        self._writers = writers
        self._broken = broken
        self._pause = pause
        self._bots = bots
        self._count_move = count_move
        self._journal: JournalFile | None = None
        self._todo: list[Callable[[], None]] = []
        self._busy = False
        self._thrown_away = False
        self._end: End | None = None
        """How the match has ended, until it is noted whose record it is."""
        self._written = 0
        self._safe = 0
        self._unsafe: int | None = None
        """Where in the journal begins what the kernel has not made safe yet."""
        self._kept: bytes | None = None
        """What the table's file holds, or is about to."""
        self._held: deque[tuple[int, Callable[[], None]]] = deque()
        self._awaited: set[Future[None]] = set()

    @property
    def file(self) -> Path:
        return table_file(self.folder, self.table)

    def record(self, number: int) -> Path:
        """Where the journal of the match of that number lies."""
        return journal_of(self.folder, self.table, number)

    def finished_file(self, number: int) -> Path:
        """Where it is noted whose the record of that match is, once it is over."""
        return self.record(number).with_suffix(FINISHED)

    # What a table asks for

    def write(self, entry: Entry, events: Sequence[Event] = ()) -> None:
        at_once = not self._busy and self._writers.idle
        if at_once or (self._writers.asynchronous and not self._busy):
            try:
                (self._write_at_once if at_once else self._give_to_kernel)(entry, events)
            except StorageError as error:
                log.error("disk refused table=%s why=%s", self.table, error)
                raise
        else:
            self._do(lambda: self._open_journal().write(entry, events))
        if entry.move is not None:
            self.when_safe(self._count_move)
        for event in events:
            if type(event) is Ended:
                self._end = end_of(event.result)
                self._do(partial(self._finish, self._end))

    def begin(self, kit: Kit, match: Match, number: int) -> None:
        head = header(kit, match.players, match.state.options, match.seed)
        path, deal, fair = self.record(number), match.plies[0].events, match.fair_start

        def begin() -> None:
            self.shut()
            self._take(begin_journal(path, sealed(head), deal, fair))

        self._do(begin)

    def keep(self, kept: HostedTableFile) -> None:
        content = self._kept = msgspec.json.encode(kept)
        last = self._todo[-1] if self._todo else None
        if isinstance(last, TableFileWrite):
            last.content = content
        else:
            self._do(TableFileWrite(self.file, content))
        if kept.phase == "over" and self._end is not None:
            self.note_finished(kept, self._end, int(time()))
            self._end = None

    def post(self, peer: Peer, frame: bytes) -> None:
        self.when_safe(partial(peer.send, frame))

    def later(self, seconds: float, act: Callable[[], None]) -> Timer:
        return self._loop.call_later(seconds, act)

    def think(
        self,
        game: str,
        level: str,
        view: State,
        offers: dict[int, tuple[Offer, ...]],
        ask: Ask,
        past: Past,
        done: Callable[[Move], None],
    ) -> None:
        if self._bots is None or level not in LEVELS:
            done(some(offers[ask.id], ask.id, Luck(None)))
            return
        seed = token_hex(8)  # nothing of the match's own seed reaches an agent
        theirs, meaning = offers[ask.id], catalogue.load(game).meaning
        seconds = thinking_time(meaning, ask, theirs, BOT_SECONDS, self._pause)
        self._bots.ponder(
            Question(game, level, view, ask, theirs, seconds, seed, past),
            lambda decision: done(decision.move),
        )

    # What the host asks for

    def when_safe(self, act: Callable[[], None]) -> None:
        """Do something once all that was written so far is safe."""
        if self.settled:
            act()
        else:
            self._held.append((self._written, act))

    async def all_safe(self) -> None:
        """Come back once all that was written so far is safe.

        Raises:
            StorageError: the disk refused it.
        """
        safe: Future[None] = self._loop.create_future()
        self._awaited.add(safe)
        self.when_safe(lambda: None if safe.done() else safe.set_result(None))
        try:
            await safe
        finally:
            self._awaited.discard(safe)

    @property
    def settled(self) -> bool:
        """Whether nothing is left to be written."""
        return self._safe == self._written

    def go_on(self, number: int) -> None:
        """Go on with a journal that is there.

        Raises:
            StorageError: it cannot be written.
        """
        if self._kept is None:
            with suppress(OSError):
                self._kept = read_regular(self.file, MOST_BYTES)
        self._take(JournalFile(self.record(number)))

    def note(self, number: int, note: PlaytestNote) -> None:
        path = playtest_notes.place(self.record(number))

        def keep() -> None:
            try:
                playtest_notes.add(path, note)
            except StorageError as error:  # a note is no move: the table goes on
                log.error("note lost table=%s why=%s", self.table, error)

        self._do(keep)

    def noted(self, number: int) -> tuple[PlaytestNote, ...]:
        return playtest_notes.notes(playtest_notes.place(self.record(number)))

    def note_finished(self, kept: HostedTableFile, end: End, when: int) -> None:
        """Have written beside the record of a match that is over whose it is; `when` it ended."""
        noted = finished_file(kept, end, when)
        self._do(lambda: keep_finished(self.folder, noted))

    def start_over(self) -> None:
        """After the disk refused: forget what was not written and never told."""
        self._todo = []
        self._held.clear()
        self._end = None
        self._written = self._safe = 0
        if self._unsafe is not None and self._journal is not None:
            with suppress(OSError):  # what stands there then is told to all anew
                self._journal.cut_back(self._unsafe)
        self._unsafe = None
        self._let_go()

    def shut(self) -> None:
        """Close the journal in order."""
        if self._journal is not None:
            try:
                self._journal.mark_closed()
            except StorageError as error:
                log.error("journal not closed in order table=%s why=%s", self.table, error)
            self._let_go()

    def _let_go(self) -> None:
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    def _take(self, journal: JournalFile) -> None:
        self._journal = journal
        journal.tell = self._restore

    def _restore(self, written_again: Reason) -> None:
        """The journal had gone: write the table's file again, if that has gone with it.

        Raises:
            StorageError: the disk refused it.
        """
        small_file.tell(written_again)
        if self._kept is not None and not self.file.exists():
            write_whole(self.file, self._kept)

    def throw_away(self, to: Path) -> None:
        """The table is no more: its records go to another folder, after all that was written so
        far, and nothing is written any more."""

        def move() -> None:
            self.shut()
            with suppress(OSError):
                make_folder(to)
                for path in self.folder.glob(f"{self.table}-*"):
                    if path.name.endswith((SUFFIX, FINISHED, ENDING)):
                        patiently(partial(path.replace, to / path.name))
                sync_folder(to)
                self.file.unlink(missing_ok=True)

        self._do(move)
        self._thrown_away = True

    def _write_at_once(self, entry: Entry, events: Sequence[Event]) -> None:
        begun = perf_counter()
        self._open_journal().write(entry, events)
        self._writers.took(perf_counter() - begun, True)

    def _give_to_kernel(self, entry: Entry, events: Sequence[Event]) -> None:
        """Write, and have the kernel wait until it is safe."""
        journal = self._open_journal()
        end = journal.end
        journal.begin_write(entry, events)
        self._unsafe = end
        begun = perf_counter()

        def synced(number: int) -> None:
            self._writers.took(perf_counter() - begun, False)
            trouble: StorageError | None = None
            if number:
                trouble = disk_trouble(OSError(number, os.strerror(number)), journal.path.name)
            else:
                try:
                    journal.keep_place()
                except StorageError as error:
                    trouble = error
            self._written_down(1, trouble)

        if self._writers.begin_sync(journal.fileno(), synced):
            self._written += 1
            self._busy = True
        else:
            self._do(journal.sync)

    def _finish(self, end: End) -> None:
        self._open_journal().finish(end)

    def _open_journal(self) -> JournalFile:
        if self._journal is None:
            raise StorageError('"{file}" cannot be written: it is closed.', file=self.table)
        return self._journal

    def _do(self, job: Callable[[], None]) -> None:
        if self._thrown_away:
            return
        self._todo.append(job)
        self._written += 1
        if not self._busy:
            self._hand_out()

    def _hand_out(self) -> None:
        jobs, self._todo = self._todo, []
        self._busy = True
        arranged = all(isinstance(job, TableFileWrite) for job in jobs)
        self._writers.give(lambda: self._write_down(jobs), TABLES if arranged else MOVES)

    def _write_down(self, jobs: list[Callable[[], None]]) -> None:
        """In a thread: do what is to be written, in order."""
        trouble: StorageError | None = None
        try:
            for job in jobs:
                begun = perf_counter()
                job()
                if not isinstance(job, TableFileWrite):
                    self._writers.took(perf_counter() - begun, False)
        except StorageError as error:
            trouble = error
        with suppress(RuntimeError):  # the loop has ended: nobody waits any more
            self._loop.call_soon_threadsafe(self._written_down, len(jobs), trouble)

    def _written_down(self, count: int, trouble: StorageError | None) -> None:
        self._busy = False
        if trouble is not None:
            for safe in self._awaited:
                if not safe.done():
                    safe.set_exception(trouble)
            self._broken(trouble)
            return
        self._safe += count
        self._unsafe = None
        while self._held and self._held[0][0] <= self._safe:
            self._held.popleft()[1]()
        if self._todo:
            self._hand_out()


def journal_of(folder: Path, table: str, number: int) -> Path:
    """Where the journal of a table's match of that number lies."""
    return folder / f"{table}-{number}{SUFFIX}"


def table_file(folder: Path, table: str) -> Path:
    """Where what is kept of a table lies, besides the journals of its matches."""
    return folder / f"{table}{TABLE}"


_table = msgspec.json.Decoder(HostedTableFile)  # made once, as in `record_lines`


def read_table(path: Path) -> HostedTableFile:
    """What was kept of a table.

    Raises:
        ValueError, OSError: it cannot be read.
    """
    return _table.decode(read_regular(path, MOST_BYTES))


def tables_in(folder: Path) -> list[Path]:
    """The files of the tables that lie there."""
    return sorted(folder.glob(f"*{TABLE}"))


def wal_of(hosted: HostedTable) -> WriteAheadLog:
    """What a host has given the table to be carried out."""
    assert isinstance(hosted.services, WriteAheadLog)
    return hosted.services
