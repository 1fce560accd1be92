"""The journal of a match that is being played: a record that grows by a line at a time."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from tabletop.engine.events import Event
from tabletop.history import Entry
from tabletop.match import FairStart
from tabletop.storage import file_lock
from tabletop.storage.atomic_write import write_new
from tabletop.storage.errors import StorageError, disk_trouble
from tabletop.storage.line_digests import with_digest
from tabletop.storage.record_lines import (
    LONGEST_COMMENT,
    LONGEST_NAME,
    End,
    Header,
    RecordLine,
    encode,
    line_of,
    opened,
    read_header,
    told,
)


def write_header(path: Path, header: Header) -> None:
    """Begin a journal: a new file with nothing but the header, safe on the disk. One that is
    refused leaves no file behind.

    Raises:
        StorageError: the file cannot be written, or exists already.
    """
    write_new(path, with_digest(encode(header), b""))


def begin_journal(
    path: Path, header: Header, deal: Sequence[Event], fair: FairStart | None = None
) -> "JournalFile":
    """Begin a journal with the header and the table as it was laid out; `fair` is what the seed was
    made of, where several computers made it. One that is refused leaves
    no file behind.

    Raises:
        StorageError: the file cannot be written, or exists already.
    """
    write_header(path, header)
    try:
        journal = JournalFile(path)
        try:
            journal.deal(deal, fair)
        except BaseException:
            journal.close()
            raise
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise
    return journal


def taken_elsewhere(path: Path) -> StorageError:
    """The sentence for a match that somebody else writes."""
    return StorageError('"{file}" is played on in another window.', file=path.name)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Have a file that may be a match, while it is moved or replaced: nobody plays on in it.

    Raises:
        StorageError: it is played on in another window.
    """
    try:
        file = path.open("rb")
    except OSError:  # nobody can play on in what cannot be opened
        yield
        return
    try:
        if not file_lock.take(file):
            raise taken_elsewhere(path)
        if os.name != "posix":  # no open file can be moved
            file_lock.let_go(file)
        yield
    finally:
        file_lock.let_go(file)


class JournalFile:
    """Appends lines to a record, alone; each is safe on the disk before `write` returns."""

    def __init__(self, path: Path) -> None:
        """Go on with a journal; a torn last line is cut off before the next is written.

        Raises:
            BadFile: it is no record, or sealed, and not by this computer.
            StorageError: the file cannot be written, or the match is played on in another window.
        """
        self.path = path
        try:
            self._file = path.open("r+b", buffering=0)
        except OSError as error:
            raise disk_trouble(error, path.name) from error
        try:
            self._take_up()
        except BaseException:
            self.close()
            raise

    def _take_up(self) -> None:
        try:
            if not file_lock.take(self._file):
                raise taken_elsewhere(self.path)
            if not os.path.samestat(os.fstat(self._file.fileno()), self.path.stat()):
                raise taken_elsewhere(self.path)  # it was moved before the lock held
            content = self._file.read()
        except OSError as error:
            raise disk_trouble(error, self.path.name) from error
        self._end = content.rfind(b"\n") + 1
        self._torn = content[self._end :]
        """What somebody began to write behind the end, and nobody was told of."""
        self._next = content.count(b"\n") + 1
        self._last = content[content.rfind(b"\n", 0, self._end - 1) + 1 : self._end]
        first = content[: self._end].split(b"\n", 1)[0]
        self.header, self._seal = opened(read_header(first, self.path.name), self.path.name)

    def write(self, entry: Entry, events: Sequence[Event] = ()) -> None:
        """Have the entry safe, with what it has brought about.

        Raises:
            StorageError: the disk refused it, or another window has written too; the journal stands
                as it stood before.
        """
        self._append(self._closed(line_of(entry, events)))

    def begin_write(self, entry: Entry, events: Sequence[Event] = ()) -> None:
        """As `write`, but for the disk to be waited for: the entry is safe once `sync` is over, or
        whoever else has the file (`fileno`) made safe."""
        self._append(self._closed(line_of(entry, events)), synced=False)

    def sync(self) -> None:
        """Have all safe that was written.

        Raises:
            StorageError: the disk refused it.
        """
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise disk_trouble(error, self.path.name) from error

    def fileno(self) -> int:
        """The system's number of the open file."""
        return self._file.fileno()

    @property
    def end(self) -> int:
        """Bytes of the journal."""
        return self._end

    def deal(self, events: Sequence[Event], fair: FairStart | None = None) -> None:
        """Have the table safe as it was laid out. Raises as `write`."""
        players = self.header.players if self._seal else None
        self._append(self._closed(RecordLine(deal=told(events), fair=fair, players=players)))

    def comment(self, text: str, at: int) -> None:
        """Say something on the position after so many moves. Raises as `write`."""
        self._append(RecordLine(comment=text[:LONGEST_COMMENT], at=at))

    def rename(self, name: str) -> None:
        """Call the match something. Raises as `write`."""
        self._append(RecordLine(name=name[:LONGEST_NAME]))

    def finish(self, end: End) -> None:
        """Write how the match has ended; what is sealed is open from now on. Raises as `write`."""
        self._append(RecordLine(end=end, key=self._seal.spoken() if self._seal else ""))

    def close(self) -> None:
        """Let go of the file, and of its lock."""
        file_lock.let_go(self._file)

    def _closed(self, line: RecordLine) -> RecordLine:
        """The line sealed, where the record is."""
        if self._seal is None:
            return line
        return RecordLine(seat=line.seat, sealed=self._seal.lock(encode(line), self._next))

    def _append(self, line: RecordLine, synced: bool = True) -> None:
        content = with_digest(encode(line), self._last)
        try:
            self._cut_torn()
            self._torn = content
            written = 0
            while written < len(content):
                written += self._file.write(content[written:])
            if synced:
                os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError, StorageError):
                self._cut_torn()
            raise disk_trouble(error, self.path.name) from error
        self._end += len(content)
        self._torn = b""
        self._last = content
        self._next += 1

    def _cut_torn(self) -> None:
        """Cut off what is torn, and nothing that another window has written: where a disk knows no
        locks there may be one.

        Raises:
            StorageError: another has written.
            OSError: the disk refused.
        """
        size = self._file.seek(0, os.SEEK_END)
        if size == self._end:
            return
        self._file.seek(self._end)
        if size < self._end or not self._torn.startswith(self._file.read()):
            raise taken_elsewhere(self.path)
        self._file.truncate(self._end)
        self._file.seek(self._end)
