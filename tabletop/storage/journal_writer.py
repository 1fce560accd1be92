"""Writes the journal of a running match on background threads.

Entries that arrive while the disk is busy are written and synced together afterwards.
"""

from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter

from tabletop.engine.events import Event
from tabletop.files.disk_pool import DiskPool
from tabletop.files.errors import StorageError
from tabletop.files.ordered_writer import OrderedWriter
from tabletop.match.history import Entry
from tabletop.match.match import Match
from tabletop.match.stand_ins import StandIn
from tabletop.storage.journal import JournalFile, JournalPosition
from tabletop.storage.record_lines import Header


class JournalWriter:
    """Writes the journal of one match in order, using an `OrderedWriter`."""

    def __init__(
        self,
        name: str,
        pool: DiskPool,
        wake: Callable[[], None],
        on_error: Callable[[StorageError], None],
        journal: JournalFile | None = None,
    ) -> None:
        """Create a writer for `journal`; its `OrderedWriter` gets `wake` and `on_error`."""
        self.name = name
        self.writer = OrderedWriter(name, pool, wake, on_error, self._sync)
        self._journal = journal
        self._header = journal.header if journal is not None else None
        self._unsynced_from: JournalPosition | None = None
        """The end of the journal before its first unsynced line; None if all lines are synced."""

    @property
    def header(self) -> Header | None:
        """The header of the journal, even after it was closed; None if there was no journal."""
        return self._journal.header if self._journal is not None else self._header

    def write(self, entry: Entry, events: Sequence[Event] = ()) -> None:
        """Queue an entry with its events for writing."""
        self.writer.add(partial(self._append, entry, events))

    def write_stand_in(self, stand_in: StandIn) -> None:
        """Queue a change of a seat between its player and a bot."""
        self.writer.add(partial(self._append_stand_in, stand_in))

    def call_when_synced(self, callback: Callable[[], None]) -> None:
        """Call `callback` on the owner's thread once everything queued so far is synced.

        If everything is synced already, call it immediately.
        """
        self.writer.call_when_safe(callback)

    def discard_unsynced(self) -> None:
        """Drop all lines since the last sync, after a disk error.

        The players haven't been sent these lines yet.
        """
        self.writer.discard()
        if self._unsynced_from is not None and self._journal is not None:
            self._journal.roll_back(self._unsynced_from)
        self._unsynced_from = None

    def close_journal(self) -> None:
        """Append the closing mark and close the journal.

        Raises:
            StorageError: the mark can't be written. The journal is closed nevertheless.
        """
        if self._journal is None:
            return
        try:
            self._journal.write_closing_mark()
            self._unsynced_from = None  # syncing the mark has synced everything before it
        finally:
            self._close()

    def _close(self) -> None:
        if self._journal is not None:
            self._header = self._journal.header
            self._journal.close()
            self._journal = None

    # Runs on threads of the pool

    def _append(self, entry: Entry, events: Sequence[Event]) -> None:
        self._journal_for_unsynced().write_unsynced(entry, events)

    def _append_stand_in(self, stand_in: StandIn) -> None:
        self._journal_for_unsynced().write_stand_in(stand_in, synced=False)

    def _journal_for_unsynced(self) -> JournalFile:
        """Return the open journal, and remember its position before the first unsynced line."""
        journal = self._open_journal()
        if self._unsynced_from is None:
            self._unsynced_from = journal.position
        return journal

    def _open_journal(self) -> JournalFile:
        if self._journal is None:
            raise StorageError("Can't write \"{file}\": it's closed.", file=self.name)
        return self._journal

    def _sync(self) -> None:
        if self._unsynced_from is not None:
            started = perf_counter()
            self._open_journal().sync()
            self._unsynced_from = None
            self._on_synced(perf_counter() - started)

    def _on_synced(self, seconds: float) -> None:
        """Called after each sync with its duration in seconds; subclasses override this."""


def journal_header(match: Match) -> Header | None:
    """Return the header of the journal of `match`; None if it isn't written to a file."""
    journal = match.journal
    return journal.header if isinstance(journal, JournalFile | JournalWriter) else None
