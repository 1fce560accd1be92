"""Reading and writing of small files: settings, keys, known hosts, notes, caches.

A small file is written atomically, locked against other processes, and validated when it is read.
If it is damaged, it is renamed, the user is notified, and a new file takes its place. Caches are
simply recreated, and need no lock.
"""

import codecs
import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from tabletop.engine.model import Reason
from tabletop.files import file_lock
from tabletop.files.atomic_write import (
    make_folder,
    retry_if_locked,
    write_atomically,
    write_without_sync,
)
from tabletop.files.errors import StorageError, read_error, write_error
from tabletop.files.regular_file import MIB, TooLarge, open_regular, read_regular
from tabletop.text.phrases import fill_gaps

log = logging.getLogger("tabletop")

T = TypeVar("T")
V = TypeVar("V")
NoticeHandler = Callable[[Reason], object]
"""A function that is called with a notice for the user."""

BROKEN_INFIX = ".broken-"
"""The text between the original name and the time in the name of a renamed, damaged file."""
DIGEST_PREFIX = b"\n#sha256 "
DIGEST_LINE_BYTES = len(DIGEST_PREFIX) + 64 + 1
"""The length of the digest line after the content, in bytes."""
MAX_BYTES = MIB
"""The default maximum size of a small file."""
MAX_CACHE_BYTES = 64 * MIB
LOCK_TIMEOUT_S = 5.0
"""How long to wait while another process writes the file, in seconds."""
LOCK_RETRY_INTERVAL_S = 0.01
"""The pause between attempts to lock a file, in seconds."""
DAMAGE_ERRORS = (ValueError, OverflowError, RecursionError, msgspec.MsgspecError)
"""Errors that decoders raise for damaged content."""

_notice_handlers: list[NoticeHandler] = []
"""The handler set by `set_notice_handler`; empty if none was set."""


def set_notice_handler(handler: NoticeHandler) -> None:
    """Set the function that is called, on any thread, with notices for the user."""
    _notice_handlers[:] = [handler]


def notify_user(reason: Reason) -> None:
    """Log a notice for the user, and pass it to the notice handler.

    Without a window, the log goes to standard error.
    """
    log.warning("%s", fill_gaps(reason.text, reason.args))
    for handler in tuple(_notice_handlers):
        handler(reason)


class InvalidContent(ValueError):
    """An error raised by a decoder that provides its own notice for the user.

    `sentence`: replaces the `broken` notice of a `SmallFile`, with the same placeholders.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class SmallFile(Generic[T]):
    """Access to a small file that stores one value of type `T`."""

    def __init__(
        self,
        path: Path,
        decode: Callable[[bytes], T],
        encode: Callable[[T], bytes],
        broken: str,
        *,
        notify_user: NoticeHandler = notify_user,
        signed: bool = True,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        """Prepare access to the file at `path`, without reading it.

        Args:
            decode: converts the content to a value; raises one of `DAMAGE_ERRORS` if it is damaged.
            encode: converts a value to content.
            broken: the notice for a damaged file, with the placeholders `file` and `aside` (its new
                name).
            notify_user: called with notices.
            signed: whether a digest follows the content. Files of older versions may lack it.
            max_bytes: the maximum size. A larger file counts as damaged.
        """
        self.path = path
        self._decode = decode
        self._encode = encode
        self._broken = broken
        self._notify_user = notify_user
        self._signed = signed
        self._max_bytes = max_bytes
        self._unsigned = False
        """Whether the content that was last read had no digest."""

    def read(self) -> T | None:
        """Return the value; None if the file doesn't exist, or was damaged and has been renamed.

        Raises:
            StorageError: the file can't be read or renamed.
        """
        try:
            return self._read()
        except DAMAGE_ERRORS:
            with lock_file(self.path):
                return self._read_again()

    def try_decode(self) -> T | None:
        """Return the value, if the file exists. A damaged file isn't renamed.

        Raises:
            StorageError: the file can't be read.
            DAMAGE_ERRORS: the file is damaged.
        """
        return self._read()

    def read_or_default(self, otherwise: T) -> T:
        """Return the value, or `otherwise` if there is none or it can't be read.

        The user is notified of disk errors.
        """
        try:
            value = self.read()
        except StorageError as error:
            self._notify_user(error.reason)
            return otherwise
        return otherwise if value is None else value

    def update(self, act: Callable[[T | None], T]) -> T:
        """Replace the value by `act(value)` while the file is locked, and return the new value.

        Raises:
            StorageError: the file can't be read or written; its content is unchanged.
        """
        with lock_file(self.path):
            fresh = act(self._read_again())
            content = self._encode(fresh)
            content = add_digest(content) if self._signed else content
            if len(content) > self._max_bytes:  # a file this large could not be read again
                raise StorageError('"{file}" would be too large.', file=self.path.name)
            write_atomically(self.path, content, private=True)
        return fresh

    def read_or_create(self, fresh: Callable[[], T]) -> T:
        """Return the value; if there is none, write `fresh()` first.

        Raises:
            StorageError: the file can't be read or written.
        """
        value = self.read()
        if value is not None and not self._unsigned:
            return value
        return self.update(lambda now: fresh() if now is None else now)

    def _read(self) -> T | None:
        try:
            content = read_regular(self.path, self._max_bytes)
        except FileNotFoundError:
            return None
        except TooLarge as error:
            raise ValueError("too large for a file of its kind") from error
        except OSError as error:
            raise read_error(error, self.path.name) from error
        content = content.removeprefix(codecs.BOM_UTF8)  # added by editors on Windows
        if self._signed:
            self._unsigned = DIGEST_PREFIX not in content[-DIGEST_LINE_BYTES:]
            content = content if self._unsigned else strip_digest(content)
        return self._decode(content)

    def _read_again(self) -> T | None:
        """Read the locked file again, since another process may have repaired it.

        If it is still damaged, rename it and return None.
        """
        try:
            return self._read()
        except DAMAGE_ERRORS as error:
            sentence = error.sentence if isinstance(error, InvalidContent) else self._broken
            self._notify_user(set_aside(self.path, sentence))
            return None


def json_file(
    path: Path, kind: type[T] | Any, broken: str, max_bytes: int = MAX_BYTES
) -> SmallFile[T]:
    """Return a `SmallFile` that stores a value of type `kind` as JSON."""
    decode = msgspec.json.Decoder(kind).decode
    return SmallFile(path, decode, msgspec.json.encode, broken, max_bytes=max_bytes)


@contextmanager
def lock_file(path: Path) -> Iterator[None]:
    """Lock a small file against other processes and threads, using a lock file beside it.

    Raises:
        StorageError: the lock file can't be created, or another process holds the lock for too
            long.
    """
    until = time.monotonic() + LOCK_TIMEOUT_S
    try:
        make_folder(path.parent)
        beside = path.with_name(f".{path.name}.lock")
        lock = open_regular(beside, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise write_error(error, path.name) from error
    try:
        while not file_lock.try_lock(lock):
            if time.monotonic() > until:
                raise StorageError('"{file}" is being written in another window.', file=path.name)
            time.sleep(LOCK_RETRY_INTERVAL_S)
        yield
    finally:
        file_lock.unlock_and_close(lock)


def append_bounded(entries: Mapping[str, V], key: str, value: V, max_entries: int) -> dict[str, V]:
    """Return `entries` with `key` added or moved to the end, cut to the last `max_entries`."""
    rest = [(each, known) for each, known in entries.items() if each != key]
    return dict([*rest, (key, value)][-max_entries:])


def set_aside(path: Path, broken: str, companions: Sequence[str] = ()) -> Reason:
    """Rename a damaged file, and return the notice `broken` with its placeholders filled in.

    `companions`: suffixes of files that are renamed together with it.

    Raises:
        StorageError: the file can't be renamed.
    """
    aside = unused_broken_path(path)
    try:
        for companion in companions:
            with suppress(FileNotFoundError):
                beside = path.with_name(path.name + companion)
                retry_if_locked(partial(beside.rename, f"{aside}{companion}"))
        retry_if_locked(lambda: path.rename(aside))
    except OSError as error:
        raise write_error(error, path.name) from error
    return Reason(broken, {"file": path.name, "aside": aside.name})


def unused_broken_path(path: Path) -> Path:
    """Return an unused path to which the damaged file at `path` can be renamed."""
    name = f"{path.name}{BROKEN_INFIX}{datetime.now(UTC):%Y%m%d-%H%M%S}"
    aside, number = path.with_name(name), 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{name}-{number}")
    return aside


def add_digest(content: bytes) -> bytes:
    """Return `content` with a digest line appended."""
    return content + _digest_line(content)


def strip_digest(content: bytes) -> bytes:
    """Check the digest line of `content`, and return the content without it.

    Raises:
        ValueError: the digest is missing or wrong.
    """
    inner = content[:-DIGEST_LINE_BYTES]
    if _digest_line(inner) != content[-DIGEST_LINE_BYTES:]:
        raise ValueError("the digest is another one")
    return inner


def _digest_line(content: bytes) -> bytes:
    from hashlib import sha256

    return DIGEST_PREFIX + sha256(content).hexdigest().encode() + b"\n"


def read_cache(path: Path) -> bytes | None:
    """Return the content that `write_cache` stored at `path`; None if it is missing or damaged."""
    try:
        return strip_digest(read_regular(path, MAX_CACHE_BYTES))
    except (OSError, ValueError):
        return None


def write_cache(path: Path, content: bytes) -> None:
    """Store content that can be recomputed at any time. Disk errors are ignored."""
    write_without_sync(path, add_digest(content))
