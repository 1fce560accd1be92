"""The tables that another home hosts, taken into this one with the records of their matches.

A table is one: its guests come back to one computer. So where it went on at both, the one here
stays.
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
from tabletop.net.host.finished_file import CLOSED_TABLES, FINISHED
from tabletop.net.host.finished_file import MOST_BYTES as MOST_OF_FINISHED
from tabletop.net.host.table_disk import MOST_BYTES, read_table, table_file, tables_in
from tabletop.storage.match_import import ImportOutcome, import_match, preview_import

MAX_TABLES = 300
"""Tables that a person hosts, closed ones aside; a club has a server. Each is made safe by itself,
which takes milliseconds."""

RecordsByTable = Mapping[str, list[Path]]
"""The records of each table, by its name."""


def import_tables(theirs: Path, ours: Path, key: bytes | None, remarks: list[str]) -> int:
    """Take in the tables of a folder; return how many are new here or went on elsewhere. `key` as
    in `import_match`; what is `left` gets a sentence each.

    Raises:
        StorageError: there are more than anybody hosts.
    """
    tables = tables_in(theirs)
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
    """The tables of two computers."""

    def __init__(self, theirs: Path, ours: Path, key: bytes | None) -> None:
        self._ours = ours
        self._key = key
        self._fresh = NewFiles()
        self._their_records = _records_in(theirs)
        self._their_closed = _records_in(theirs / CLOSED_TABLES)
        self._our_records = _records_in(ours)
        self._our_closed = _records_in(ours / CLOSED_TABLES)

    def import_table(self, path: Path) -> bool:
        """Take in one table; return whether it is new here, or went on elsewhere.

        Raises:
            StorageError: it is no table, or went on here, or the disk refuses.
        """
        table, target = path.stem, table_file(self._ours, path.stem)
        content = _table_content(path)
        records = self._their_records.get(table, [])
        if self._our_closed.get(table):  # it was closed here
            self._import_records(records, self._ours / CLOSED_TABLES)
            return False
        if target.exists():
            found = {preview_import(record, self._ours, self._key) for record in records}
            same = _read_file(target, MOST_BYTES) == content
            if found <= {ImportOutcome.KNOWN} and (records or same):
                return False
            here = {record.name for record in self._our_records.get(table, [])}
            only_here = here - {record.name for record in records}
            if ImportOutcome.DIVERGED in found or not records or only_here:
                raise StorageError(
                    'The table "{name}" went on at both computers: the one here stays.',
                    name=_name_of(path),
                )
        # copied first, so that a table is never there without its match
        self._import_records(records, self._ours)
        write_atomically(target, content, private=True)
        return True

    def import_closed_tables(self) -> Iterator[str]:
        """Take in the records of closed tables; yield a sentence for each that is left."""
        for record in chain.from_iterable(self._their_closed.values()):
            try:
                self._import_record(record, self._ours / CLOSED_TABLES)
            except StorageError as error:
                yield str(error)
        yield from map(str, self._fresh.commit())

    def _import_records(self, records: Iterable[Path], folder: Path) -> None:
        for record in records:
            self._import_record(record, folder)
        if refused := self._fresh.commit():
            raise refused[0]

    def _import_record(self, record: Path, folder: Path) -> None:
        import_match(record, folder, self._fresh, self._key)
        finished = record.with_suffix(FINISHED)
        target = folder / finished.name
        if finished.is_file() and not target.exists():
            _read_file(finished, MOST_OF_FINISHED)
            self._fresh.add(finished, target)


def _records_in(folder: Path) -> RecordsByTable:
    found: dict[str, list[Path]] = {}
    for record in sorted(folder.glob(f"*{folders.SUFFIX}")):
        found.setdefault(record.stem.rpartition("-")[0], []).append(record)
    return found


def _table_content(path: Path) -> bytes:
    """Return the content of a table's file.

    Raises:
        StorageError: the host here couldn't read it, or not write it again.
    """
    content = _read_file(path, MOST_BYTES)
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


def _read_file(path: Path, most: int) -> bytes:
    try:
        return read_regular(path, most)
    except OSError as error:
        raise read_error(error, path.name) from error
