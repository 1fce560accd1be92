"""Continuing damaged matches: in a copy, from the last good move.

The damaged file is kept as it is, under a name of its own.
"""

from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from tabletop.files.atomic_write import move, write_new
from tabletop.files.errors import BadFile, Damaged, disk_trouble
from tabletop.files.small_file import place_aside
from tabletop.storage import playtest_notes, saved_matches
from tabletop.storage.journal import lock_match
from tabletop.storage.plies import plies
from tabletop.storage.record import SUFFIX, Record, agree_options, header_of, kit_for, to_bytes
from tabletop.storage.salvage import good_part


def may_go_on(error: BadFile) -> bool:
    """Whether a match with this error may be continued from its last good move, by its header."""
    path = error.path
    if not isinstance(error, Damaged) or path is None:
        return False
    try:
        head = header_of(path)
        bare = Record(path, head, ())
        agree_options(bare, kit_for(bare))
    except BadFile:
        return False
    return True


def mend(path: Path) -> tuple[Path, Path]:
    """Set a damaged match aside, and put a copy of its good part in its place: among the matches,
    or, where that was over, the replays. Return the paths of the copy and of the damaged file.

    Raises:
        BadFile: these rules cannot play it on, or nothing of it is good.
        StorageError: the disk refused, or it is played on in another window; it stays as it was.
    """
    record = good_part(path)
    agree_options(record, kit_for(record))
    copy = path.with_name(f"{path.stem}-{token_hex(2)}{SUFFIX}")
    aside = place_aside(path)
    with lock_match(path):
        write_new(copy, to_bytes(record))
        try:
            move(path, aside)
        except OSError as error:
            with suppress(OSError):
                copy.unlink()
            raise disk_trouble(error, path.name) from error
    picture = saved_matches.picture_path(path)
    with suppress(OSError):
        move(picture, saved_matches.picture_path(copy))
    playtest_notes.carry(playtest_notes.notes_path(path), playtest_notes.notes_path(copy))
    over = plies(record)[-1].state.result is not None
    return (saved_matches.keep(copy) if over else copy), aside
