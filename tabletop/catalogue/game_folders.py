"""Game folders outside the package: named ones, those in `games/` of the program's data, those
received at tables (`received_games`), and installed packages (entry point group `tabletop.games`).

A folder that is named by hand is passed on to the processes of bots and pictures by the environment
variable TABLETOP_GAMES: paths, separated as in PATH. Each is the folder of a game, or holds such
folders.
"""

import logging
import os
import re
import sys
from contextlib import suppress
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct

from tabletop.catalogue import agreements
from tabletop.files import folders
from tabletop.files.errors import StorageError
from tabletop.files.regular_file import MIB, read_regular
from tabletop.games import card_sheet, game_info, game_parts, received_games
from tabletop.games.folder_content import FolderContent, read_folder
from tabletop.games.game_id import DIGITS, LONGEST_ID, as_id
from tabletop.games.received_games import Received
from tabletop.games.safe_toml import parsed
from tabletop.games.typed_toml import BrokenFile

log = logging.getLogger("tabletop")

GAMES_VARIABLE = "TABLETOP_GAMES"
ENTRY_POINT_GROUP = "tabletop.games"
_VERSION_NAME = re.compile(rf".+-[0-9a-f]{{{DIGITS}}}", re.ASCII | re.DOTALL)
"""The name of a folder that holds one version of a game."""
MARKER_FILES = (game_info.FILE, *card_sheet.FILES, "words.toml")
"""The files that mark a folder as a game's."""


class GameFolder(Struct, frozen=True):
    """A game's folder outside the package."""

    id: str
    path: Path
    installed: bool = False
    """It came as a package: by installing it, its owner has agreed that its Python runs."""
    received: Received | None = None
    """The giver, where a table's host has given it. No Python in it ever runs."""
    kept: bool = False
    """It is a version that matches were begun with (`kept_games`), named by its digest."""

    def read_content(self) -> FolderContent:
        """Return its present content. Raises as `read_folder`."""
        content = read_folder(self.path)
        if self.received and (content.python or content.digest != self.received.digest):
            raise BrokenFile("it is not any more what was received")
        if self.kept and not content.digest.startswith(self.path.name.rpartition("-")[2]):
            raise BrokenFile("it is not any more what was kept")
        return content

    def is_code_allowed(self, content: FolderContent) -> bool:
        """Whether the Python in it, if there is any, may run."""
        if self.installed or self.kept or not content.python:
            return True  # a kept version has run here before, unchanged
        if agreements.is_allowed(self.path, content.digest):
            return True
        if not any(_has_digest(own, content.digest) for own in agreements.list_own_folders()):
            return False
        with suppress(StorageError):  # a copy of one's own game is edited like one's own
            agreements.add_own_folder(self.path)
        return True

    def can_run(self) -> bool:
        """Whether its present content may run; not where it can't be read."""
        try:
            return self.is_code_allowed(self.read_content())
        except (BrokenFile, OSError):
            return False


def _has_digest(folder: Path, digest: str) -> bool:
    """Whether a folder holds the game with this digest. A copy of your own game counts as yours."""
    try:
        return is_game_folder(folder) and read_folder(folder).digest == digest
    except (BrokenFile, OSError):
        return False


class _FolderIndex(Struct, frozen=True):
    known: dict[str, GameFolder]
    hidden: tuple[GameFolder, ...]


def folders_by_id() -> dict[str, GameFolder]:
    """Every game folder outside the package by its id; of several with one id the one that was
    named by hand, then the one of the program's data."""
    return _current_index().known


def hidden_folders() -> tuple[GameFolder, ...]:
    """The folders that have the id of another one, and were not named by hand."""
    return _current_index().hidden


def make_unused_id(title: str) -> str:
    """Return an id for a new game of this title: one that no other game here has, whether it is on
    the shelf or in a folder of the workshop."""
    own = (game_id_of(path) for path in agreements.list_own_folders() if is_game_folder(path))
    taken = {*game_parts.inside(), *folders_by_id(), *own}
    first = made = as_id(title)
    number = 1
    while made in taken:
        number += 1
        end = f"_{number}"
        made = first[: LONGEST_ID - len(end)] + end
    return made


def clear_cache() -> None:
    """Forget which folders there were: one of them has another id now."""
    _scan_folders.cache_clear()
    _installed_games.cache_clear()


def _current_index() -> _FolderIndex:
    kept, received = folders.games(), folders.received()
    changed = _modified_ns(kept), _modified_ns(received)
    return _scan_folders(os.environ.get(GAMES_VARIABLE, ""), kept, received, changed)


def _modified_ns(folder: Path) -> int:
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=4)
def _scan_folders(named: str, kept: Path, received: Path, changed: tuple[int, int]) -> _FolderIndex:
    by_hand = [
        folder
        for each in named.split(os.pathsep)
        if each
        for folder in _find_games_in(Path(os.path.expanduser(each)))
    ]
    known = {each.id: each for each in reversed([GameFolder(game_id_of(p), p) for p in by_hand])}
    hidden = []
    for each in (
        *(GameFolder(game_id_of(path), path) for path in _find_games_in(kept)),
        *_installed_games(),
    ):
        if each.id not in known:
            known[each.id] = each
        elif known[each.id].path not in (each.path, *by_hand):
            hidden.append(each)
    # the ids of the program's own games are reserved
    for path, received_from in received_games.games_in(received):
        known[path.name] = GameFolder(path.name, path, received=received_from)
    return _FolderIndex(known, tuple(hidden))


def add(path: Path) -> tuple[GameFolder, ...]:
    """Register the game in a folder by its id, or those in the folders inside it, here and in
    processes started from now on; return them."""
    path = path.resolve()
    held = _find_games_in(path)
    if not held:
        return ()
    before = [each for each in os.environ.get(GAMES_VARIABLE, "").split(os.pathsep) if each]
    rest = [each for each in before if each != str(path)]
    os.environ[GAMES_VARIABLE] = os.pathsep.join([str(path), *rest])
    clear_cache()  # read the ids afresh: the folders may have changed since
    return tuple(GameFolder(game_id_of(each), each) for each in held)


def register_own_folder(name: str) -> None:
    """Register the game of this id, if it is in a folder that was created or opened in the
    workshop."""
    for path in reversed(agreements.list_own_folders()):
        if is_game_folder(path) and game_id_of(path) == name.partition("-")[0]:
            add(path)
            return


def _find_games_in(path: Path) -> list[Path]:
    """The folder itself if it is a game's, else those in it that are."""
    try:
        if is_game_folder(path):
            return [path.resolve()]
        inside = sorted(each for each in path.iterdir() if each.name[:1] not in (".", "_"))
        return [each.resolve() for each in inside if is_game_folder(each)]
    except OSError:  # it isn't a folder, or can't be read
        return []


def is_game_folder(path: Path) -> bool:
    """Whether a folder is meant to be a game's."""
    return any((path / mark).is_file() for mark in MARKER_FILES)


def game_id_of(folder: Path) -> str:
    """The id of a game folder: the `id` of its box, else one made from its name. A version that a
    merge of homes has put beside another one goes by its name, for both have the same box."""
    if _VERSION_NAME.fullmatch(folder.name):
        return as_id(folder.name)
    try:
        box = parsed(read_regular(folder / "cards.toml", MIB).decode("utf-8")).get("box", {})
        name = str(box.get("id", "")) if isinstance(box, dict) else ""
    except (OSError, ValueError):
        name = ""
    return as_id(name or folder.name)


@cache
def _installed_games() -> tuple[GameFolder, ...]:
    """The games of installed packages: an entry point names the package that is the folder."""
    points = (file for each in sys.path for file in Path(each).glob("*.*-info/entry_points.txt"))
    if not any(ENTRY_POINT_GROUP in _read_text(file) for file in points):
        return ()
    from importlib.metadata import entry_points

    games = []
    for point in entry_points(group=ENTRY_POINT_GROUP):
        try:
            spec = find_spec(point.value)
        except Exception as error:  # the package around it is somebody else's code
            log.warning("The game %s of a package cannot be found: %s", point.value, error)
            spec = None
        if spec is not None and spec.submodule_search_locations:
            path = Path(next(iter(spec.submodule_search_locations)))
            games.append(GameFolder(as_id(point.name), path, installed=True))
    return tuple(games)


def _read_text(file: Path) -> str:
    try:
        return file.read_text("utf-8", errors="replace")
    except OSError:
        return ""
