"""The one file format of journals, saves and replays: a header, then a line for each entry.

Every line is JSON and is safe on the disk before the move it holds is told to anybody. What tears
while a line is written (a crash, a power cut) is that last line alone, and is cut off on reopening.
A record holds moves and a seed, no code and no state: reading one runs nothing but the rules.
"""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from tabletop.engine.model import Name, Value
from tabletop.engine.play import Illegal
from tabletop.games import catalogue
from tabletop.games.catalogue import BrokenGame, Kit, UnknownGame
from tabletop.match import Entry, Match, Player, new_seed
from tabletop.storage.trouble import BadFile, StorageError, disk_trouble
from tabletop.storage.whole import keep_name, write_whole

SUFFIX = ".tabletop"
FORMAT = 1
MOST_BYTES = 16 * 1024 * 1024
MOST_LINES = 200_000
MOST_SEATS = 16
LONGEST_SEED = 200
HEADER = 1
"""The line a header stands on."""


class Header(Struct, frozen=True, rename={"format": "tabletop"}):
    """The first line: what is played, by whom, and the seed that all chance comes from."""

    format: int
    game: Name
    rules: int
    players: Annotated[tuple[Player, ...], Meta(min_length=1, max_length=MOST_SEATS)]
    seed: Annotated[str, Meta(min_length=1, max_length=LONGEST_SEED)]
    options: dict[Name, Value] = {}
    created: datetime | None = None


class _Format(Struct, rename={"format": "tabletop"}):
    """As much of a header as every version of the format shares."""

    format: int


class Record(Struct, frozen=True):
    """A file read: its header, its entries, and whether a torn last line was left out."""

    path: Path
    header: Header
    entries: tuple[Entry, ...]
    torn: bool


def header(
    kit: Kit,
    players: tuple[Player, ...],
    options: dict[str, Value] | None = None,
    seed: str | None = None,
) -> Header:
    """The header of a match that begins now, with a new seed where none is given."""
    return Header(
        FORMAT,
        kit.id,
        kit.box.rules,
        players,
        seed or new_seed(),
        catalogue.options(kit, options),
        datetime.now(UTC).replace(microsecond=0),
    )


def write_header(path: Path, header: Header) -> None:
    """Begin a journal: a new file with nothing but the header, safe on the disk.

    Raises:
        StorageError: the file cannot be written, or exists already.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(_line(header))
            file.flush()
            os.fsync(file.fileno())
        keep_name(path.parent)
    except OSError as error:
        raise disk_trouble(error, path.name) from error


class Journal:
    """Appends entries to a record; each is safe on the disk before `write` returns."""

    def __init__(self, path: Path) -> None:
        """Go on with a journal; a torn last line is cut off.

        Raises:
            StorageError: the file cannot be written.
        """
        self.path = path
        try:
            self._file = path.open("r+b", buffering=0)
            self._end = self._file.read().rfind(b"\n") + 1
            self._file.truncate(self._end)
        except OSError as error:
            raise disk_trouble(error, path.name) from error
        self._torn = False

    def write(self, entry: Entry) -> None:
        """Have the entry safe.

        Raises:
            StorageError: the disk refused it, or the match is played on in another window too; the
                journal stands as it stood before.
        """
        line = _line(entry)
        try:
            if self._torn:
                self._file.truncate(self._end)
                self._torn = False
            if self._file.seek(0, os.SEEK_END) != self._end:
                raise StorageError('"{file}" is played on in another window.', file=self.path.name)
            written = 0
            while written < len(line):
                written += self._file.write(line[written:])
            os.fsync(self._file.fileno())
        except OSError as error:
            self._torn = True
            with suppress(OSError):
                self._file.truncate(self._end)
            raise disk_trouble(error, self.path.name) from error
        self._end += len(line)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def read(path: Path) -> Record:
    """The record in a file, checked line by line; whether its moves are legal `replay` tells.

    Raises:
        BadFile: there is none that could be read.
    """
    name = path.name
    try:
        if not path.is_file():
            raise BadFile('There is no file "{file}".', file=name)
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadFile('"{file}" cannot be read.', file=name) from error
    if len(content) > MOST_BYTES or content.count(b"\n") > MOST_LINES:
        raise BadFile('"{file}" is too large for a record of a match.', file=name)
    whole = content.rfind(b"\n") + 1
    first, *lines = content[:whole].split(b"\n")[:-1] or [b""]
    head = _header(first, name)
    return Record(
        path,
        head,
        tuple(_entry(line, number, head, name) for number, line in enumerate(lines, start=2)),
        whole < len(content),
    )


def replay(record: Record, upto: int | None = None) -> Match:
    """The match after its first `upto` entries, or all; it keeps no journal.

    Raises:
        BadFile: the record is of a game or of rules that this program has not, or a line of it
            (`BadFile.line`) does not fit the table it is played on.
    """
    head, name = record.header, record.path.name
    try:
        kit = catalogue.load(head.game)
    except UnknownGame as error:
        raise BadFile(
            '"{file}" is of the game "{game}", which this program has not.',
            HEADER,
            file=name,
            game=head.game,
        ) from error
    except BrokenGame as error:
        raise BadFile(
            '"{file}" is of the game "{game}", which cannot be read here.',
            1,
            file=name,
            game=head.game,
        ) from error
    if head.rules != kit.box.rules:
        raise BadFile(
            '"{file}" was played by version {theirs} of the rules; this program has {ours}.',
            HEADER,
            file=name,
            theirs=head.rules,
            ours=kit.box.rules,
        )
    try:
        options = catalogue.options(kit, head.options)
    except UnknownGame as error:
        raise _damaged(name, HEADER) from error
    if len(head.players) not in kit.box.seats:
        raise _damaged(name, HEADER)
    match = Match(kit.game, kit.backs, head.players, options, head.seed)
    for number, entry in enumerate(record.entries[:upto], start=2):
        try:
            match.restore(entry)
        except Illegal as error:
            raise BadFile(
                'Line {line} of "{file}" does not fit the game: its move is not legal there.',
                number,
                line=number,
                file=name,
            ) from error
    return match


def kit_of(match: Match) -> Kit:
    """The game that a match is of."""
    return next(kit for kit in catalogue.whole() if kit.game is match.game)


def save_as(match: Match, path: Path) -> None:
    """Write the match as it stands to a file, whole or not at all.

    Raises:
        StorageError: the file cannot be written; what was there before is still there.
    """
    head = header(kit_of(match), match.players, match.state.options, match.seed)
    write_whole(path, b"".join([_line(head), *map(_line, match.record)]))


def _line(part: Header | Entry) -> bytes:
    return msgspec.json.encode(part) + b"\n"


def _header(line: bytes, name: str) -> Header:
    try:
        version = msgspec.json.decode(line, type=_Format).format
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadFile('"{file}" is no record of a match of this program.', file=name) from error
    if version > FORMAT:
        raise BadFile(
            '"{file}" was written by a newer version of this program, which alone can open it.',
            file=name,
        )
    try:
        return msgspec.json.decode(line, type=Header)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise _damaged(name, HEADER) from error


def _entry(line: bytes, number: int, head: Header, name: str) -> Entry:
    try:
        entry = msgspec.json.decode(line, type=Entry)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise _damaged(name, number) from error
    said = (entry.move is not None) + (entry.undo > 0) + entry.concede + entry.withdraw
    if entry.seat not in range(len(head.players)) or entry.undo < 0 or said != 1:
        raise _damaged(name, number)
    return entry


def _damaged(name: str, line: int) -> BadFile:
    return BadFile('"{file}" is damaged at line {line}.', line, file=name, line=line)
