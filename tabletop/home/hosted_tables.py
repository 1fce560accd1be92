"""Imports hosted tables from another data folder, with the records of their matches.

A table can exist only once, because its guests reconnect to one computer. If a table was continued
on both computers, the one on this computer is kept.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path

import msgspec

from tabletop.files import folders
from tabletop.files.atomic_write import write_atomically
from tabletop.files.errors import StorageError, read_error
from tabletop.files.new_files import NewFiles
from tabletop.files.regular_file import read_regular
from tabletop.net.host.finished_file import CLOSED_TABLES, FINISHED_SUFFIX
from tabletop.net.host.finished_file import MAX_FILE_BYTES as MAX_FINISHED_BYTES
from tabletop.net.host.table_disk import (
    MAX_TABLE_FILE_BYTES,
    read_table,
    table_file,
    table_files_in,
)
from tabletop.storage.match_import import ImportOutcome, import_match, preview_import

MAX_TABLES = 300
"""The maximum number of open hosted tables, each of which takes milliseconds to sync to disk."""

RecordsByTable = Mapping[str, list[Path]]
"""The paths of each table's records, by table name."""


def import_tables(theirs: Path, ours: Path, key: bytes | None, remarks: list[str]) -> int:
    """Import the hosted tables in folder `theirs` into folder `ours`.

    Return the number of tables that are new or were continued on the other computer. `key`: as for
    `import_match`. `remarks`: receives a message about each table that can't be imported.

    Raises:
        StorageError: there are more than `MAX_TABLES` tables, or `theirs` can't be read.
    """
    try:
        tables = table_files_in(theirs)
    except OSError as error:
        raise read_error(error, theirs.name) from error
    if len(tables) > MAX_TABLES:
        raise StorageError(
            "The other computer hosts more than {most} tables: its tables are missing.",
            most=MAX_TABLES,
        )
    taken, merge = 0, _TableImport(theirs, ours, key)
    for path in tables:
        try:
            taken += merge.import_table(path)
        except StorageError as error:
            remarks.append(str(error))
    remarks += merge.import_closed_tables()
    return taken


class _TableImport:
    """An import of hosted tables from one folder into another."""

    def __init__(self, theirs: Path, ours: Path, key: bytes | None) -> None:
        self._ours = ours
        self._key = key
        self._new_files = NewFiles()
        self._their_records = _records_in(theirs)
        self._their_closed = _records_in(theirs / CLOSED_TABLES)
        self._our_records = _records_in(ours)
        self._our_closed = _records_in(ours / CLOSED_TABLES)

    def import_table(self, path: Path) -> bool:
        """Import one table; return whether it is new here or was continued on the other computer.

        Raises:
            StorageError: the file isn't a table, the table was continued here too, or a file can't
                be written.
        """
        table, target = path.stem, table_file(self._ours, path.stem)
        content = _table_content(path)
        records = self._their_records.get(table, [])
        if self._our_closed.get(table):  # the table was closed here
            self._import_records(records, self._ours / CLOSED_TABLES)
            return False
        if target.exists():
            found = {preview_import(record, self._ours, self._key) for record in records}
            same = _read_file(target, MAX_TABLE_FILE_BYTES) == content
            if found <= {ImportOutcome.KNOWN} and (records or same):
                return False
            here = {record.name for record in self._our_records.get(table, [])}
            only_here = here - {record.name for record in records}
            if ImportOutcome.DIVERGED in found or not records or only_here:
                raise StorageError(
                    'The table "{name}" went on at both computers: the one here stays.',
                    name=_name_of(path),
                )
        # records first, so that a table never exists without its match
        self._import_records(records, self._ours)
        write_atomically(target, content, private=True)
        return True

    def import_closed_tables(self) -> Iterator[str]:
        """Import the records of closed tables, and yield a message for each failure."""
        for record in chain.from_iterable(self._their_closed.values()):
            try:
                self._import_record(record, self._ours / CLOSED_TABLES)
            except StorageError as error:
                yield str(error)
        yield from map(str, self._new_files.commit())

    def _import_records(self, records: Iterable[Path], folder: Path) -> None:
        for record in records:
            self._import_record(record, folder)
        if refused := self._new_files.commit():
            raise refused[0]

    def _import_record(self, record: Path, folder: Path) -> None:
        import_match(record, folder, self._new_files, self._key)
        finished = record.with_suffix(FINISHED_SUFFIX)
        target = folder / finished.name
        if finished.is_file() and not target.exists():
            _read_file(finished, MAX_FINISHED_BYTES)
            self._new_files.add(finished, target)


def _records_in(folder: Path) -> RecordsByTable:
    found: dict[str, list[Path]] = {}
    for record in sorted(folder.glob(f"*{folders.SUFFIX}")):
        found.setdefault(record.stem.rpartition("-")[0], []).append(record)
    return found


def _table_content(path: Path) -> bytes:
    """Return the content of a table's file, after checking that it can be decoded and encoded.

    Raises:
        StorageError: the file can't be read, or isn't a valid table.
    """
    content = _read_file(path, MAX_TABLE_FILE_BYTES)
    try:
        msgspec.json.encode(read_table(path))
    except (OSError, ValueError, OverflowError) as error:
        raise StorageError('"{file}" is no table.', file=path.name) from error
    return content


def _name_of(path: Path) -> str:
    try:
        return read_table(path).plan.name
    except (OSError, ValueError):
        return path.stem


def _read_file(path: Path, max_bytes: int) -> bytes:
    try:
        return read_regular(path, max_bytes)
    except OSError as error:
        raise read_error(error, path.name) from error
