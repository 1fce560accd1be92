"""Export of the user's data to one file: matches, tables, games, statistics, settings and keys.

The export excludes files that can be recomputed, data that concerns only this computer (logs,
window geometry, which code may run), and a server in the same folder, which has its own backup.
"""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from time import time

from msgspec import Struct

from tabletop.catalogue import game_folders
from tabletop.files import folders
from tabletop.files.errors import StorageError, read_error
from tabletop.files.folder_walk import files_below
from tabletop.files.packed_files import MAX_FILE_BYTES, ArchiveFormat, FileToPack, pack
from tabletop.files.regular_file import read_regular
from tabletop.games import received_games
from tabletop.games.folder_content import read_game_files
from tabletop.games.typed_toml import BrokenFile
from tabletop.net.certificate import FILE as CERTIFICATE
from tabletop.net.host.finished_file import FINISHED_SUFFIX
from tabletop.net.host.table_disk import TABLE_SUFFIX
from tabletop.storage import playtest_notes, review_file, saved_matches
from tabletop.storage.statistics import open_statistics
from tabletop.text.phrases import phrase
from tabletop.text.portable_name import is_portable, make_portable

MATCHES = "matches"
REPLAYS = "replays"
TRASH = "trash"
HOSTED = "hosted"
GAMES = "games"
RECEIVED = "received"
KEY = folders.KEY_FILE
KEYRING = "keyring.json"
SETTINGS = "settings.json"
STATISTICS = "statistics.sqlite"
NOTE_FILE = "received.json"
"""The exported name of the note beside a received game; its original name begins with a dot."""
MATCH_SUFFIXES = (
    folders.SUFFIX,
    saved_matches.PICTURE_SUFFIX,
    playtest_notes.NOTES_SUFFIX,
    review_file.FINDINGS_SUFFIX,
)
MAX_FILES = 200_000
"""The maximum number of files in an export.

It is enough for five matches an evening, with their companion files, for twenty years.
"""
MAX_FOLDERS = 2_000
"""The maximum number of folders in an export, enough for three per game and hundreds of games."""
MAX_DEPTH = 12
"""The maximum number of parts in a path; games have at most nine levels of folders."""
TABLE_SUFFIXES = (TABLE_SUFFIX, FINISHED_SUFFIX, folders.SUFFIX, playtest_notes.NOTES_SUFFIX)


def _is_home_file(inside: PurePosixPath) -> bool:
    if len(inside.parts) > MAX_DEPTH:
        return False
    match inside.parts:
        case (name,):
            return name in (KEY, KEYRING, SETTINGS, STATISTICS)
        case ("matches" | "replays", name):
            return name.endswith(MATCH_SUFFIXES)
        case ("trash", _, name):
            return name.endswith(MATCH_SUFFIXES)
        case ("hosted", *inner, name):
            return len(inner) < 2 and (name == CERTIFICATE or name.endswith(TABLE_SUFFIXES))
        case ("games" | "received", _, _, *_):
            return True
    return False


HOME_FORMAT = ArchiveFormat(
    "home.json",
    _is_home_file,
    phrase('"{file}" was not made by `tabletop home export`.'),
    phrase('"{file}" is no whole file of `tabletop home export`.'),
    max_files=MAX_FILES,
    max_folders=MAX_FOLDERS,
)


class ExportResult(Struct):
    """The result of an export."""

    files: int = 0
    """The number of exported files."""
    remarks: list[str] = []
    """Messages about data that couldn't be exported."""


def export_home(file: Path) -> ExportResult:
    """Export this computer's data to `file`, readable only by the user because it contains keys.

    Raises:
        StorageError: the file can't be written. No file is left behind.
    """
    exported = ExportResult()
    exported.files = pack(file, HOME_FORMAT, _iter_files(exported.remarks))
    return exported


def _iter_files(remarks: list[str]) -> Iterator[FileToPack]:
    """Yield all files to export, tables before the journals of their matches and the keys last.

    In this order, no file is older than another that refers to it, as in a server's backup.
    """
    hosted = [
        path for ending in TABLE_SUFFIXES for path in _find_files(folders.hosted(), ending, remarks)
    ]
    for path in (*hosted, folders.hosted() / CERTIFICATE):
        yield from _read_file(path, f"{HOSTED}/{_portable_path(path, folders.hosted())}", remarks)
    kept = {MATCHES: folders.matches(), REPLAYS: folders.replays(), TRASH: folders.trash()}
    for name, folder in kept.items():
        for ending in MATCH_SUFFIXES:
            for path in _find_files(folder, ending, remarks):
                yield from _read_file(path, f"{name}/{_portable_path(path, folder)}", remarks)
    yield from _iter_games(remarks)
    yield from _iter_statistics(remarks)
    kept_alone = {
        SETTINGS: folders.settings(),
        KEYRING: folders.known_hosts(),
        KEY: folders.key(),
    }
    for name, path in kept_alone.items():
        yield from _read_file(path, name, remarks)


def _find_files(folder: Path, ending: str, remarks: list[str]) -> list[Path]:
    """Return the files in `folder` and its subfolders whose names end with `ending`."""

    def note(error: OSError) -> None:
        remarks.append(str(read_error(error, Path(error.filename or folder).name)))

    return sorted(
        path
        for path in files_below(folder, note)
        if path.name.endswith(ending) and not path.name.startswith(".")
    )


def _portable_path(path: Path, folder: Path) -> str:
    """Return the path of a file relative to `folder`, with names that every system allows."""
    parts = path.relative_to(folder).parts
    return "/".join(part if is_portable(part) else make_portable(part) for part in parts)


def _read_file(path: Path, name: str, remarks: list[str]) -> Iterator[FileToPack]:
    try:
        yield FileToPack(name, read_regular(path, MAX_FILE_BYTES), path.stat().st_mtime)
    except FileNotFoundError:  # it was deleted or never existed
        pass
    except OSError as error:
        remarks.append(str(read_error(error, path.name)))


def _iter_games(remarks: list[str]) -> Iterator[FileToPack]:
    """Yield the files of the user's own games, following symlinks, and of received games."""
    for kept, folder in ((GAMES, folders.games()), (RECEIVED, folders.received())):
        try:
            held = sorted(path for path in folder.iterdir() if game_folders.is_game_folder(path))
        except FileNotFoundError:
            continue
        except OSError as error:
            remarks.append(str(read_error(error, folder.name)))
            continue
        for path in held:
            yield from _iter_game_files(path, f"{kept}/{path.name}", remarks)


def _iter_game_files(path: Path, name: str, remarks: list[str]) -> Iterator[FileToPack]:
    try:
        files = read_game_files(path)
        if not all(is_portable(part) for each in (name, *files) for part in each.split("/")):
            raise BrokenFile("it has a file whose name other systems don't allow")
    except BrokenFile as error:
        remarks.append(f'The game in "{path.name}" is left out: {error}.')
        return
    except OSError as error:
        remarks.append(str(read_error(error, path.name)))
        return
    for each, content in files.items():
        yield FileToPack(f"{name}/{each}", content, (path / each).stat().st_mtime)
    yield from _read_file(path / received_games.NOTE_FILE, f"{name}/{NOTE_FILE}", remarks)


def _iter_statistics(remarks: list[str]) -> Iterator[FileToPack]:
    if not folders.statistics().is_file():
        return
    try:
        with open_statistics() as counted:
            content = counted.to_bytes()
    except StorageError as error:
        remarks.append(str(error))
    else:
        yield FileToPack(STATISTICS, content, time())
