"""Private archives (.tar.gz) of many files, with limits on what is unpacked.

The archives contain keys, so only their owner can read them. The last entry is a manifest with the
number of files, which proves that the archive is complete.
"""

import io
import os
import re
import tarfile
import zlib
from collections.abc import Callable, Iterable
from errno import ENAMETOOLONG
from io import FileIO
from pathlib import Path, PurePosixPath
from time import time
from typing import IO, NamedTuple, cast

import msgspec
from msgspec import Struct

from tabletop import __version__
from tabletop.files.atomic_write import create_private, retry_if_locked
from tabletop.files.errors import BadFile, StorageError, write_error
from tabletop.files.regular_file import open_regular
from tabletop.files.shared_decoders import json_decoder
from tabletop.files.temporary_folder import temporary_folder
from tabletop.text.phrases import phrase
from tabletop.text.portable_name import is_portable

COMPRESSION_LEVEL = 1
"""The gzip compression level, from 1 to 9."""
SYNC_INTERVAL_BYTES = 2**20
"""The number of bytes to write between syncs, so that other programs can use the disk too."""
MAX_FILE_BYTES = 2**40
"""The maximum size of a file to pack."""
MIN_UNPACK_LIMIT_BYTES = 16 * 2**20
"""The total unpacked size that is allowed for any archive, however small."""
MAX_EXPANSION_FACTOR = 100
"""The maximum ratio of unpacked to packed size for larger archives.

Archives made to fill a disk reach a ratio of a thousand.
"""
MAX_FILES_OF_SMALL_PACK = 2_000
"""The number of files that is allowed in any archive, however small."""
MIN_PACKED_BYTES_PER_FILE = 256
"""The packed size that each file beyond `MAX_FILES_OF_SMALL_PACK` requires.

Real archives need thousands of bytes per match, and 300 per file of a game without pictures. Empty
files need only 7 bytes, so a few hundred kilobytes of them would take minutes to write and delete.
"""
CHUNK_BYTES = 2**20
"""The number of bytes that are unpacked at a time."""
PACKED_CHUNK_BYTES = 2**16
"""The number of packed bytes that are read at a time."""
GZIP_WBITS = 31
"""The `wbits` argument of zlib for a single gzip member with any window size."""
MAX_EXTENSION_BYTES = 4096
"""The maximum size of an extended header, which contains a long name or a precise time."""
LONG_NUMBER = re.compile(rb"[0-9]{100}")
"""A number in a header so long that some versions of tarfile need quadratic time for it."""
MIN_TIME_S = 0
"""The earliest modification time that is restored, in Unix seconds."""
MAX_TIME_S = 253_370_764_800
"""The latest modification time that is restored, in Unix seconds.

It is the end of the year 9998, which is valid in every time zone.
"""
REGULAR_FILE_TYPES = (tarfile.REGTYPE, tarfile.AREGTYPE)


WOULD_HOLD_TOO_MANY_FILES = phrase('"{file}" would hold more than {most} files.')
TOO_MANY_FILES = phrase('"{file}" holds more than {most} files.')
TOO_MANY_FILES_FOR_SIZE = phrase('"{file}" holds more files than one of its size can.')
TOO_MANY_FOLDERS = phrase('"{file}" holds more than {most} folders.')


class FileToPack(NamedTuple):
    """A file to pack: path in the archive, content, and modification time in Unix seconds."""

    name: str
    content: bytes
    modified: float


class ArchiveFormat(NamedTuple):
    """The file names, limits and error messages of one kind of archive."""

    manifest_name: str
    """The name of the last entry."""
    is_allowed: Callable[[PurePosixPath], bool]
    """A function that returns whether the archive may contain a file at a path."""
    wrong_kind: str
    """The error message for an archive of another kind, with the placeholder `file`."""
    incomplete: str
    """The error message for an incomplete archive, with the placeholder `file`."""
    max_files: int
    max_folders: int


class _Manifest(Struct, frozen=True):
    """The content of the last entry."""

    files: int
    program: str
    """The program version that wrote the archive."""


_manifest_decoder = json_decoder(_Manifest)

DAMAGE_ERRORS = (
    tarfile.TarError,
    msgspec.MsgspecError,
    EOFError,
    ValueError,
    OverflowError,
    LookupError,
    RecursionError,
)
"""Exceptions that tarfile raises for malformed headers, or msgspec for a malformed manifest."""


def pack(file: Path, kind: ArchiveFormat, files: Iterable[FileToPack]) -> int:
    """Write `files` to the archive `file`, and return how many there were.

    Raises:
        StorageError: a file can't be read or written, or there are more files than `unpack`
            accepts. No archive is left behind.
    """
    try:
        with temporary_folder(file.parent) as beside:
            packed = beside / "packed"
            count = _pack(packed, kind, files, file.name)
            retry_if_locked(lambda: os.replace(packed, file))
    except OSError as error:
        raise write_error(error, file.name) from error
    return count


def _pack(packed: Path, kind: ArchiveFormat, files: Iterable[FileToPack], file_name: str) -> int:
    count = safe = 0
    with (
        create_private(packed) as raw,
        tarfile.open(fileobj=raw, mode="w:gz", compresslevel=COMPRESSION_LEVEL) as tar,
    ):
        for each in files:
            if count == kind.max_files:
                raise StorageError(WOULD_HOLD_TOO_MANY_FILES, file=file_name, most=kind.max_files)
            _add_entry(tar, each)
            tar.members.clear()  # type: ignore[attr-defined]  # tarfile would keep every entry in memory
            count += 1
            if raw.tell() - safe > SYNC_INTERVAL_BYTES:
                safe = raw.tell()
                raw.flush()
                os.fsync(raw.fileno())
        contents = msgspec.json.encode(_Manifest(count, __version__))
        _add_entry(tar, FileToPack(kind.manifest_name, contents, time()))
        tar.close()
        raw.flush()
        os.fsync(raw.fileno())
        if count > _max_files(raw.tell()):  # fail now rather than when the archive is needed
            raise StorageError(TOO_MANY_FILES_FOR_SIZE, file=file_name)
    return count


def unpack(
    file: Path, kind: ArchiveFormat, folder: Path, on_entry: Callable[[], None] = lambda: None
) -> int:
    """Unpack the archive `file` into the empty `folder`, and return the number of files.

    `on_entry`: called twice for each file; an exception that it raises stops the unpacking.

    Raises:
        BadFile: the archive is of another kind, incomplete, or too large. Usually nothing has been
            written yet.
        OSError: a file can't be written.
    """
    if not file.is_file():
        raise BadFile('There is no file "{file}".', file=file.name)
    try:
        # check everything first, because creating and deleting files takes far longer
        _read_entries(file, kind, folder, lambda *_: on_entry())

        def write(tar: tarfile.TarFile, entry: tarfile.TarInfo, target: Path) -> None:
            on_entry()
            _write_entry(tar, entry, target)

        return _read_entries(file, kind, folder, write)
    except (*DAMAGE_ERRORS, zlib.error) as error:
        raise BadFile(kind.incomplete, file=file.name) from error


def _read_entries(
    file: Path,
    kind: ArchiveFormat,
    folder: Path,
    write: Callable[[tarfile.TarFile, tarfile.TarInfo, Path], None],
) -> int:
    """Call `write` with each file in the archive and its path in `folder`.

    Return the number of files.

    Raises:
        BadFile, OSError: as for `unpack`.
        DAMAGE_ERRORS: the archive is malformed.
    """
    count, inside_folders = 0, {PurePosixPath()}
    size = file.stat().st_size
    with open_regular(file) as raw:
        source = _BoundedGzipReader(raw, max(MIN_UNPACK_LIMIT_BYTES, MAX_EXPANSION_FACTOR * size))
        with tarfile.open(fileobj=cast(IO[bytes], source), mode="r:") as tar:
            while (
                entry := source.next_entry(tar)
            ) is not None and entry.name != kind.manifest_name:
                if not _is_allowed(entry, kind):
                    raise BadFile(kind.wrong_kind, file=file.name)
                inside = PurePosixPath(entry.name)
                if inside.parent not in inside_folders:
                    inside_folders.update(inside.parents)
                count += 1
                if count > kind.max_files:
                    raise BadFile(TOO_MANY_FILES, file=file.name, most=kind.max_files)
                if count > _max_files(size):
                    raise BadFile(TOO_MANY_FILES_FOR_SIZE, file=file.name)
                if len(inside_folders) > kind.max_folders:
                    raise BadFile(TOO_MANY_FOLDERS, file=file.name, most=kind.max_folders)
                write(tar, entry, folder / inside)
                tar.members.clear()  # type: ignore[attr-defined]  # tarfile would keep every entry in memory
            last = (
                tar.extractfile(entry)
                if entry is not None and entry.type in REGULAR_FILE_TYPES
                else None
            )
            if last is None or _manifest_decoder.decode(last.read(CHUNK_BYTES)).files != count:
                raise EOFError
    return count


def _max_files(size: int) -> int:
    """Return the maximum number of files in an archive of `size` bytes."""
    return MAX_FILES_OF_SMALL_PACK + size // MIN_PACKED_BYTES_PER_FILE


class _BoundedGzipReader:
    """A file object for tarfile that reads forward only and enforces size limits."""

    def __init__(self, packed: FileIO, limit: int) -> None:
        self._packed = packed
        self._limit = limit
        self._in_header = True
        self._position = 0
        # GzipFile reads a header byte by byte in Python, and the name in it may be megabytes
        self._inflater = zlib.decompressobj(GZIP_WBITS)

    def tell(self) -> int:
        return self._position

    def next_entry(self, tar: tarfile.TarFile) -> tarfile.TarInfo | None:
        """Return the header of the next entry; None at the end.

        Raises:
            DAMAGE_ERRORS: the archive is malformed.
        """
        self._in_header = True
        entry = tar.next()
        self._in_header = False
        return entry

    def read(self, size: int) -> bytes:
        """Return the next `size` bytes, or fewer at the end.

        Raises:
            ReadError: `size` or the total size exceeds a limit, or a header contains an overlong
                number.
        """
        max_size = MAX_EXTENSION_BYTES if self._in_header else CHUNK_BYTES
        if not 0 <= size <= max_size or self._position + size > self._limit:
            raise tarfile.ReadError("too much for such a file")
        content = self._inflate(size)
        if self._in_header and LONG_NUMBER.search(content):
            raise tarfile.ReadError("a number too large for such a file")
        return content

    def seek(self, position: int) -> int:
        """Skip forward to `position`, and return the new position.

        Raises:
            ReadError: `position` is before the current one or beyond the limit.
        """
        if not self._position <= position <= self._limit:
            raise tarfile.ReadError("no place in such a file")
        while self._position < position:
            if not self._inflate(min(CHUNK_BYTES, position - self._position)):
                break
        return self._position

    def _inflate(self, size: int) -> bytes:
        """Decompress the next `size` bytes, or fewer at the end.

        Raises:
            EOFError: the file is truncated.
            zlib.error: the file is damaged.
        """
        made = bytearray()
        while len(made) < size and not self._inflater.eof:
            packed = self._inflater.unconsumed_tail or self._packed.read(PACKED_CHUNK_BYTES)
            piece = self._inflater.decompress(packed, size - len(made))
            if not packed and not piece:
                raise EOFError
            made += piece
        self._position += len(made)
        return bytes(made)


def _add_entry(tar: tarfile.TarFile, each: FileToPack) -> None:
    entry = tarfile.TarInfo(each.name)
    entry.size, entry.mode, entry.mtime = len(each.content), 0o600, each.modified
    tar.addfile(entry, io.BytesIO(each.content))


def _is_allowed(entry: tarfile.TarInfo, kind: ArchiveFormat) -> bool:
    """Return whether `entry` is a regular file whose name is portable and allowed by `kind`."""
    inside = PurePosixPath(entry.name)
    return (
        entry.type in REGULAR_FILE_TYPES
        and not entry.issparse()
        and all(map(is_portable, inside.parts))
        and kind.is_allowed(inside)
    )


def _write_entry(tar: tarfile.TarFile, entry: tarfile.TarInfo, target: Path) -> None:
    """Write the content of `entry` to `target`.

    Raises:
        ReadError: the name can't exist on this system, or is used twice.
        OSError: the file can't be written.
    """
    source = tar.extractfile(entry)
    assert source is not None
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        out = create_private(target)
    except OSError as error:
        if isinstance(error, FileExistsError | NotADirectoryError) or error.errno == ENAMETOOLONG:
            raise tarfile.ReadError("a name that can't be") from error
        raise
    with out:
        while piece := source.read(CHUNK_BYTES):
            out.write(piece)
    if MIN_TIME_S <= entry.mtime <= MAX_TIME_S:  # otherwise keep the current time
        os.utime(target, (entry.mtime, entry.mtime))
