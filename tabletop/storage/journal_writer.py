"""The journal of a running match, written beside it: what happened is news once it is safe.

Entries that come in while the disk is busy are written and synced together next.
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
    """Writes one match's journal in order (`OrderedWriter`)."""

    def __init__(
        self,
        name: str,
        pool: DiskPool,
        wake: Callable[[], None],
        refused: Callable[[StorageError], None],
        journal: JournalFile | None = None,
    ) -> None:
        """`wake` and `refused` as of `OrderedWriter`."""
        self.name = name
        self.writer = OrderedWriter(name, pool, wake, refused, self._sync)
        self._journal = journal
        self._header = journal.header if journal is not None else None
        self._unsynced_from: JournalPosition | None = None
        """The end of the journal before what is not synced yet."""

    @property
    def header(self) -> Header | None:
        """The header of the journal, also of one that was closed; None before the first."""
        return self._journal.header if self._journal is not None else self._header

    def write(self, entry: Entry, events: Sequence[Event] = ()) -> None:
        """Append an entry with its events."""
        self.writer.add(partial(self._append, entry, events))

    def write_stand_in(self, stand_in: StandIn) -> None:
        """Append a change of who plays at a seat."""
        self.writer.add(partial(self._append_stand_in, stand_in))

    def call_when_synced(self, act: Callable[[], None]) -> None:
        """Call `act` once all that was written so far is safe; at once if it is."""
        self.writer.call_when_safe(act)

    def discard_unsynced(self) -> None:
        """Drop everything after the last sync, once the disk has refused something: it was news to
        nobody."""
        self.writer.discard()
        if self._unsynced_from is not None and self._journal is not None:
            self._journal.roll_back(self._unsynced_from)
        self._unsynced_from = None

    def close_journal(self) -> None:
        """Mark the journal as left in order, and close it.

        Raises:
            StorageError: the disk refused the mark; the journal is closed all the same.
        """
        if self._journal is None:
            return
        try:
            self._journal.write_closing_mark()
            self._unsynced_from = None  # the mark was synced, and everything before it
        finally:
            self._close()

    def _close(self) -> None:
        if self._journal is not None:
            self._header = self._journal.header
            self._journal.close()
            self._journal = None

    # In the pool's threads

    def _append(self, entry: Entry, events: Sequence[Event]) -> None:
        self._journal_for_unsynced().write_unsynced(entry, events)

    def _append_stand_in(self, stand_in: StandIn) -> None:
        self._journal_for_unsynced().write_stand_in(stand_in, synced=False)

    def _journal_for_unsynced(self) -> JournalFile:
        """The journal, for a line that is not synced yet."""
        journal = self._open_journal()
        if self._unsynced_from is None:
            self._unsynced_from = journal.position
        return journal

    def _open_journal(self) -> JournalFile:
        if self._journal is None:
            raise StorageError("Can't write \"{file}\": it's closed.", file=self.name)
        return self._journal

    def _sync(self) -> None:
        """Sync the journal once for all that was written to it."""
        if self._unsynced_from is not None:
            started = perf_counter()
            self._open_journal().sync()
            self._unsynced_from = None
            self._on_synced(perf_counter() - started)

    def _on_synced(self, seconds: float) -> None:
        """Note how long a sync took."""


def journal_header(match: Match) -> Header | None:
    """Return the header of the file that a match is written to; None if it isn't."""
    journal = match.journal
    return journal.header if isinstance(journal, JournalFile | JournalWriter) else None
