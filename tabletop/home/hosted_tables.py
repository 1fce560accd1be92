"""The tables that another home hosts, taken into this one with the records of their matches.

A table is one: its guests come back to one computer. So where it went on at both, the one here
stays.
"""

from collections.abc import Iterator
from pathlib import Path

from tabletop.files import folders
from tabletop.files.atomic_write import write_new, write_whole
from tabletop.files.errors import StorageError, not_readable
from tabletop.files.regular_file import read_regular
from tabletop.net.host.finished_file import CLOSED_TABLES, FINISHED
from tabletop.net.host.finished_file import MOST_BYTES as MOST_OF_FINISHED
from tabletop.net.host.table_disk import MOST_BYTES, read_table, table_file, tables_in
from tabletop.storage.taken_matches import Taken, compare_match, take_match


def take_tables(theirs: Path, ours: Path, key: bytes | None, remarks: list[str]) -> int:
    """Take in the tables of a folder; return how many are new here or went on elsewhere. `key` as
    in `take_match`; what is `left` gets a sentence each."""
    taken = 0
    for path in tables_in(theirs):
        try:
            taken += _take_table(path, ours, key)
        except StorageError as error:
            remarks.append(str(error))
    for record in _records(theirs / CLOSED_TABLES):
        try:
            _take_record(record, ours / CLOSED_TABLES, key)
        except StorageError as error:
            remarks.append(str(error))
    return taken


def _take_table(path: Path, ours: Path, key: bytes | None) -> bool:
    """Take in one table; return whether it is new here, or went on elsewhere."""
    table, target = path.stem, table_file(ours, path.stem)
    records = list(_records(path.parent, f"{table}-"))
    if any(_records(ours / CLOSED_TABLES, f"{table}-")):  # it was closed here
        for record in records:
            _take_record(record, ours / CLOSED_TABLES, key)
        return False
    content = _read(path, MOST_BYTES)
    if target.exists():
        found = {compare_match(record, ours, key) for record in records}
        same = _read(target, MOST_BYTES) == content
        if found <= {Taken.KNOWN} and (records or same):
            return False
        here = {record.name for record in _records(ours, f"{table}-")}
        only_here = here - {record.name for record in records}
        if Taken.BOTH in found or not records or only_here:
            raise StorageError(
                'The table "{name}" went on at both computers: the one here stays.',
                name=_name_of(path),
            )
    for record in records:  # copied first, so that a table is never there without its match
        _take_record(record, ours, key)
    write_whole(target, content, private=True)
    return True


def _take_record(record: Path, folder: Path, key: bytes | None) -> None:
    take_match(record, folder, key)
    finished = record.with_suffix(FINISHED)
    target = folder / finished.name
    if finished.is_file() and not target.exists():
        write_new(target, _read(finished, MOST_OF_FINISHED))


def _records(folder: Path, beginning: str = "") -> Iterator[Path]:
    yield from sorted(folder.glob(f"{beginning}*{folders.SUFFIX}"))


def _name_of(path: Path) -> str:
    try:
        return read_table(path).plan.name
    except (OSError, ValueError):
        return path.stem


def _read(path: Path, most: int) -> bytes:
    try:
        return read_regular(path, most)
    except OSError as error:
        raise not_readable(error, path.name) from error
