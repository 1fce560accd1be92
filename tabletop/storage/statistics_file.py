"""The SQLite file of the statistics: its tables, and the checks that precede its use."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from tabletop.engine.model import Value
from tabletop.files.database_file import (
    COMPANION_SUFFIXES,
    check_file_header,
    check_regular_files,
    is_transient,
    schema_from_sql,
    schema_of,
    supports_locks,
)
from tabletop.files.errors import BadFile, StorageError, read_error
from tabletop.files.regular_file import MIB, TooLarge, read_regular
from tabletop.files.shared_decoders import json_decoder
from tabletop.files.small_file import DAMAGE_ERRORS, lock_file, notify_user, set_aside
from tabletop.text.moments import check_moment
from tabletop.text.phrases import phrase

FORMAT = 2
"""The version of the tables; version 1 had no teams.

Databases of newer versions are left unchanged.
"""
MAX_PLAUSIBLE_VERSION = 100
"""The version number from which a file is considered damaged rather than newer."""
DAMAGED_NOTICE = phrase('"{file}" was damaged and moved to "{aside}". The statistics start over.')
FOREIGN_DAMAGED_NOTICE = phrase(
    '"{file}" of the other computer was damaged: its statistics are missing.'
)
MAX_DATABASE_BYTES = 512 * MIB
MAX_VALUE_BYTES = MIB
"""The maximum size of a row in bytes, over a hundred times that of real rows."""
FOREIGN_READ_TIMEOUT_S = 60.0
MAX_FOREIGN_MATCHES = 50_000
"""The maximum number of matches in an imported database.

It is enough for five matches an evening for more than twenty years.
"""
STEPS_PER_TIMEOUT_CHECK = 100_000
"""SQLite virtual machine instructions between two checks of the timeout."""
LOCK_TIMEOUT_S = 2.0
"""How long to wait while another process writes the file, in seconds.

It is short because the user is waiting.
"""

TABLES = """
CREATE TABLE match (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    ended TEXT NOT NULL
);
CREATE TABLE seat (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    level TEXT NOT NULL,
    won INTEGER NOT NULL,
    score INTEGER,
    PRIMARY KEY (match, seat)
);
CREATE TABLE figure (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    line INTEGER NOT NULL,
    text TEXT NOT NULL,
    args TEXT NOT NULL,
    points INTEGER NOT NULL,
    PRIMARY KEY (match, seat, line)
);
CREATE INDEX seat_name ON seat (name, match);
"""
TEAM_TABLE = """
CREATE TABLE team (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    team INTEGER NOT NULL,
    PRIMARY KEY (match, seat)
);
"""
"""The SQL schema of the teams in matches with partners. Databases of version 1 lack this table."""

TEXT_COLUMNS = (
    "key FROM match",
    "game FROM match",
    "ended FROM match",
    "name FROM seat",
    "kind FROM seat",
    "level FROM seat",
    "text FROM figure",
    "args FROM figure",
)
NON_NUMBER_QUERIES = (
    "SELECT 1 FROM seat WHERE typeof(seat) != 'integer' OR typeof(won) != 'integer'"
    " OR typeof(score) NOT IN ('integer', 'null') LIMIT 1",
    "SELECT 1 FROM figure WHERE typeof(seat) != 'integer' OR typeof(line) != 'integer'"
    " OR typeof(points) != 'integer' LIMIT 1",
    "SELECT 1 FROM team WHERE typeof(seat) != 'integer' OR typeof(team) != 'integer' LIMIT 1",
)
IMPLAUSIBLE_VALUE_QUERIES = (
    "SELECT 1 FROM match WHERE max(length(key), length(game), length(ended)) > 500 LIMIT 1",
    "SELECT 1 FROM seat WHERE max(length(name), length(kind), length(level)) > 500"
    " OR seat NOT BETWEEN 0 AND 99 OR won NOT IN (0, 1)"
    " OR score NOT BETWEEN -1e12 AND 1e12 LIMIT 1",
    "SELECT 1 FROM figure WHERE max(length(text), length(args)) > 10000"
    " OR seat NOT BETWEEN 0 AND 99 OR line NOT BETWEEN 0 AND 9999"
    " OR points NOT BETWEEN -1e12 AND 1e12 LIMIT 1",
    "SELECT 1 FROM team WHERE seat NOT BETWEEN 0 AND 99 OR team NOT BETWEEN 0 AND 99 LIMIT 1",
)
"""Queries that find values no match produces and that could overflow sums or break the display."""


class OpenDatabase(NamedTuple):
    """An open database that has passed the checks."""

    connection: sqlite3.Connection
    is_copy: bool
    """Whether the connection is to a copy in memory, which must be written back as a whole.

    A copy is used on disks without locks, where two processes writing at once would damage the
    file.
    """


def open_checked_database(path: Path, timeout_s: float = LOCK_TIMEOUT_S) -> OpenDatabase:
    """Open and check the statistics at `path`.

    A damaged file is renamed and replaced by an empty one.

    Raises:
        sqlite3.Error: the disk or another process temporarily prevents access.
        StorageError: the file can't be read, is from a newer version, or can't be renamed.
    """
    try:
        check_regular_files(path)
    except OSError as error:
        raise read_error(error, Path(error.filename or path).name) from error
    try:
        return _connect(path, timeout_s)
    except DAMAGE_ERRORS:
        with lock_file(path):
            try:
                return _connect(path, timeout_s)  # another process may have repaired it meanwhile
            except DAMAGE_ERRORS:
                notify_user(set_aside(path, DAMAGED_NOTICE, COMPANION_SUFFIXES))
                return _connect(path, timeout_s)


@contextmanager
def open_foreign_database(path: Path) -> Iterator[sqlite3.Connection]:
    """Open and check another computer's statistics, without running any code in the file.

    Reading is aborted after `FOREIGN_READ_TIMEOUT_S`.

    Raises:
        BadFile: the file is damaged or isn't a statistics database. This may also be raised by
            statements in the `with` block.
        StorageError: the file is from a newer version.
    """
    try:
        with closing(_connect(path, LOCK_TIMEOUT_S).connection) as connection:
            until = monotonic() + FOREIGN_READ_TIMEOUT_S
            connection.set_progress_handler(lambda: monotonic() > until, STEPS_PER_TIMEOUT_CHECK)
            _check_foreign_values(connection)
            yield connection
    except (*DAMAGE_ERRORS, sqlite3.DatabaseError) as error:
        raise BadFile(FOREIGN_DAMAGED_NOTICE, file=path.name) from error


def _check_foreign_values(connection: sqlite3.Connection) -> None:
    """Check that all values are ones that this program could have written.

    Raises:
        ValueError, sqlite3.Error: a value is implausible.
    """
    (matches,) = connection.execute("SELECT COUNT(*) FROM match").fetchone()
    if matches > MAX_FOREIGN_MATCHES:
        raise ValueError("more matches than anybody plays")
    for query in IMPLAUSIBLE_VALUE_QUERIES:
        if connection.execute(query).fetchone() is not None:
            raise ValueError("no value of statistics")
    for (ended,) in connection.execute("SELECT DISTINCT ended FROM match"):
        check_moment(datetime.fromisoformat(ended))


def _connect(path: Path, timeout_s: float) -> OpenDatabase:
    """Open and check the database at `path`.

    Raises:
        ValueError: the database is damaged.
        sqlite3.Error: the disk or another process temporarily prevents access.
        StorageError: the file is from a newer version.
    """
    whole = not supports_locks(path)
    connection = sqlite3.connect(":memory:" if whole else path, timeout=timeout_s)
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
        connection.execute("PRAGMA trusted_schema = OFF")
        check_file_header(path, MAX_DATABASE_BYTES)
        if whole and (content := _read_content(path)):
            connection.deserialize(content)
        _prepare_tables(connection, path)
        connection.execute("PRAGMA foreign_keys = ON")
    except sqlite3.Error as error:
        connection.close()
        if is_transient(error):
            raise
        raise ValueError("no database") from error
    except BaseException:
        connection.close()
        raise
    return OpenDatabase(connection, whole)


def _read_content(path: Path) -> bytes:
    try:
        return read_regular(path, MAX_DATABASE_BYTES)
    except FileNotFoundError:
        return b""
    except TooLarge as error:
        raise ValueError("too large for statistics") from error


def _prepare_tables(connection: sqlite3.Connection, path: Path) -> None:
    """Check the schema and the values of a database, and create missing tables.

    Raises:
        ValueError, sqlite3.Error: the database is damaged.
        StorageError: the file is from a newer version.
    """
    schema = schema_of(connection)  # first, because other queries would run code in the schema
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if FORMAT < version < MAX_PLAUSIBLE_VERSION:
        raise StorageError(
            '"{file}" was written by a newer version of Tabletop: statistics are off.',
            file=path.name,
        )
    if version == 0 and not schema:
        _create_tables(connection, TABLES + TEAM_TABLE)
    elif schema == schema_from_sql(TABLES):
        _create_tables(connection, TEAM_TABLE)
    elif schema != schema_from_sql(TABLES + TEAM_TABLE):
        raise ValueError("other tables")
    (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        raise ValueError(verdict)
    if version != FORMAT:
        connection.execute(f"PRAGMA user_version = {FORMAT}")
    _check_column_types(connection)


def _create_tables(connection: sqlite3.Connection, tables: str) -> None:
    """Create the missing tables in one transaction, since another process may be doing the same."""
    missing = tables.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS").replace(
        "CREATE INDEX", "CREATE INDEX IF NOT EXISTS"
    )
    connection.executescript(f"BEGIN IMMEDIATE; {missing} COMMIT;")


def _check_column_types(connection: sqlite3.Connection) -> None:
    """Check that every value has the type of its column.

    Raises:
        ValueError, sqlite3.Error: a value has another type.
    """
    for query in NON_NUMBER_QUERIES:
        if connection.execute(query).fetchone() is not None:
            raise ValueError("no number")
    for column in TEXT_COLUMNS:
        for (text,) in connection.execute(f"SELECT DISTINCT {column}"):
            if not isinstance(text, str):
                raise ValueError("no text")
            if column.startswith("ended") and datetime.fromisoformat(text).tzinfo is None:
                raise ValueError("no moment")
            if column.startswith("args"):
                decode_args(text)


_args_decoder = json_decoder(dict[str, Value])


def decode_args(args: str) -> dict[str, Value]:
    """Decode the placeholder values of a score sheet line."""
    return _args_decoder.decode(args.encode())
