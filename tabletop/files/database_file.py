"""SQLite files that somebody may have damaged or replaced: what is checked before SQLite opens one
and before anything is read of it.

This module imports SQL, so the start of the program must not import it.
"""

import os
import sqlite3
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

from tabletop.files import file_lock
from tabletop.files.regular_file import open_regular

COMPANION_SUFFIXES = ("-journal", "-wal", "-shm")
"""Suffixes of SQLite's files beside a database: they must never be taken for the next one's."""
MAX_SCHEMA_OBJECTS = 20
"""Tables and indexes of which a database is read; none of ours has as many."""
HEADER_BYTES, WRITABLE_VERSIONS = 19, (1, 2)
"""The last byte of this head of a file says whether SQLite may write it."""
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
"""Errors that a sound file can cause too; all others are damage."""

Schema = list[tuple[str, str]]
"""The names of tables and indexes, each with the SQL that made it."""


def is_transient(error: sqlite3.Error) -> bool:
    """Return whether a sound file can cause this error too."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in TRANSIENT_ERRORS


def check_regular_files(path: Path) -> None:
    """Check that a database and SQLite's files beside it are regular files, as far as they exist:
    SQLite would wait for ever on a pipe.

    Raises:
        OSError: one isn't, or can't be opened; `filename` names it.
    """
    for each in with_companions(path):
        with suppress(FileNotFoundError):
            open_regular(each).close()


def with_companions(path: Path) -> tuple[Path, ...]:
    """Return the path of a database and those of SQLite's files beside it."""
    return (path, *(path.with_name(path.name + suffix) for suffix in COMPANION_SUFFIXES))


def supports_locks(path: Path) -> bool:
    """Return whether the disk can lock parts of this file. Without locks, two processes that write
    into the file at once would damage it."""
    try:
        with open_regular(path) as file:
            return file_lock.supports_range_locks(file)
    except FileNotFoundError:
        return True


def check_file_header(path: Path, max_bytes: int) -> None:
    """Check that a file can be a database of at most `max_bytes`; it need not exist.

    Raises:
        ValueError: it can't be one.
        OSError: it can't be read, or is no regular file.
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
    """Return the tables of a database as they were asked for. Call this first: every other query
    would run what odd tables say."""
    return connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
    ).fetchmany(MAX_SCHEMA_OBJECTS)


@cache
def schema_from_sql(tables: str) -> Schema:
    """Return the layout of a database that was made by these statements."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(tables)
        return schema_of(connection)
