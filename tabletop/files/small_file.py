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
from tabletop.files.atomic_write import make_folder, retry_if_locked, write_passing, write_whole
from tabletop.files.errors import StorageError, disk_trouble, not_readable
from tabletop.files.regular_file import MIB, TooLarge, open_regular, read_regular
from tabletop.text.phrases import fill_gaps

log = logging.getLogger("tabletop")

T = TypeVar("T")
V = TypeVar("V")
Hearer = Callable[[Reason], object]

BROKEN = ".broken-"
"""The part between the old name and the time in the name of a file that was set aside."""
MARK = b"\n#sha256 "
TRAILER = len(MARK) + 64 + 1
"""Bytes of the line with the digest, after the content."""
MOST = MIB
"""Bytes of a small file, unless its kind holds more."""
MOST_CACHED = 64 * MIB
PATIENCE = 5.0
"""Seconds to wait for another process that writes the same file."""
OFTEN = 0.01
"""Seconds between two tries."""
UNSOUND = (ValueError, OverflowError, RecursionError, msgspec.MsgspecError)
"""Errors of reading damaged content."""

_hearers: list[Hearer] = []
"""Nobody, or the one who hears."""


def set_notice_handler(hearer: Hearer) -> None:
    """Set the function that is called when a file was set aside, from whatever thread notices
    it."""
    _hearers[:] = [hearer]


def notify_user(reason: Reason) -> None:
    """Report something to the person: in the log, which is standard error where there is no window,
    and to the hearer."""
    log.warning("%s", fill_gaps(reason.text, reason.args))
    for hearer in tuple(_hearers):
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
        notify_user: Hearer = notify_user,
        signed: bool = True,
        most: int = MOST,
    ) -> None:
        """`decode` raises one of `UNSOUND` where the content is damaged. `broken` is the sentence
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
        except UNSOUND:
            with held(self.path):
                return self._read_again()

    def check(self) -> None:
        """Decode the file, and leave it where it is even if it is damaged.

        Raises:
            StorageError: it cannot be read; and one of `UNSOUND`.
        """
        self._read()

    def read_or(self, otherwise: T) -> T:
        """Read the file; if there is nothing to be read, or the disk refuses, which is reported,
        return the other value."""
        try:
            value = self.read()
        except StorageError as error:
            self._tell(error.reason)
            return otherwise
        return otherwise if value is None else value

    def change(self, act: Callable[[T | None], T]) -> T:
        """Replace the file's value by what `act` makes of it, while nobody else writes there.

        Raises:
            StorageError: it cannot be read or written; what was there before is still there.
        """
        with held(self.path):
            fresh = act(self._read_again())
            content = self._encode(fresh)
            content = with_digest(content) if self._signed else content
            if len(content) > self._most:  # it couldn't be read again
                raise StorageError('"{file}" would be too large.', file=self.path.name)
            write_whole(self.path, content, private=True)
        return fresh

    def make(self, fresh: Callable[[], T]) -> T:
        """Read the file; if there is none, write a fresh value first. Raises as `change`."""
        value = self.read()
        if value is not None and not self._unsigned:
            return value
        return self.change(lambda now: fresh() if now is None else now)

    def _read(self) -> T | None:
        try:
            content = read_regular(self.path, self._most)
        except FileNotFoundError:
            return None
        except TooLarge as error:
            raise ValueError("too large for a file of its kind") from error
        except OSError as error:
            raise not_readable(error, self.path.name) from error
        content = content.removeprefix(codecs.BOM_UTF8)  # an editor of Windows was there
        if self._signed:
            self._unsigned = MARK not in content[-TRAILER:]
            content = content if self._unsigned else without_digest(content)
        return self._decode(content)

    def _read_again(self) -> T | None:
        """Read the file once more, alone: somebody may have mended it meanwhile."""
        try:
            return self._read()
        except UNSOUND as error:
            sentence = error.sentence if isinstance(error, InvalidContent) else self._broken
            self._tell(set_aside(self.path, sentence))
            return None


def json_file(path: Path, kind: type[T] | Any, broken: str, most: int = MOST) -> SmallFile[T]:
    """A file that holds a value of this kind as JSON; the others as in a `SmallFile`."""
    decode = msgspec.json.Decoder(kind).decode
    return SmallFile(path, decode, msgspec.json.encode, broken, most=most)


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Lock a small file among all processes, and among the threads of this one.

    Raises:
        StorageError: no lock can be put beside it, or somebody has held it for long.
    """
    until = time.monotonic() + PATIENCE
    try:
        make_folder(path.parent)
        beside = path.with_name(f".{path.name}.lock")
        lock = open_regular(beside, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise disk_trouble(error, path.name) from error
    try:
        while not file_lock.try_lock(lock):
            if time.monotonic() > until:
                raise StorageError('"{file}" is being written in another window.', file=path.name)
            time.sleep(OFTEN)
        yield
    finally:
        file_lock.unlock_and_close(lock)


def with_last(entries: Mapping[str, V], key: str, value: V, most: int) -> dict[str, V]:
    """The entries with this one last, and no more than the last `most`."""
    rest = [(each, known) for each, known in entries.items() if each != key]
    return dict([*rest, (key, value)][-most:])


def set_aside(path: Path, broken: str, companions: Sequence[str] = ()) -> Reason:
    """Rename a damaged file, so that nothing of it is lost, with its `companions`: files of the
    same name with these endings. Return the sentence `broken`.

    Raises:
        StorageError: it cannot be renamed.
    """
    aside = place_aside(path)
    try:
        for companion in companions:
            with suppress(FileNotFoundError):
                beside = path.with_name(path.name + companion)
                retry_if_locked(partial(beside.rename, f"{aside}{companion}"))
        retry_if_locked(lambda: path.rename(aside))
    except OSError as error:
        raise disk_trouble(error, path.name) from error
    return Reason(broken, {"file": path.name, "aside": aside.name})


def place_aside(path: Path) -> Path:
    """The name that a damaged file gets when it is set aside; no other file has it."""
    name = f"{path.name}{BROKEN}{datetime.now(UTC):%Y%m%d-%H%M%S}"
    aside, number = path.with_name(name), 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{name}-{number}")
    return aside


def with_digest(content: bytes) -> bytes:
    """The content, followed by the line with its digest."""
    return content + _trailer(content)


def without_digest(content: bytes) -> bytes:
    """Return the content without the line with the digest.

    Raises:
        ValueError: there is no such line, or it is of other content.
    """
    inner = content[:-TRAILER]
    if _trailer(inner) != content[-TRAILER:]:
        raise ValueError("the digest is another one")
    return inner


def _trailer(content: bytes) -> bytes:
    from hashlib import sha256

    return MARK + sha256(content).hexdigest().encode() + b"\n"


def recall(path: Path) -> bytes | None:
    """Return the content that `cache` kept there; None if there is nothing sound."""
    try:
        return without_digest(read_regular(path, MOST_CACHED))
    except (OSError, ValueError):
        return None


def cache(path: Path, content: bytes) -> None:
    """Keep what can be made again at any time, where the disk allows it."""
    write_passing(path, with_digest(content))
