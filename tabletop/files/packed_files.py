"""Many files packed into one (.tar.gz) that holds keys: written whole or not at all, its owner's
alone, and unpacked within limits.

Its last entry counts the others: proof that it is whole.
"""

import gzip
import io
import os
import tarfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath
from time import time
from typing import IO, NamedTuple, cast

import msgspec
from msgspec import Struct

from tabletop import __version__
from tabletop.files.atomic_write import open_private, patiently
from tabletop.files.errors import BadFile, disk_trouble
from tabletop.files.regular_file import open_regular
from tabletop.files.temporary_folder import temporary_folder
from tabletop.text.portable_name import is_portable

QUICKLY = 1
"""Level of compression, of 9."""
AT_ONCE = 2**20
"""Bytes that are made safe at a time: others wait for the same disk."""
LARGEST = 2**40
"""Bytes of one file that is packed."""
LEAST_LIMIT, MOST_PACKED = 16 * 2**20, 100
"""Bytes that may be unpacked in any case, and how many for each packed byte: what is made to fill a
disk holds a thousand."""
PIECE = 2**20
"""Bytes that are unpacked at a time."""


class PackedFile(NamedTuple):
    """A file to be packed, by its path inside."""

    name: str
    content: bytes
    changed: float


class PackKind(NamedTuple):
    """A kind of packed files."""

    last: str
    """The name of the last entry."""
    belongs: Callable[[PurePosixPath], bool]
    """Whether there can be a file of this path in one."""
    other: str
    """The sentence about a `file` that is not of this kind."""
    not_whole: str
    """The sentence about a `file` that is no whole one."""


class _Contents(Struct, frozen=True):
    """The last entry."""

    files: int
    program: str
    """The version of the program that made it."""


def pack(file: Path, kind: PackKind, files: Iterable[PackedFile]) -> int:
    """Write the files into one; return their number.

    Raises:
        StorageError: something cannot be read or written; there is no file then.
    """
    try:
        with temporary_folder(file.parent) as beside:
            packed = beside / "packed"
            count = _pack(packed, kind, files)
            patiently(lambda: os.replace(packed, file))
    except OSError as error:
        raise disk_trouble(error, file.name) from error
    return count


def _pack(packed: Path, kind: PackKind, files: Iterable[PackedFile]) -> int:
    count = safe = 0
    with (
        open_private(packed) as raw,
        tarfile.open(fileobj=raw, mode="w:gz", compresslevel=QUICKLY) as tar,
    ):
        for each in files:
            _add(tar, each)
            count += 1
            if raw.tell() - safe > AT_ONCE:
                safe = raw.tell()
                raw.flush()
                os.fsync(raw.fileno())
        contents = msgspec.json.encode(_Contents(count, __version__))
        _add(tar, PackedFile(kind.last, contents, time()))
        tar.close()
        raw.flush()
        os.fsync(raw.fileno())
    return count


def unpack(file: Path, kind: PackKind, folder: Path) -> int:
    """Write the files that are packed in one into an empty folder; return their number.

    Raises:
        BadFile: it is of no such kind, or not whole; some may have been written.
        OSError: the disk refused.
    """
    if not file.is_file():
        raise BadFile('There is no file "{file}".', file=file.name)
    limit = max(LEAST_LIMIT, MOST_PACKED * file.stat().st_size)
    count = 0
    try:
        with (
            open_regular(file) as raw,
            gzip.GzipFile(fileobj=raw) as packed,
            tarfile.open(fileobj=cast(IO[bytes], _Unpacking(packed, limit)), mode="r:") as tar,
        ):
            while (entry := tar.next()) is not None and entry.name != kind.last:
                if not _write_entry(tar, entry, kind, folder):
                    raise BadFile(kind.other, file=file.name)
                tar.members.clear()  # type: ignore[attr-defined]  # it would keep every entry
                count += 1
            contents = tar.extractfile(entry) if entry is not None else None
            if (
                contents is None
                or msgspec.json.decode(contents.read(PIECE), type=_Contents).files != count
            ):
                raise EOFError
    except (tarfile.TarError, EOFError, ValueError, zlib.error, gzip.BadGzipFile) as error:
        raise BadFile(kind.not_whole, file=file.name) from error
    return count


class _Unpacking:
    """A packed file as tarfile reads it, a piece at a time and no more than a limit in all."""

    def __init__(self, packed: gzip.GzipFile, limit: int) -> None:
        self._packed = packed
        self._limit = limit
        self.tell = packed.tell

    def read(self, size: int) -> bytes:
        """
        Raises:
            ReadError: it is more than such a file holds.
        """
        if not 0 <= size <= PIECE or self._packed.tell() + size > self._limit:
            raise tarfile.ReadError("too much for such a file")
        return self._packed.read(size)

    def seek(self, position: int) -> int:
        """Raises as `read`."""
        if position > self._limit:
            raise tarfile.ReadError("too much for such a file")
        return self._packed.seek(position)


def _add(tar: tarfile.TarFile, each: PackedFile) -> None:
    entry = tarfile.TarInfo(each.name)
    entry.size, entry.mode, entry.mtime = len(each.content), 0o600, each.changed
    tar.addfile(entry, io.BytesIO(each.content))


def _write_entry(
    tar: tarfile.TarFile, entry: tarfile.TarInfo, kind: PackKind, folder: Path
) -> bool:
    """Write one file, if there can be such a one; return whether it was."""
    inside = PurePosixPath(entry.name)
    sound = entry.isfile() and all(map(is_portable, inside.parts)) and kind.belongs(inside)
    source = tar.extractfile(entry) if sound else None
    if source is None:
        return False
    target = folder / inside
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open_private(target) as out:
        while piece := source.read(PIECE):
            out.write(piece)
    os.utime(target, (entry.mtime, entry.mtime))
    return True
