"""Cleanup of leftovers of crashed processes, orphaned files and old matches in the trash."""

import logging
from contextlib import suppress
from datetime import date

from tabletop.catalogue import kept_games
from tabletop.files import folders
from tabletop.files.atomic_write import delete_leftovers
from tabletop.files.errors import BadFile
from tabletop.files.folder_walk import files_below
from tabletop.files.temporary_folder import delete_abandoned
from tabletop.storage import days_waiting, playtest_notes, review_file, saved_matches
from tabletop.storage.record import SUFFIX
from tabletop.storage.record_lines import decode_header

log = logging.getLogger("tabletop")

MAX_HEADER_BYTES = 1 << 20
"""The maximum length of a header that is read, over ten times the length of real headers."""
OLD_SUMMARIES_FOLDER = "matches"
"""The cache subfolder in which versions without a record index stored summaries."""
TRASH_DAYS = 30
"""How many days on which the program runs a match stays in the trash."""


def clean_up() -> None:
    """Delete leftovers of crashes, orphaned files, and old files in the trash.

    Files that can't be deleted are left alone.
    """
    for folder in folders.folders_with_atomic_writes():
        delete_leftovers(folder)
    for folder in (folders.data(), folders.received(), folders.kept_games()):
        delete_abandoned(folder)
    _delete_old_summaries()
    saved_matches.sweep_index()
    for folder in (folders.matches(), folders.replays()):
        review_file.delete_orphans(folder)
    _empty_trash()
    if kept_games.has_old_versions():
        try:
            kept_games.delete_unneeded_versions(_needed_game_digests())
        except OSError as error:  # a record that can't be read now may need any of them
            log.warning("old game versions are kept: %s", error)


def _delete_old_summaries() -> None:
    """Delete the summary files that versions without a record index have written."""
    folder = folders.cache() / OLD_SUMMARIES_FOLDER
    with suppress(OSError):
        for left in list(folder.iterdir()):
            with suppress(OSError):
                left.unlink()
        folder.rmdir()


def _needed_game_digests() -> set[str]:
    """Return the digests of the game folders that the records on this computer need.

    Raises:
        OSError: a record or a folder can't be read.
    """
    needed = set()
    for path in files_below(folders.data()):
        if path.name.endswith(SUFFIX):
            with suppress(BadFile, FileNotFoundError), path.open("rb") as file:
                needed.add(decode_header(file.readline(MAX_HEADER_BYTES), path.name).folder_digest)
    return needed


def _empty_trash() -> None:
    """Delete matches in the trash and orphaned notes that have waited longer than `TRASH_DAYS`."""
    waiting = playtest_notes.find_orphans(folders.matches())
    with suppress(OSError):
        for day in folders.trash().iterdir():
            waiting += day.iterdir() if _is_trash_day(day.name) else ()
    named = {path.relative_to(folders.data()).as_posix(): path for path in waiting}
    for name in days_waiting.count_today_and_find_due(named, TRASH_DAYS):
        with suppress(OSError):
            named[name].unlink()
            if folders.trash() in named[name].parents:
                named[name].parent.rmdir()  # removed only once it is empty


def _is_trash_day(name: str) -> bool:
    """Return whether `name` is the name of a folder created by `saved_matches.move_to_trash`."""
    try:
        date.fromisoformat(name)
    except ValueError:
        return False
    return True
