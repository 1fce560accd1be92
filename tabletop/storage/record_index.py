"""An index of what lists show about matches and replays, so that records needn't be read again.

The index is only a cache: an entry is valid for one version of its record and of this program. If
the index is missing, damaged, locked or read-only, records are read instead, so no function here
raises an error about it. Several threads and processes may use it at once.
"""

import os
from collections.abc import Collection, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec
from msgspec import Struct

from tabletop import __version__
from tabletop.files import folders
from tabletop.files.shared_decoders import FileDecoder

# record_index_file imports SQLite, so it is imported only when a record is listed.

if TYPE_CHECKING:
    from tabletop.storage.record_index_file import RecordPath, Row

T = TypeVar("T")


class Stamp(Struct, frozen=True):
    """The size and times of a file, which change when the file is written or replaced."""

    size: int
    """The size in bytes."""
    written: int
    """The modification time in nanoseconds."""
    changed: int
    """The time of the last metadata change, in nanoseconds.

    It reveals a change even if the modification time was reset.
    """

    @property
    def text(self) -> str:
        return f"{self.size} {self.written} {self.changed}"


def stamp_of(path: Path) -> Stamp | None:
    """Return the stamp of a file; None if it can't be accessed.

    Call this before reading the file, so that later changes are detected.
    """
    try:
        now = path.stat()
    except OSError:
        return None
    return Stamp(now.st_size, now.st_mtime_ns, now.st_ctime_ns)


class IndexEntry(Struct, Generic[T], frozen=True):
    """A value to store in the index for a record."""

    path: Path
    """The path of the record."""
    stamp: Stamp
    """The stamp of the record, taken before it was read."""
    value: T
    sealed: bool = False
    """Whether the record is sealed, which makes the value valid only with the current key."""


class IndexPart(Generic[T]):
    """One kind of index entries, with a value of type `T` for each record."""

    def __init__(self, name: str, decoder: FileDecoder[T], max_bytes: int) -> None:
        """Create access to the entries of kind `name`.

        `max_bytes`: the maximum size of an encoded value; larger values aren't stored.
        """
        self._name = name
        self._decoder = decoder
        self._max_bytes = max_bytes

    def find(self, path: Path) -> T | None:
        """Return the value for the record at `path`; None if it is unknown or outdated."""
        return self._find([path], path.parent, os.fsencode(path.name)).get(path)

    def find_all(self, folder: Path, paths: Sequence[Path]) -> dict[Path, T]:
        """Return the up-to-date values for the records `paths`, which are all in `folder`."""
        return self._find(paths, folder) if paths else {}

    def insert(self, entries: Sequence[IndexEntry[T]]) -> None:
        """Store `entries`, replacing older entries for the same records."""
        rows = [
            (_row_key(entry.path), row)
            for entry in entries
            if (row := self._row(entry)) is not None
        ]
        if rows:
            from tabletop.storage import record_index_file

            record_index_file.insert(self._name, rows)

    def delete_others(self, paths: Collection[Path]) -> None:
        """Delete the entries of all records except `paths`."""
        if folders.record_index().exists():
            from tabletop.storage import record_index_file

            record_index_file.delete_others(self._name, set(map(_row_key, paths)))

    def _find(
        self, paths: Sequence[Path], folder: Path, name: bytes | None = None
    ) -> dict[Path, T]:
        from tabletop.storage import record_index_file

        rows = record_index_file.read(self._name, os.fsencode(folder), name, self._max_bytes)
        key, found = _key_stamp(), {}
        for path in paths:
            row = rows.get(os.fsencode(path.name))
            value = self._value(path, row, key) if row is not None else None
            if value is not None:
                found[path] = value
        return found

    def _value(self, path: Path, row: "Row", key: str) -> T | None:
        """Return the value in `row`; None if the record has changed or the row is damaged."""
        kept_stamp, kept_key, content, digest = row
        stamp = stamp_of(path)
        if stamp is None or kept_stamp != stamp.text or kept_key not in ("", key):
            return None
        if digest != self._digest(_row_key(path), kept_stamp, kept_key, content):
            return None
        try:
            return self._decoder.decode(content)
        except (msgspec.MsgspecError, ValueError):
            return None

    def _row(self, entry: IndexEntry[T]) -> "Row | None":
        content = msgspec.msgpack.encode(entry.value)
        if len(content) > self._max_bytes:
            return None
        stamp, key = entry.stamp.text, _key_stamp() if entry.sealed else ""
        return stamp, key, content, self._digest(_row_key(entry.path), stamp, key, content)

    def _digest(self, place: "RecordPath", stamp: str, key: str, content: bytes) -> bytes:
        about = msgspec.msgpack.encode((__version__, self._name, *place, stamp, key))
        return blake2b(about + content, digest_size=16).digest()


def _row_key(path: Path) -> "RecordPath":
    return os.fsencode(path.parent), os.fsencode(path.name)


def _key_stamp() -> str:
    """Return the stamp of this computer's key file as text.

    If the file is missing, return a text that differs from all stamps.
    """
    stamp = stamp_of(folders.key())
    return stamp.text if stamp is not None else "no key"
