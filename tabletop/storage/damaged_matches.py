"""Repair of damaged matches: a copy continues from the last valid move.

The damaged file is kept under a new name.
"""

from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from tabletop.files.atomic_write import move_file, write_new
from tabletop.files.errors import BadFile, Damaged, write_error
from tabletop.files.small_file import unused_broken_path
from tabletop.storage import playtest_notes, saved_matches
from tabletop.storage.journal import lock_match_file
from tabletop.storage.plies import plies
from tabletop.storage.record import (
    SUFFIX,
    Record,
    kit_for,
    read_record_header,
    to_bytes,
    validate_options,
)
from tabletop.storage.salvage import salvage_record


def can_repair(error: BadFile) -> bool:
    """Return whether the damaged match's header is intact enough to try `repair_match`."""
    path = error.path
    if not isinstance(error, Damaged) or path is None:
        return False
    try:
        head = read_record_header(path)
        bare = Record(path, head, ())
        validate_options(bare, kit_for(bare))
    except BadFile:
        return False
    return True


def repair_match(path: Path) -> tuple[Path, Path]:
    """Replace a damaged match by a copy of its valid part.

    Return the path of the copy, then the new path of the damaged file. If the match is over, the
    copy is moved to the replays.

    Raises:
        BadFile: no part is valid, or the installed rules can't replay it.
        StorageError: a file can't be written, or the match is open in another window; nothing has
            changed.
    """
    record = salvage_record(path)
    validate_options(record, kit_for(record))
    copy = path.with_name(f"{path.stem}-{token_hex(2)}{SUFFIX}")
    aside = unused_broken_path(path)
    with lock_match_file(path):
        write_new(copy, to_bytes(record))
        try:
            move_file(path, aside)
        except OSError as error:
            with suppress(OSError):
                copy.unlink()
            raise write_error(error, path.name) from error
    picture = saved_matches.picture_path(path)
    with suppress(OSError):
        move_file(picture, saved_matches.picture_path(copy))
    playtest_notes.move_notes(playtest_notes.notes_path(path), playtest_notes.notes_path(copy))
    over = plies(record)[-1].state.result is not None
    return (saved_matches.move_to_replays(copy) if over else copy), aside
