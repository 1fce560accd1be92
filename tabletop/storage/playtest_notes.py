"""Playtest notes on moments of a match: a small file beside its record.

A record's lines are a chain that is verified, and only a running match adds to it; so notes are in
a file of their own. It goes wherever the record goes.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from tabletop.files import folders
from tabletop.files.errors import StorageError, write_error
from tabletop.files.small_file import SmallFile, add_digest, json_file, notify_user
from tabletop.text.moments import check_moment
from tabletop.text.phrases import phrase
from tabletop.text.plain_text import LONGEST_NAME, plain_line

NOTES_SUFFIX = ".notes.json"
"""The ending of a file of notes, after the name of the record."""
MAX_NOTES = 300
"""The most notes kept of one match."""
MAX_NOTE_LENGTH = 2000
"""Characters of a note."""
MAX_NOTE_LINES = 40
MAX_ENTRIES = 1_000_000
"""More than any match has."""
MAX_FILE_BYTES = 8 * 1024 * 1024
TOO_MANY_NOTES = phrase("There are {n} notes on this match already: no more are kept.")
BROKEN = phrase('"{file}" was damaged and moved to "{aside}". The notes on this match start over.')

FOREIGN_BROKEN = phrase('"{file}" of the other computer was damaged: its notes are missing.')


class PlaytestNote(Struct, frozen=True):
    """A player's note, and its moment in the match."""

    text: Annotated[str, Meta(max_length=MAX_NOTE_LENGTH)]
    """The text of the note."""
    ply: Annotated[int, Meta(ge=0, le=MAX_ENTRIES)]
    """`State.ply` of the table that was seen."""
    seat: int | None
    """The viewer: a seat, AUDIENCE, or None where all cards lay open."""
    written: datetime
    """The time of writing."""
    entries: Annotated[int, Meta(ge=0, le=MAX_ENTRIES)] | None = None
    """After this many entries of the record, including those taken back since; None where that is
    not known: at a shared table, whose record is the host's alone while it runs."""
    name: Annotated[str, Meta(max_length=LONGEST_NAME)] = ""
    """The author, if it came from another computer or a phone."""

    def __post_init__(self) -> None:
        check_moment(self.written)


_Notes = Annotated[tuple[PlaytestNote, ...], Meta(max_length=MAX_NOTES)]


def notes_path(record: Path) -> Path:
    """The path of the notes on the match of a record."""
    return record.with_name(record.name + NOTES_SUFFIX)


def shared_notes_path(key: str) -> Path:
    """The path where the notes on a match of a shared table wait for its record, by the match's key
    in the statistics."""
    return folders.matches() / f"shared-{sha256(key.encode()).hexdigest()[:16]}{NOTES_SUFFIX}"


def make_note(
    text: str, ply: int, seat: int | None, entries: int | None = None, name: str = ""
) -> PlaytestNote:
    """A note written now; the text made harmless, as many may read it who did not write it."""
    lines = [
        plain_line(line, MAX_NOTE_LENGTH)
        for line in text[: 8 * MAX_NOTE_LENGTH].splitlines()[:MAX_NOTE_LINES]
    ]
    whole = "\n".join(lines).strip()[:MAX_NOTE_LENGTH].rstrip()
    now = datetime.now(UTC).replace(microsecond=0)
    return PlaytestNote(whole, ply, seat, now, entries, plain_line(name, LONGEST_NAME))


def notes(path: Path, broken: str = BROKEN) -> tuple[PlaytestNote, ...]:
    """Return the notes in a file, the first moment first; none if there are none. Refusals of the
    disk and damage are reported, the latter by the sentence `broken`."""
    unordered = _file(path, broken).read_or_default(())
    return tuple(sorted(unordered, key=lambda each: (each.ply, each.written)))


def check_foreign_notes(path: Path) -> None:
    """Decode the notes of another computer, in this file. Raises as `SmallFile.try_decode`."""
    _file(path, FOREIGN_BROKEN).try_decode()


def add(path: Path, *fresh: PlaytestNote) -> None:
    """Add notes to a file.

    Raises:
        StorageError: it cannot be written, or holds as many as it may; nothing has changed.
    """

    def with_them(now: tuple[PlaytestNote, ...] | None) -> tuple[PlaytestNote, ...]:
        both = tuple(dict.fromkeys((*(now or ()), *fresh)))
        if len(both) > MAX_NOTES:
            raise StorageError(TOO_MANY_NOTES, n=MAX_NOTES)
        return both

    _file(path).update(with_them)


def encode_notes(notes: Sequence[PlaytestNote]) -> bytes:
    """Return the content of a file with these notes."""
    return add_digest(msgspec.json.encode(notes))


def move_notes(path: Path, target: Path) -> None:
    """Move the notes of a file to another one, with those that are there. If the disk refuses,
    that's reported and they stay where they were: their record has gone on, and is not held up by
    them."""
    try:
        if not path.is_file():
            return
        add(target, *(_file(path).read() or ()))
    except (OSError, StorageError) as error:
        notify_user(
            (error if isinstance(error, StorageError) else write_error(error, path.name)).reason
        )
        return
    _delete_notes(path)


def find_orphans(folder: Path) -> list[Path]:
    """The files of notes in a folder without the record they belong to, and the locks beside them:
    of shared matches that nobody has finished."""
    with suppress(OSError):
        alone = [
            path
            for path in folder.glob(f"*{NOTES_SUFFIX}")
            if not path.with_name(path.name.removesuffix(NOTES_SUFFIX)).exists()
        ]
        return [*alone, *(lock for lock in map(_lock_path, alone) if lock.exists())]
    return []


def _lock_path(path: Path) -> Path:
    return path.with_name(f".{path.name}.lock")


def _delete_notes(path: Path) -> None:
    """Have no notes there any more, nor the lock that was put beside them."""
    for left in (path, _lock_path(path)):
        with suppress(OSError):
            left.unlink()


def _file(path: Path, broken: str = BROKEN) -> SmallFile[tuple[PlaytestNote, ...]]:
    return json_file(path, _Notes, broken, MAX_FILE_BYTES)
