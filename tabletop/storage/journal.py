"""The journal of a running match: a record to which lines are appended."""

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
    without_blank_end,
)
from tabletop.text.phrases import phrase

OPEN_IN_OTHER_WINDOW = phrase('"{file}" is open in another window.')
REWRITTEN_NOTICE = phrase(
    '"{file}" was deleted, moved or replaced while its match was open. It has been written again, '
    "with every move."
)
REWRITE_FAILED = phrase(
    '"{file}" was deleted, moved or replaced while its match was open, and can\'t be written '
    "again: {cause}."
)
MAX_WRITE_ATTEMPTS = 3
"""How many times a line is written at most, if the file disappears during each attempt."""


def write_journal_header(path: Path, header: Header) -> None:
    """Create a journal that contains only `header`, and sync it to disk.

    Raises:
        StorageError: the file can't be written, or exists already. No new file is left behind.
    """
    write_new(path, add_digest(encode_line(header), b""))


def begin_journal(
    path: Path, header: Header, deal: Sequence[Event], fair: FairStart | None = None
) -> "JournalFile":
    """Create a journal with `header` and the events of the deal, and return it open for writing.

    `fair`: the commitments and shares behind the seed of an online match.

    Raises:
        StorageError: the file can't be written, or exists already. No new file is left behind.
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
    """Lock a match's file while it is moved or replaced, so that no other window resumes the match.

    Raises:
        StorageError: the match is open in another window.
    """
    try:
        file = open_regular(path)
    except OSError:  # a file that cannot be opened is not in use
        yield
        return
    try:
        if not file_lock.try_lock(file):
            raise OpenElsewhere(OPEN_IN_OTHER_WINDOW, path)
        if os.name != "posix":  # Windows cannot move an open file
            file_lock.unlock_and_close(file)
        yield
    finally:
        file_lock.unlock_and_close(file)


def _open_locked(path: Path) -> FileIO:
    """Open a journal for reading and writing, and lock it for this process.

    Raises:
        StorageError: the file can't be opened, or its match is open in another window.
    """
    try:
        file = open_regular(path, os.O_RDWR)
    except OSError as error:
        raise write_error(error, path.name) from error
    try:
        if not file_lock.try_lock(file):
            raise OpenElsewhere(OPEN_IN_OTHER_WINDOW, path)
        if not os.path.samestat(os.fstat(file.fileno()), path.stat()):
            raise OpenElsewhere(
                OPEN_IN_OTHER_WINDOW, path
            )  # the file was moved before it was locked
        if os.name == "posix":
            os.fchmod(file.fileno(), 0o600)  # older versions used the default permissions
    except BaseException as error:
        file_lock.unlock_and_close(file)
        if isinstance(error, OSError):
            raise write_error(error, path.name) from error
        raise
    return file


class JournalPosition(NamedTuple):
    """The end of a journal at one moment, to which `JournalFile.roll_back` can return."""

    end: int
    """The length of the journal, in bytes."""
    last: bytes
    """The last line."""
    next: int
    """The number of the next line."""
    unmarked: bool
    """Whether a line has been written since the last closing mark."""
    moved: int
    """When the last move was made, in Unix seconds; 0 if the file's modification time tells it."""


class JournalFile:
    """An open, locked record file to which lines are appended.

    Methods that write a line return once it is synced to disk, unless stated otherwise.
    """

    def __init__(self, path: Path) -> None:
        """Open the journal at `path`.

        An incomplete last line and blank lines at the end are cut off before the next line is
        written.

        Raises:
            BadFile: the file isn't a record, or is sealed with another computer's key.
            StorageError: the file can't be opened, or its match is open in another window.
        """
        self.path = path
        self.notify: Callable[[Reason], object] = small_file.notify_user
        """A function called on the writing thread with a notice after the file was rewritten."""
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
        self.end = without_blank_end(content).rfind(b"\n") + 1
        """The length of the journal, in bytes."""
        self._torn = content[self.end :]
        """The bytes after `end`: blank lines, or an incomplete line that was never acknowledged."""
        self._next = content.count(b"\n", 0, self.end) + 1
        last = content[content.rfind(b"\n", 0, self.end - 1) + 1 : self.end]
        self._last = last.replace(b"\r\n", b"\n")
        self._unsynced = bytearray()
        """The encoded lines written since the last `sync`."""
        self._unmarked = False
        """Whether a line has been written since the last closing mark."""
        self._moved = 0
        """When the last move was made, in Unix seconds; 0 if the file's modification time tells it.

        Renaming the match changes the modification time.
        """
        first = content[: self.end].split(b"\n", 1)[0]
        self.header, self._seal = unseal_header(
            decode_header(first, self.path.name), self.path.name
        )

    def write(self, entry: Entry, events: Sequence[Event] = ()) -> None:
        """Append an entry with its events, and sync it to disk.

        Raises:
            StorageError: the line can't be written, or another window has written to the file. The
                journal is unchanged.
        """
        self._append(self._seal_line(line_from_entry(entry, events)))

    def write_stand_in(self, stand_in: StandIn, synced: bool = True) -> None:
        """Append a change of a seat between its player and a bot, and sync it if `synced`.

        Raises like `write`.
        """
        self._append(self._seal_line(stand_in_line(stand_in, self._next - 1)), synced)

    def write_unsynced(self, entry: Entry, events: Sequence[Event] = ()) -> None:
        """Append an entry with its events without syncing it, and leave that to `sync`.

        Raises like `write`.
        """
        self._append(self._seal_line(line_from_entry(entry, events)), synced=False)

    def sync(self) -> None:
        """Sync all lines written so far to the disk.

        Raises:
            StorageError: the disk reports an error.
        """
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise write_error(error, self.path.name) from error
        self.rewrite_if_missing()
        self._unsynced.clear()

    def rewrite_if_missing(self) -> None:
        """Write the journal to its path again if its file was deleted, moved or replaced.

        Raises:
            StorageError: the journal can't be written at its path.
        """
        if not self._has_own_path():
            self._rewrite()

    @property
    def has_closing_mark(self) -> bool:
        """Whether the journal ends with a closing mark."""
        return decode_closing_mark(self._last) is not None

    @property
    def position(self) -> JournalPosition:
        """The current end of the journal, to which `roll_back` can return."""
        return JournalPosition(self.end, self._last, self._next, self._unmarked, self._moved)

    def roll_back(self, to: JournalPosition) -> None:
        """Return to an earlier position, and discard the lines after it.

        If the disk fails now, these lines are cut off before the next line is written.
        """
        self._torn = bytes(self._unsynced) + self._torn
        self._unsynced.clear()
        self.end, self._last, self._next, self._unmarked, self._moved = to
        with suppress(OSError, StorageError):
            self._cut_torn_line()

    def write_deal(self, events: Sequence[Event], fair: FairStart | None = None) -> None:
        """Append and sync the events of the deal. Raises like `write`."""
        players = self.header.players if self._seal else None
        self._append(
            self._seal_line(RecordLine(deal=event_lists_from(events), fair=fair, players=players))
        )

    def write_comment(self, text: str, at: int) -> None:
        """Append and sync a comment on the position after `at` moves. Raises like `write`."""
        self._append(RecordLine(comment=text[:MAX_COMMENT_LENGTH], at=at))

    def write_name(self, name: str) -> None:
        """Append and sync a new name for the match. Raises like `write`."""
        before = decode_closing_mark(self._last)
        changed = os.fstat(self._file.fileno())
        moved = self._moved or (before.moved if before is not None else 0)
        self._append(RecordLine(name=name[:MAX_NAME_LENGTH]))
        self._moved = moved or max(0, int(changed.st_mtime))

    def write_end(self, end: End) -> None:
        """Append and sync the end of the match, with the key if the record is sealed.

        Raises like `write`.
        """
        self._append(RecordLine(end=end, key=self._seal.open_key() if self._seal else ""))

    def write_closing_mark(self) -> None:
        """Append a closing mark if lines have been written since the last one.

        The mark shows that the match was left normally, so that a truncated file can be recognized.
        The file's modification time remains unchanged. Raises like `write`.
        """
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
        """Unlock and close the file."""
        file_lock.unlock_and_close(self._file)

    def _seal_line(self, line: RecordLine) -> RecordLine:
        """Return `line`, encrypted if the record is sealed."""
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
            # the file was deleted during the write, and the line with it
            with suppress(OSError, StorageError):
                self._cut_torn_line()
        else:
            raise StorageError(REWRITE_FAILED, file=self.path.name, cause=os.strerror(errno.ENOENT))
        self.end += len(content)
        self._torn = b""
        self._last = content
        if self._unsynced or not synced:
            self._unsynced += content
        self._next += 1
        self._unmarked = True
        self._moved = 0

    def _write(self, content: bytes, synced: bool) -> None:
        """Write `content` after the end of the journal.

        Until the caller advances `end`, `content` counts as an incomplete line.
        """
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
        """Return whether `path` still refers to the open file."""
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), self.path.stat())
        except OSError:
            return False

    def _rewrite(self) -> None:
        """Write the content of the open file to `path` again, and continue with the new file.

        If there is another file at `path`, rename it first.

        Raises:
            StorageError: the file can't be written, or the other file's match is open in another
                window.
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
            raise StorageError(REWRITE_FAILED, file=name, cause=cause) from error
        file_lock.unlock_and_close(self._file)
        file.seek(self.end)
        self._file = file
        self._torn = b""
        self.notify(Reason(REWRITTEN_NOTICE, {"file": name}))

    def _cut_torn_line(self) -> None:
        """Cut off an incomplete last line, but never a line that another window has written.

        On a disk without locks, two windows may write to the same file.

        Raises:
            StorageError: another window has written to the file.
            OSError: the file can't be truncated.
        """
        size = self._file.seek(0, os.SEEK_END)
        if size == self.end:
            return
        self._file.seek(self.end)
        if size < self.end or not self._torn.startswith(self._file.read()):
            raise OpenElsewhere(OPEN_IN_OTHER_WINDOW, self.path)
        self._file.truncate(self.end)
        self._file.seek(self.end)
