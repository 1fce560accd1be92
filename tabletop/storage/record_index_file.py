"""The SQLite file of the record index: opened briefly, checked, and recreated if it is damaged.

This module imports SQLite, so it is imported only when records are listed.
"""

import logging
import sqlite3
from collections.abc import Callable, Collection, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import TypeVar

from tabletop.files import folders
from tabletop.files.atomic_write import create_private, make_folder, retry_if_locked
from tabletop.files.database_file import (
    check_file_header,
    check_regular_files,
    is_transient,
    schema_from_sql,
    schema_of,
    supports_locks,
    with_companions,
)
from tabletop.files.regular_file import KIB, MIB

log = logging.getLogger("tabletop")

T = TypeVar("T")
RecordPath = tuple[bytes, bytes]
"""The folder and the name of a record, as bytes because file names may be invalid text."""
Row = tuple[str, str, bytes, bytes]
"""The unchecked data of an entry: stamp, key stamp, content and digest."""

TABLES = """
CREATE TABLE entry (
    part TEXT NOT NULL,
    folder BLOB NOT NULL,
    name BLOB NOT NULL,
    stamp TEXT NOT NULL,
    key TEXT NOT NULL,
    content BLOB NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (part, folder, name)
) WITHOUT ROWID;
"""
"""The SQL schema.

Column `key` is the stamp of the key file that opened a sealed record; "" for other records. Each
entry has a digest because SQLite doesn't detect changed bytes.
"""
FIND_ALL = (
    "SELECT name, stamp, key, content, digest FROM entry WHERE part = ? AND folder = ?"
    " AND length(content) <= ? LIMIT ?"
)
FIND = f"{FIND_ALL.partition(' LIMIT')[0]} AND name = ?"
MAX_ENTRY_BYTES = 16 * MIB
MAX_INDEX_BYTES = 512 * MIB
PAGE_BYTES = 4096
MAX_ENTRIES_PER_FOLDER = 200_000
"""The maximum number of entries read for one folder."""
MAX_READ_BYTES = 256 * MIB
"""The maximum total size of entries read at once."""
LOCK_TIMEOUT_S = 0.5
"""How long to wait for another thread or process, in seconds.

The timeout is short because reading the records without the index isn't much slower.
"""
MAX_QUERY_S = 10.0
"""The time limit for a query in seconds, because a query on a damaged file may run forever."""
STEPS_PER_TIMEOUT_CHECK = 100_000
"""SQLite virtual machine instructions between two checks of the timeout."""
DAMAGE_ERRORS = (ValueError, OverflowError, sqlite3.Error)

_thread_lock = Lock()
"""Serializes threads: closing the file on one thread would release locks of another."""


def read(part: str, folder: bytes, name: bytes | None, max_bytes: int) -> dict[bytes, Row]:
    """Return the entries of `part` for the records in `folder`, or only for the record `name`.

    The entries are keyed by file name. Entries larger than `max_bytes` are omitted.
    """
    query, last = (FIND_ALL, MAX_ENTRIES_PER_FOLDER) if name is None else (FIND, name)

    def fetch(connection: sqlite3.Connection) -> dict[bytes, Row]:
        rows: dict[bytes, Row] = {}
        size = 0
        for found, *row in connection.execute(query, (part, folder, max_bytes, last)):
            stamp, key, content, digest = row
            if type(content) is not bytes:
                raise ValueError("no content of an entry")
            size += len(content)
            if size > MAX_READ_BYTES:
                break
            rows[found] = stamp, key, content, digest
        return rows

    return _with_index(fetch, {})


def insert(part: str, rows: Sequence[tuple[RecordPath, Row]]) -> None:
    """Insert the entries `rows` into `part`, replacing older entries for the same records."""
    entries = [(part, *place, *row) for place, row in rows]

    def write(connection: sqlite3.Connection) -> None:
        connection.executemany("INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)", entries)

    _with_index(write, None, create=True)


def delete_others(part: str, places: Collection[RecordPath]) -> None:
    """Delete all entries of `part` except those for the records `places`."""

    def sweep(connection: sqlite3.Connection) -> None:
        query = "SELECT folder, name FROM entry WHERE part = ?"
        known = connection.execute(query, (part,)).fetchall()
        connection.executemany(
            "DELETE FROM entry WHERE part = ? AND folder = ? AND name = ?",
            [(part, *place) for place in known if place not in places],
        )

    _with_index(sweep, None)


def _with_index(act: Callable[[sqlite3.Connection], T], otherwise: T, *, create: bool = False) -> T:
    """Call `act` with the open index in one transaction, and return its result.

    Return `otherwise` if the index can't be used. A damaged index is deleted. `create`: whether to
    create a missing index.
    """
    if not _thread_lock.acquire(timeout=LOCK_TIMEOUT_S):
        return otherwise
    path = folders.record_index()
    try:
        connection = _connect(path, create)
        if connection is None:
            return otherwise
        with closing(connection), connection:
            return act(connection)
    except DAMAGE_ERRORS as error:
        if isinstance(error, sqlite3.Error) and is_transient(error) and not _timed_out(error):
            log.info("The index of records can't be used: %s", error)
        else:
            log.info("The index of records is damaged and made anew: %s", error)
            _delete(path)
    except OSError as error:
        log.info("The index of records can't be used: %s", error)
    finally:
        _thread_lock.release()
    return otherwise


def _connect(path: Path, create: bool) -> sqlite3.Connection | None:
    """Open the index.

    Return None if the index is missing and `create` is False, or if the disk doesn't support locks.

    Raises:
        ValueError, sqlite3.Error, OSError: the index is damaged or can't be used.
    """
    if create:
        make_folder(path.parent)
        with suppress(FileExistsError):
            create_private(path).close()
    elif not path.exists():
        return None
    check_regular_files(path)
    check_file_header(path, MAX_INDEX_BYTES)
    if not supports_locks(path):
        return None
    connection = sqlite3.connect(path, timeout=LOCK_TIMEOUT_S)
    try:
        if _prepare(connection, create):
            return connection
    except BaseException:
        connection.close()
        raise
    connection.close()
    return None


def _prepare(connection: sqlite3.Connection, create: bool) -> bool:
    """Set the limits of a connection, and create missing tables if `create`.

    Return whether the tables exist now.
    """
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_ENTRY_BYTES + KIB)
    until = monotonic() + MAX_QUERY_S
    connection.set_progress_handler(lambda: monotonic() > until, STEPS_PER_TIMEOUT_CHECK)
    connection.execute("PRAGMA trusted_schema = OFF")
    layout = schema_of(connection)
    if layout not in ([], schema_from_sql(TABLES)):
        raise ValueError("other tables")
    connection.execute("PRAGMA synchronous = OFF")  # losing the index in a power cut is acceptable
    connection.execute(f"PRAGMA max_page_count = {MAX_INDEX_BYTES // PAGE_BYTES}")
    if not layout and create:
        tables = TABLES.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS")
        connection.executescript(f"BEGIN IMMEDIATE; {tables} COMMIT;")
    return bool(layout) or create


def _timed_out(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT


def _delete(path: Path) -> None:
    for each in reversed(with_companions(path)):
        with suppress(OSError):
            retry_if_locked(partial(each.unlink, missing_ok=True))
