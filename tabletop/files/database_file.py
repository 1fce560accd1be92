"""Checks on SQLite files that may be damaged or forged, before and right after opening them.

This module imports SQLite, so it must not be imported at startup.
"""

import os
import sqlite3
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

from tabletop.files import file_lock
from tabletop.files.regular_file import open_regular

COMPANION_SUFFIXES = ("-journal", "-wal", "-shm")
"""Suffixes of the files that SQLite creates beside a database and mustn't use for another one."""
MAX_SCHEMA_OBJECTS = 20
"""The maximum number of tables and indexes that are read, more than any real database has."""
HEADER_BYTES = 19
"""The length of a database header up to and including its write version."""
WRITABLE_VERSIONS = (1, 2)
"""The write versions, in the last of these bytes, of files that SQLite can write."""
TRANSIENT_ERRORS = frozenset(
    {
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
    }
)
"""Error codes that may occur even if the file is intact; all other codes mean damage."""

Schema = list[tuple[str, str]]
"""The names of tables and indexes, each with the SQL statement that created it."""


def is_transient(error: sqlite3.Error) -> bool:
    """Return whether `error` may occur even if the file is intact."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in TRANSIENT_ERRORS


def check_regular_files(path: Path) -> None:
    """Check that a database and its companion files are regular files, if they exist.

    SQLite would block on a pipe.

    Raises:
        OSError: a file isn't regular or can't be opened; `filename` is its path.
    """
    for each in with_companions(path):
        with suppress(FileNotFoundError):
            open_regular(each).close()


def with_companions(path: Path) -> tuple[Path, ...]:
    """Return the path of a database, followed by the paths of its companion files."""
    return (path, *(path.with_name(path.name + suffix) for suffix in COMPANION_SUFFIXES))


def supports_locks(path: Path) -> bool:
    """Return whether the file's disk supports the locks that SQLite needs.

    Without locks, two processes that write the file at once would damage it.
    """
    try:
        with open_regular(path) as file:
            return file_lock.supports_range_locks(file)
    except FileNotFoundError:
        return True


def check_file_header(path: Path, max_bytes: int) -> None:
    """Check that a file, if it exists, looks like a database of at most `max_bytes`.

    Raises:
        ValueError: the file is too large or has an unknown version.
        OSError: the file can't be read or isn't a regular file.
    """
    try:
        with open_regular(path) as file:
            head, size = file.read(HEADER_BYTES), os.fstat(file.fileno()).st_size
    except FileNotFoundError:
        return
    if size > max_bytes:
        raise ValueError("too large for a database of its kind")
    if head and head[-1] not in WRITABLE_VERSIONS:
        raise ValueError("no version of SQLite's own format")


def schema_of(connection: sqlite3.Connection) -> Schema:
    """Return the schema of a database.

    Call this before any other query, because another query could run code in a forged schema.
    """
    return connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
    ).fetchmany(MAX_SCHEMA_OBJECTS)


@cache
def schema_from_sql(tables: str) -> Schema:
    """Return the schema that the CREATE statements in `tables` define."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(tables)
        return schema_of(connection)
