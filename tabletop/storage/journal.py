"""The journal of a match that is being played: a record that grows by a line at a time."""

import errno
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import NamedTuple

from tabletop.engine.events import Event
from tabletop.engine.model import Reason
from tabletop.files import file_lock, small_file
from tabletop.files.atomic_write import move_file, write_new
from tabletop.files.errors import OpenElsewhere, StorageError, write_error
from tabletop.files.regular_file import open_regular
from tabletop.files.small_file import unused_broken_path
from tabletop.match.history import Entry
from tabletop.match.match import FairStart
from tabletop.match.stand_ins import StandIn
from tabletop.storage.line_digests import add_digest
from tabletop.storage.record_lines import (
    MAX_COMMENT_LENGTH,
    MAX_NAME_LENGTH,
    End,
    Header,
    RecordLine,
    decode_closing_mark,
    decode_header,
    encode_line,
    event_lists_from,
    line_from_entry,
    make_closing_mark,
    stand_in_line,
    unseal_header,
)
from tabletop.text.phrases import phrase

OPEN_ELSEWHERE = phrase('"{file}" is open in another window.')
REWRITTEN = phrase(
    '"{file}" was deleted, moved or replaced while its match was open. It has been written again, '
    "with every move."
)
NOT_REWRITTEN = phrase(
    '"{file}" was deleted, moved or replaced while its match was open, and can\'t be written '
    "again: {cause}."
)
MAX_WRITE_ATTEMPTS = 3
"""Attempts to write a line to a file that disappears each time."""


def write_journal_header(path: Path, header: Header) -> None:
    """Begin a journal: a new file with nothing but the header, safe on the disk. One that is
    refused leaves no file behind.

    Raises:
        StorageError: the file cannot be written, or exists already.
    """
    write_new(path, add_digest(encode_line(header), b""))


def begin_journal(
    path: Path, header: Header, deal: Sequence[Event], fair: FairStart | None = None
) -> "JournalFile":
    """Begin a journal with the header and the table as it was laid out; `fair` is what the seed was
    made of, where several computers made it. One that is refused leaves
    no file behind.

    Raises:
        StorageError: the file cannot be written, or exists already.
    """
    write_journal_header(path, header)
    try:
        journal = JournalFile(path)
        try:
            journal.write_deal(deal, fair)
        except BaseException:
            journal.close()
            raise
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise
    return journal


@contextmanager
def lock_match_file(path: Path) -> Iterator[None]:
    """Lock a file that may be a match while it's moved or replaced, so that nobody plays on in it.

    Raises:
        StorageError: it is played on in another window.
    """
    try:
        file = open_regular(path)
    except OSError:  # what cannot be opened, nobody can be playing
        yield
        return
    try:
        if not file_lock.try_lock(file):
            raise OpenElsewhere(OPEN_ELSEWHERE, path)
        if os.name != "posix":  # Windows cannot move an open file
            file_lock.unlock_and_close(file)
        yield
    finally:
        file_lock.unlock_and_close(file)


def _open_locked(path: Path) -> FileIO:
    """The open file of a journal, locked for this process.

    Raises:
        StorageError: it cannot be opened for writing, or the match is played on in another window.
    """
    try:
        file = open_regular(path, os.O_RDWR)
    except OSError as error:
        raise write_error(error, path.name) from error
    try:
        if not file_lock.try_lock(file):
            raise OpenElsewhere(OPEN_ELSEWHERE, path)
        if not os.path.samestat(os.fstat(file.fileno()), path.stat()):
            raise OpenElsewhere(OPEN_ELSEWHERE, path)  # the file was moved before it was locked
        if os.name == "posix":
            os.fchmod(file.fileno(), 0o600)  # older programs left the permissions to the system
    except BaseException as error:
        file_lock.unlock_and_close(file)
        if isinstance(error, OSError):
            raise write_error(error, path.name) from error
        raise
    return file


class JournalPosition(NamedTuple):
    """An end of a journal, and what its next line depends on."""

    end: int
    """Bytes of the journal."""
    last: bytes
    """Its last line."""
    next: int
    """The number of its next line."""
    unmarked: bool
    moved: int


class JournalFile:
    """Appends lines to a record, alone; each is safe on the disk before `write` returns."""

    def __init__(self, path: Path) -> None:
        """Go on with a journal; a torn last line is cut off before the next is written.

        Raises:
            BadFile: it is no record, or sealed, and not by this computer.
            StorageError: the file cannot be written, or the match is played on in another window.
        """
        self.path = path
        self.notify: Callable[[Reason], object] = small_file.notify_user
        """Called when the file had to be written again, from the thread that writes."""
        self._file = _open_locked(path)
        try:
            self._read_end()
        except BaseException:
            self.close()
            raise

    def _read_end(self) -> None:
        try:
            content = self._file.read()
        except OSError as error:
            raise write_error(error, self.path.name) from error
        self.end = content.rfind(b"\n") + 1
        """Bytes of the journal."""
        self._torn = content[self.end :]
        """Bytes after the end that somebody began to write and never acknowledged."""
        self._next = content.count(b"\n") + 1
        last = content[content.rfind(b"\n", 0, self.end - 1) + 1 : self.end]
        self._last = last.replace(b"\r\n", b"\n")
        self._unsynced = bytearray()
        """The lines since the last `sync`, from the first unsynced one on."""
        self._unmarked = False
        """Whether a line was written here that no closing mark follows."""
        self._moved = 0
        """When the last move was made, where the file's date doesn't say so: only its name is new.
        """
        first = content[: self.end].split(b"\n", 1)[0]
        self.header, self._seal = unseal_header(
            decode_header(first, self.path.name), self.path.name
        )

    def write(self, entry: Entry, events: Sequence[Event] = ()) -> None:
        """Write an entry with its events, safe on the disk.

        Raises:
            StorageError: the disk refused it, or another window has written too; the journal is
                unchanged.
        """
        self._append(self._seal_line(line_from_entry(entry, events)))

    def write_stand_in(self, stand_in: StandIn, synced: bool = True) -> None:
        """Write a change of who plays at a seat. Raises as `write`."""
        self._append(self._seal_line(stand_in_line(stand_in, self._next - 1)), synced)

    def write_unsynced(self, entry: Entry, events: Sequence[Event] = ()) -> None:
        """As `write`, without waiting for the disk: the entry is safe after the next `sync`."""
        self._append(self._seal_line(line_from_entry(entry, events)), synced=False)

    def sync(self) -> None:
        """Sync all that was written.

        Raises:
            StorageError: the disk refused it.
        """
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise write_error(error, self.path.name) from error
        self.rewrite_if_missing()
        self._unsynced.clear()

    def rewrite_if_missing(self) -> None:
        """Write the journal again if another file, or none, is under its name by now.

        Raises:
            StorageError: it cannot be written there.
        """
        if not self._has_own_path():
            self._rewrite()

    @property
    def has_closing_mark(self) -> bool:
        """Whether the journal ends with a closing mark."""
        return decode_closing_mark(self._last) is not None

    @property
    def position(self) -> JournalPosition:
        """The present end, to which `roll_back` can return."""
        return JournalPosition(self.end, self._last, self._next, self._unmarked, self._moved)

    def roll_back(self, to: JournalPosition) -> None:
        """Go on at an earlier position: what follows it was never acknowledged. It is cut off now,
        or before the next line is written if the disk refuses that now."""
        self._torn = bytes(self._unsynced) + self._torn
        self._unsynced.clear()
        self.end, self._last, self._next, self._unmarked, self._moved = to
        with suppress(OSError, StorageError):
            self._cut_torn_line()

    def write_deal(self, events: Sequence[Event], fair: FairStart | None = None) -> None:
        """Write the deal. Raises as `write`."""
        players = self.header.players if self._seal else None
        self._append(
            self._seal_line(RecordLine(deal=event_lists_from(events), fair=fair, players=players))
        )

    def write_comment(self, text: str, at: int) -> None:
        """Write a comment on the position after this many moves. Raises as `write`."""
        self._append(RecordLine(comment=text[:MAX_COMMENT_LENGTH], at=at))

    def write_name(self, name: str) -> None:
        """Name the match, which is no move. Raises as `write`."""
        before = decode_closing_mark(self._last)
        changed = os.fstat(self._file.fileno())
        moved = self._moved or (before.moved if before is not None else 0)
        self._append(RecordLine(name=name[:MAX_NAME_LENGTH]))
        self._moved = moved or max(0, int(changed.st_mtime))

    def write_end(self, end: End) -> None:
        """Write how the match has ended; what is sealed is open from now on. Raises as `write`."""
        self._append(RecordLine(end=end, key=self._seal.open_key() if self._seal else ""))

    def write_closing_mark(self) -> None:
        """Write the closing mark, if anything was written since the last one: the match is left in
        order, so lines that are missing later were cut off. The file's date stays that of its last
        move. Raises as `write`."""
        self.rewrite_if_missing()
        if not self._unmarked:
            return
        changed = os.fstat(self._file.fileno())
        self._append(
            make_closing_mark(self._next - 1, self._moved or max(0, int(changed.st_mtime)))
        )
        self._unmarked = False
        with suppress(OSError):
            os.utime(self.path, ns=(changed.st_atime_ns, changed.st_mtime_ns))

    def close(self) -> None:
        """Let go of the file, and of its lock."""
        file_lock.unlock_and_close(self._file)

    def _seal_line(self, line: RecordLine) -> RecordLine:
        """The line sealed, where the record is."""
        if self._seal is None:
            return line
        return RecordLine(seat=line.seat, sealed=self._seal.lock(encode_line(line), self._next))

    def _append(self, line: RecordLine, synced: bool = True) -> None:
        content = add_digest(encode_line(line), self._last)
        for _ in range(MAX_WRITE_ATTEMPTS):
            self.rewrite_if_missing()
            self._write(content, synced)
            if not synced or self._has_own_path():
                break
            # the file has just disappeared, and the line with it
            with suppress(OSError, StorageError):
                self._cut_torn_line()
        else:
            raise StorageError(NOT_REWRITTEN, file=self.path.name, cause=os.strerror(errno.ENOENT))
        self.end += len(content)
        self._torn = b""
        self._last = content
        if self._unsynced or not synced:
            self._unsynced += content
        self._next += 1
        self._unmarked = True
        self._moved = 0

    def _write(self, content: bytes, synced: bool) -> None:
        """Write after the end; what is written there counts for torn until the end is moved."""
        try:
            self._cut_torn_line()
            self._torn = content
            written = 0
            while written < len(content):
                written += self._file.write(content[written:])
            if synced:
                os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError, StorageError):
                self._cut_torn_line()
            raise write_error(error, self.path.name) from error

    def _has_own_path(self) -> bool:
        """Whether the open file is still the one under its name."""
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), self.path.stat())
        except OSError:
            return False

    def _rewrite(self) -> None:
        """Write what the open file holds under its name, and go on there; another file that has
        the name by now is set aside.

        Raises:
            StorageError: it cannot be written there, or somebody plays on in the other file.
        """
        name = self.path.name
        try:
            self._file.seek(0)
            content = self._file.read()[: self.end]
            if len(content) < self.end:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            if os.path.lexists(self.path):
                with lock_match_file(self.path):
                    move_file(self.path, unused_broken_path(self.path))
            if self._seal is not None:
                from tabletop.storage.seal import restore_key

                restore_key()
            write_new(self.path, content)
            file = _open_locked(self.path)
        except (OSError, StorageError) as error:
            refused = error if isinstance(error, OSError) else error.__cause__
            if not isinstance(refused, OSError):
                raise
            cause = refused.strerror or type(refused).__name__
            raise StorageError(NOT_REWRITTEN, file=name, cause=cause) from error
        file_lock.unlock_and_close(self._file)
        file.seek(self.end)
        self._file = file
        self._torn = b""
        self.notify(Reason(REWRITTEN, {"file": name}))

    def _cut_torn_line(self) -> None:
        """Cut off what is torn, and nothing that another window has written: where a disk knows no
        locks there may be one.

        Raises:
            StorageError: another has written.
            OSError: the disk refused.
        """
        size = self._file.seek(0, os.SEEK_END)
        if size == self.end:
            return
        self._file.seek(self.end)
        if size < self.end or not self._torn.startswith(self._file.read()):
            raise OpenElsewhere(OPEN_ELSEWHERE, self.path)
        self._file.truncate(self.end)
        self._file.seek(self.end)
