"""Cleanup of what nobody needs any more: leftovers of a program that died, what lies beside matches
that are gone, and old matches in the trash."""

from contextlib import suppress
from datetime import date

from tabletop.catalogue import kept_games
from tabletop.files import folders
from tabletop.files.atomic_write import delete_leftovers
from tabletop.files.errors import BadFile
from tabletop.files.temporary_folder import delete_abandoned
from tabletop.storage import days_waiting, playtest_notes, review_file, saved_matches
from tabletop.storage.record import SUFFIX
from tabletop.storage.record_lines import decode_header

MAX_HEADER_BYTES = 1 << 20
"""Bytes of a first line; none of ours is a tenth of it."""
OLD_SUMMARIES_FOLDER = "matches"
TRASH_DAYS = 30
"""Days that a match stays in the trash."""


def clean_up() -> None:
    """Clear away what the program was writing when it died, and what lies beside matches that are
    gone; empty the trash of what has lain there for long. What the disk refuses stays."""
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
        kept_games.delete_unneeded_versions(_needed_game_digests())


def _delete_old_summaries() -> None:
    """Clear away the files in which summaries of matches were kept before there was an index."""
    folder = folders.cache() / OLD_SUMMARIES_FOLDER
    with suppress(OSError):
        for left in list(folder.iterdir()):
            with suppress(OSError):
                left.unlink()
        folder.rmdir()


def _needed_game_digests() -> set[str]:
    """The digests of the games outside the package that any match here is of."""
    needed = set()
    for path in folders.data().rglob(f"*{SUFFIX}"):
        with suppress(BadFile, OSError), path.open("rb") as file:
            needed.add(decode_header(file.readline(MAX_HEADER_BYTES), path.name).folder_digest)
    return needed


def _empty_trash() -> None:
    """Clear away what has waited for it long enough: deleted matches, and notes on shared ones that
    nobody has finished."""
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
    """Whether `saved_matches.move_to_trash` has made the folder of this name in the trash."""
    try:
        date.fromisoformat(name)
    except ValueError:
        return False
    return True
