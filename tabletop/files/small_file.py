"""The rule for all small files: settings, keys, ways back, counts, caches.

Such a file is written whole or not at all, by one process at a time, and checked when it is read. A
damaged one is set aside under another name, which the person reads in one sentence, and a fresh one
takes its place. A cache is made again instead, and needs no lock.
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

BROKEN_INFIX = ".broken-"
"""The part between the old name and the time in the name of a file that was set aside."""
DIGEST_PREFIX = b"\n#sha256 "
DIGEST_LINE_BYTES = len(DIGEST_PREFIX) + 64 + 1
"""Bytes of the line with the digest, after the content."""
MAX_BYTES = MIB
"""Bytes of a small file, unless its kind holds more."""
MAX_CACHE_BYTES = 64 * MIB
LOCK_TIMEOUT_S = 5.0
"""Seconds to wait for another process that writes the same file."""
LOCK_RETRY_INTERVAL_S = 0.01
"""Seconds between two tries."""
DAMAGE_ERRORS = (ValueError, OverflowError, RecursionError, msgspec.MsgspecError)
"""Errors of reading damaged content."""

_notice_handlers: list[NoticeHandler] = []
"""Nobody, or the one who hears."""


def set_notice_handler(hearer: NoticeHandler) -> None:
    """Set the function that is called when a file was set aside, from whatever thread notices
    it."""
    _notice_handlers[:] = [hearer]


def notify_user(reason: Reason) -> None:
    """Report something to the person: in the log, which is standard error where there is no window,
    and to the hearer."""
    log.warning("%s", fill_gaps(reason.text, reason.args))
    for hearer in tuple(_notice_handlers):
        hearer(reason)


class InvalidContent(ValueError):
    """Content that has a sentence of its own about what is wrong with it, with the gaps of
    `broken`."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class SmallFile(Generic[T]):
    """One file as the value it holds."""

    def __init__(
        self,
        path: Path,
        decode: Callable[[bytes], T],
        encode: Callable[[T], bytes],
        broken: str,
        *,
        notify_user: NoticeHandler = notify_user,
        signed: bool = True,
        most: int = MAX_BYTES,
    ) -> None:
        """`decode` raises one of `DAMAGE_ERRORS` where the content is damaged. `broken` is the sentence
        to `notify_user` then, with gaps for the `file` and its present name `aside`. `signed`: a
        digest follows the content. Files of former times have none. `most`: bytes that it may
        hold; a larger file is not read.
        """
        self.path = path
        self._decode = decode
        self._encode = encode
        self._broken = broken
        self._tell = notify_user
        self._signed = signed
        self._most = most
        self._unsigned = False
        """Whether what was read last had no digest yet."""

    def read(self) -> T | None:
        """Read the file; None if there is none, or it was damaged and is set aside now.

        Raises:
            StorageError: it cannot be read, or not be set aside.
        """
        try:
            return self._read()
        except DAMAGE_ERRORS:
            with lock_file(self.path):
                return self._read_again()

    def try_decode(self) -> None:
        """Decode the file, and leave it where it is even if it is damaged.

        Raises:
            StorageError: it cannot be read; and one of `DAMAGE_ERRORS`.
        """
        self._read()

    def read_or_default(self, otherwise: T) -> T:
        """Read the file; if there is nothing to be read, or the disk refuses, which is reported,
        return the other value."""
        try:
            value = self.read()
        except StorageError as error:
            self._tell(error.reason)
            return otherwise
        return otherwise if value is None else value

    def update(self, act: Callable[[T | None], T]) -> T:
        """Replace the file's value by what `act` makes of it, while nobody else writes there.

        Raises:
            StorageError: it cannot be read or written; what was there before is still there.
        """
        with lock_file(self.path):
            fresh = act(self._read_again())
            content = self._encode(fresh)
            content = add_digest(content) if self._signed else content
            if len(content) > self._most:  # it couldn't be read again
                raise StorageError('"{file}" would be too large.', file=self.path.name)
            write_atomically(self.path, content, private=True)
        return fresh

    def read_or_create(self, fresh: Callable[[], T]) -> T:
        """Read the file; if there is none, write a fresh value first. Raises as `change`."""
        value = self.read()
        if value is not None and not self._unsigned:
            return value
        return self.update(lambda now: fresh() if now is None else now)

    def _read(self) -> T | None:
        try:
            content = read_regular(self.path, self._most)
        except FileNotFoundError:
            return None
        except TooLarge as error:
            raise ValueError("too large for a file of its kind") from error
        except OSError as error:
            raise read_error(error, self.path.name) from error
        content = content.removeprefix(codecs.BOM_UTF8)  # an editor of Windows was there
        if self._signed:
            self._unsigned = DIGEST_PREFIX not in content[-DIGEST_LINE_BYTES:]
            content = content if self._unsigned else strip_digest(content)
        return self._decode(content)

    def _read_again(self) -> T | None:
        """Read the file once more, alone: somebody may have mended it meanwhile."""
        try:
            return self._read()
        except DAMAGE_ERRORS as error:
            sentence = error.sentence if isinstance(error, InvalidContent) else self._broken
            self._tell(set_aside(self.path, sentence))
            return None


def json_file(path: Path, kind: type[T] | Any, broken: str, most: int = MAX_BYTES) -> SmallFile[T]:
    """A file that holds a value of this kind as JSON; the others as in a `SmallFile`."""
    decode = msgspec.json.Decoder(kind).decode
    return SmallFile(path, decode, msgspec.json.encode, broken, most=most)


@contextmanager
def lock_file(path: Path) -> Iterator[None]:
    """Lock a small file among all processes, and among the threads of this one.

    Raises:
        StorageError: no lock can be put beside it, or somebody has held it for long.
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


def append_bounded(entries: Mapping[str, V], key: str, value: V, most: int) -> dict[str, V]:
    """The entries with this one last, and no more than the last `most`."""
    rest = [(each, known) for each, known in entries.items() if each != key]
    return dict([*rest, (key, value)][-most:])


def set_aside(path: Path, broken: str, companions: Sequence[str] = ()) -> Reason:
    """Rename a damaged file, so that nothing of it is lost, with its `companions`: files of the
    same name with these endings. Return the sentence `broken`.

    Raises:
        StorageError: it cannot be renamed.
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
    """The name that a damaged file gets when it is set aside; no other file has it."""
    name = f"{path.name}{BROKEN_INFIX}{datetime.now(UTC):%Y%m%d-%H%M%S}"
    aside, number = path.with_name(name), 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{name}-{number}")
    return aside


def add_digest(content: bytes) -> bytes:
    """The content, followed by the line with its digest."""
    return content + _digest_line(content)


def strip_digest(content: bytes) -> bytes:
    """Return the content without the line with the digest.

    Raises:
        ValueError: there is no such line, or it is of other content.
    """
    inner = content[:-DIGEST_LINE_BYTES]
    if _digest_line(inner) != content[-DIGEST_LINE_BYTES:]:
        raise ValueError("the digest is another one")
    return inner


def _digest_line(content: bytes) -> bytes:
    from hashlib import sha256

    return DIGEST_PREFIX + sha256(content).hexdigest().encode() + b"\n"


def read_cache(path: Path) -> bytes | None:
    """Return the content that `cache` kept there; None if there is nothing sound."""
    try:
        return strip_digest(read_regular(path, MAX_CACHE_BYTES))
    except (OSError, ValueError):
        return None


def write_cache(path: Path, content: bytes) -> None:
    """Keep what can be made again at any time, where the disk allows it."""
    write_without_sync(path, add_digest(content))
