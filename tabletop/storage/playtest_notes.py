"""Playtest notes on positions of a match, in a small file beside the record.

Notes can't be lines of the record, because only a running match can append lines to it. The file is
moved together with the record.
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
from tabletop.text.plain_text import MAX_NAME_CHARS, plain_line

NOTES_SUFFIX = ".notes.json"
"""The suffix that is added to the full name of a record to name its notes file."""
MAX_NOTES = 300
"""The maximum number of notes on a match."""
MAX_NOTE_LENGTH = 2000
"""The maximum length of a note, in characters."""
MAX_NOTE_LINES = 40
"""The maximum number of lines of a note."""
MAX_ENTRIES = 1_000_000
"""The maximum entry number in a note, larger than in any real match."""
MAX_FILE_BYTES = 8 * 1024 * 1024
TOO_MANY_NOTES = phrase("There are {n} notes on this match already: no more are kept.")
DAMAGED_NOTICE = phrase(
    '"{file}" was damaged and moved to "{aside}". The notes on this match start over.'
)

FOREIGN_DAMAGED_NOTICE = phrase(
    '"{file}" of the other computer was damaged: its notes are missing.'
)


class PlaytestNote(Struct, frozen=True):
    """A player's note on a position of a match."""

    text: Annotated[str, Meta(max_length=MAX_NOTE_LENGTH)]
    """The text of the note."""
    ply: Annotated[int, Meta(ge=0, le=MAX_ENTRIES)]
    """The `State.ply` of the position."""
    seat: int | None
    """The seat whose view the author saw, AUDIENCE, or None if all cards were visible."""
    written: datetime
    """When the note was written."""
    entries: Annotated[int, Meta(ge=0, le=MAX_ENTRIES)] | None = None
    """The number of record entries before the position, including undone ones.

    It is None at online tables, because only the host has the record of a running match.
    """
    name: Annotated[str, Meta(max_length=MAX_NAME_CHARS)] = ""
    """The author's name if the note came from another computer or a phone; "" otherwise."""

    def __post_init__(self) -> None:
        check_moment(self.written)


_Notes = Annotated[tuple[PlaytestNote, ...], Meta(max_length=MAX_NOTES)]


def notes_path(record: Path) -> Path:
    """Return the path of the notes on the match at `record`."""
    return record.with_name(record.name + NOTES_SUFFIX)


def shared_notes_path(key: str) -> Path:
    """Return the path of the notes on an online match whose record isn't on this computer.

    `key`: the match's key in the statistics.
    """
    return folders.matches() / f"shared-{sha256(key.encode()).hexdigest()[:16]}{NOTES_SUFFIX}"


def make_note(
    text: str, ply: int, seat: int | None, entries: int | None = None, name: str = ""
) -> PlaytestNote:
    """Return a note with the current time, and with `text` and `name` cleaned and shortened."""
    lines = [
        plain_line(line, MAX_NOTE_LENGTH)
        for line in text[: 8 * MAX_NOTE_LENGTH].splitlines()[:MAX_NOTE_LINES]
    ]
    whole = "\n".join(lines).strip()[:MAX_NOTE_LENGTH].rstrip()
    now = datetime.now(UTC).replace(microsecond=0)
    return PlaytestNote(whole, ply, seat, now, entries, plain_line(name, MAX_NAME_CHARS))


def notes(path: Path, broken: str = DAMAGED_NOTICE) -> tuple[PlaytestNote, ...]:
    """Return the notes in the file at `path`, sorted by position; an empty tuple if there are none.

    The user is notified of disk errors and damage. `broken`: the notice for damage.
    """
    unordered = _file(path, broken).read_or_default(())
    return tuple(sorted(unordered, key=lambda each: (each.ply, each.written)))


def check_foreign_notes(path: Path) -> None:
    """Check that another computer's notes at `path` can be decoded.

    Raises like `SmallFile.try_decode`.
    """
    _file(path, FOREIGN_DAMAGED_NOTICE).try_decode()


def add(path: Path, *fresh: PlaytestNote) -> None:
    """Add notes to the file at `path`, without duplicates.

    Raises:
        StorageError: the file can't be written, or would have too many notes; nothing has changed.
    """

    def with_fresh(now: tuple[PlaytestNote, ...] | None) -> tuple[PlaytestNote, ...]:
        both = tuple(dict.fromkeys((*(now or ()), *fresh)))
        if len(both) > MAX_NOTES:
            raise StorageError(TOO_MANY_NOTES, n=MAX_NOTES)
        return both

    _file(path).update(with_fresh)


def encode_notes(notes: Sequence[PlaytestNote]) -> bytes:
    """Return the content of a file with these notes."""
    return add_digest(msgspec.json.encode(notes))


def move_notes(path: Path, target: Path) -> None:
    """Move the notes in `path` to `target`, adding them to any notes there.

    After a disk error, which is reported to the user, the notes stay at `path`.
    """
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
    """Return the notes files in `folder` without a record, and their lock files.

    They belong to online matches that were never finished.
    """
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
    """Delete a notes file and its lock file."""
    for left in (path, _lock_path(path)):
        with suppress(OSError):
            left.unlink()


def _file(path: Path, broken: str = DAMAGED_NOTICE) -> SmallFile[tuple[PlaytestNote, ...]]:
    return json_file(path, _Notes, broken, MAX_FILE_BYTES)
