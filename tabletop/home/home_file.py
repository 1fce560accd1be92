"""All that a person keeps, exported to one file: matches, tables, games, statistics, settings, and
the keys to them.

Left out is what can be made again, what belongs to one computer alone (logs, where the window is,
whose Python may run), and a club's server in the same folder, which has a backup of its own.
"""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from time import time

from msgspec import Struct

from tabletop.catalogue import game_folders
from tabletop.files import folders
from tabletop.files.errors import StorageError, not_readable
from tabletop.files.packed_files import LARGEST, PackedFile, PackKind, pack
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

MATCHES, REPLAYS, TRASH, HOSTED = "matches", "replays", "trash", "hosted"
GAMES, RECEIVED = "games", "received"
KEY, KEYRING, SETTINGS, STATISTICS = (
    folders.KEY,
    "keyring.json",
    "settings.json",
    "statistics.sqlite",
)
NOTE = "received.json"
"""The note beside a received game, whose own name begins with a dot."""
OF_A_MATCH = (
    folders.SUFFIX,
    saved_matches.PICTURE,
    playtest_notes.ENDING,
    review_file.ENDING,
)
MAX_FILES = 200_000
"""Twenty years of five matches an evening, each with what is beside it."""
MAX_FOLDERS = 2_000
"""Three for each of as many games as anybody can keep apart; matches are together in one."""
MAX_DEPTH = 12
"""The parts of the deepest path: a game has files in at most nine folders in each other."""
OF_A_TABLE = (TABLE_SUFFIX, FINISHED_SUFFIX, folders.SUFFIX, playtest_notes.ENDING)


def _belongs(inside: PurePosixPath) -> bool:
    if len(inside.parts) > MAX_DEPTH:
        return False
    match inside.parts:
        case (name,):
            return name in (KEY, KEYRING, SETTINGS, STATISTICS)
        case ("matches" | "replays", name):
            return name.endswith(OF_A_MATCH)
        case ("trash", _, name):
            return name.endswith(OF_A_MATCH)
        case ("hosted", *inner, name):
            return len(inner) < 2 and (name == CERTIFICATE or name.endswith(OF_A_TABLE))
        case ("games" | "received", _, _, *_):
            return True
    return False


HOME = PackKind(
    "home.json",
    _belongs,
    phrase('"{file}" was not made by `tabletop home export`.'),
    phrase('"{file}" is no whole file of `tabletop home export`.'),
    max_files=MAX_FILES,
    max_folders=MAX_FOLDERS,
)


class Exported(Struct):
    """What was exported."""

    files: int = 0
    remarks: list[str] = []
    """Sentences about what could not be taken along."""


def export(file: Path) -> Exported:
    """Write this home into one file, which holds its keys and is the owner's alone.

    Raises:
        StorageError: the file cannot be written; there is none then.
    """
    exported = Exported()
    exported.files = pack(file, HOME, _files(exported.remarks))
    return exported


def _files(remarks: list[str]) -> Iterator[PackedFile]:
    """Yield all files, a table's before the journals of its matches (as a server's backup does),
    and the keys last: they are never older than what they open."""
    hosted = [path for ending in OF_A_TABLE for path in _below(folders.hosted(), ending, remarks)]
    for path in (*hosted, folders.hosted() / CERTIFICATE):
        yield from _read(path, f"{HOSTED}/{_inside(path, folders.hosted())}", remarks)
    kept = {MATCHES: folders.matches(), REPLAYS: folders.replays(), TRASH: folders.trash()}
    for name, folder in kept.items():
        for ending in OF_A_MATCH:
            for path in _below(folder, ending, remarks):
                yield from _read(path, f"{name}/{_inside(path, folder)}", remarks)
    yield from _games(remarks)
    yield from _statistics(remarks)
    kept_alone = {
        SETTINGS: folders.settings(),
        KEYRING: folders.known_hosts(),
        KEY: folders.key(),
    }
    for name, path in kept_alone.items():
        yield from _read(path, name, remarks)


def _below(folder: Path, ending: str, remarks: list[str]) -> list[Path]:
    """The files with this ending in a folder and those in it."""
    try:
        return sorted(path for path in folder.rglob(f"[!.]*{ending}") if path.is_file())
    except OSError as error:
        remarks.append(str(not_readable(error, folder.name)))
        return []


def _inside(path: Path, folder: Path) -> str:
    """The path of a file in a folder, such as every system can have."""
    parts = path.relative_to(folder).parts
    return "/".join(part if is_portable(part) else make_portable(part) for part in parts)


def _read(path: Path, name: str, remarks: list[str]) -> Iterator[PackedFile]:
    try:
        yield PackedFile(name, read_regular(path, LARGEST), path.stat().st_mtime)
    except FileNotFoundError:  # it is gone, or never existed
        pass
    except OSError as error:
        remarks.append(str(not_readable(error, path.name)))


def _games(remarks: list[str]) -> Iterator[PackedFile]:
    """Yield the files of the games that were added, whatever their folders are linked to, and of
    those that were received."""
    for kept, folder in ((GAMES, folders.games()), (RECEIVED, folders.received())):
        try:
            held = sorted(path for path in folder.iterdir() if game_folders.is_game(path))
        except FileNotFoundError:
            continue
        except OSError as error:
            remarks.append(str(not_readable(error, folder.name)))
            continue
        for path in held:
            yield from _game(path, f"{kept}/{path.name}", remarks)


def _game(path: Path, name: str, remarks: list[str]) -> Iterator[PackedFile]:
    try:
        files = read_game_files(path)
        if not all(is_portable(part) for each in (name, *files) for part in each.split("/")):
            raise BrokenFile("it has a file whose name other systems don't allow")
    except BrokenFile as error:
        remarks.append(f'The game in "{path.name}" is left out: {error}.')
        return
    except OSError as error:
        remarks.append(str(not_readable(error, path.name)))
        return
    for each, content in files.items():
        yield PackedFile(f"{name}/{each}", content, (path / each).stat().st_mtime)
    yield from _read(path / received_games.NOTE_FILE, f"{name}/{NOTE}", remarks)


def _statistics(remarks: list[str]) -> Iterator[PackedFile]:
    if not folders.statistics().is_file():
        return
    try:
        with open_statistics() as counted:
            content = counted.content()
    except StorageError as error:
        remarks.append(str(error))
    else:
        yield PackedFile(STATISTICS, content, time())
