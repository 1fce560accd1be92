"""Finds game folders outside the package.

There are three kinds: folders given by the user or placed in `games/` of the data folder, games
received from other computers (`received_games`), and games installed as Python packages (entry
point group `tabletop.games`).

The environment variable TABLETOP_GAMES passes the folders given by the user to worker processes.
Its paths are separated as in PATH; each leads to a game folder or a folder of game folders.
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
from tabletop.games.game_id import DIGEST_DIGITS, MAX_ID_CHARACTERS, make_game_id
from tabletop.games.received_games import ReceivedNote
from tabletop.games.safe_toml import parse_toml
from tabletop.games.typed_toml import BrokenFile

log = logging.getLogger("tabletop")

GAMES_VARIABLE = "TABLETOP_GAMES"
ENTRY_POINT_GROUP = "tabletop.games"
_VERSION_NAME = re.compile(rf".+-[0-9a-f]{{{DIGEST_DIGITS}}}", re.ASCII | re.DOTALL)
"""The pattern of names of folders that contain one version of a game."""
MARKER_FILES = (game_info.CARDS_TOML, *card_sheet.CARD_FILES, "words.toml")
"""Files that identify a folder as a game folder if it has at least one of them."""


class GameFolder(Struct, frozen=True):
    """A game folder outside the package."""

    id: str
    path: Path
    installed: bool = False
    """Whether the game was installed as a Python package, which allows its code to run."""
    received: ReceivedNote | None = None
    """Who sent the game, if it was received; the code of received games never runs."""
    kept: bool = False
    """Whether this is an old version stored for matches (`kept_games`), named by its digest."""

    def read_content(self) -> FolderContent:
        """Return the current content of the folder.

        Raises:
            BrokenFile: the folder isn't valid, or a received game or stored version has changed.
        """
        content = read_folder(self.path)
        if self.received and (content.python or content.digest != self.received.digest):
            raise BrokenFile("it is not any more what was received")
        if self.kept and not content.digest.startswith(self.path.name.rpartition("-")[2]):
            raise BrokenFile("it is not any more what was kept")
        return content

    def is_code_allowed(self, content: FolderContent) -> bool:
        """Return whether all code in `content` is allowed to run."""
        if self.installed or self.kept or not content.python:
            return True  # a kept version was allowed when it was kept
        if agreements.is_allowed(self.path, content.digest):
            return True
        if not any(_has_digest(own, content.digest) for own in agreements.list_own_folders()):
            return False
        with suppress(StorageError):  # so that the copy stays allowed when it is edited
            agreements.add_own_folder(self.path)
        return True

    def can_run(self) -> bool:
        """Return whether the folder can be read and its code is allowed to run."""
        try:
            return self.is_code_allowed(self.read_content())
        except (BrokenFile, OSError):
            return False


def _has_digest(folder: Path, digest: str) -> bool:
    """Return whether `folder` contains the game with this digest."""
    try:
        return is_game_folder(folder) and read_folder(folder).digest == digest
    except (BrokenFile, OSError):
        return False


class _FolderIndex(Struct, frozen=True):
    known: dict[str, GameFolder]
    hidden: tuple[GameFolder, ...]


def folders_by_id() -> dict[str, GameFolder]:
    """Return the game folders outside the package by ID.

    If several folders have the same ID, the one given by the user is preferred, then the one in the
    data folder.
    """
    return _current_index().known


def hidden_folders() -> tuple[GameFolder, ...]:
    """Return the folders that are ignored because another folder has the same ID."""
    return _current_index().hidden


def make_unused_id(title: str) -> str:
    """Return an ID made from `title` that no installed game and no workshop game has."""
    own = (game_id_of(path) for path in agreements.list_own_folders() if is_game_folder(path))
    taken = {*game_parts.packaged_games(), *folders_by_id(), *own}
    first = made = make_game_id(title)
    number = 1
    while made in taken:
        number += 1
        end = f"_{number}"
        made = first[: MAX_ID_CHARACTERS - len(end)] + end
    return made


def clear_cache() -> None:
    """Scan the folders again, because one was added or removed or has another ID now."""
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
    # packaged games reserve their IDs
    for path, received_from in received_games.find_received_games(received):
        known[path.name] = GameFolder(path.name, path, received=received_from)
    return _FolderIndex(known, tuple(hidden))


def add(path: Path) -> tuple[GameFolder, ...]:
    """Register the game folder `path`, or the game folders in it, and return them.

    Processes started afterwards know them too.
    """
    path = path.resolve()
    held = _find_games_in(path)
    if not held:
        return ()
    before = [each for each in os.environ.get(GAMES_VARIABLE, "").split(os.pathsep) if each]
    rest = [each for each in before if each != str(path)]
    os.environ[GAMES_VARIABLE] = os.pathsep.join([str(path), *rest])
    clear_cache()  # the folders may have changed since the last scan
    return tuple(GameFolder(game_id_of(each), each) for each in held)


def register_own_folder(name: str) -> None:
    """Register the game `name` if its folder was created or opened in the workshop."""
    for path in reversed(agreements.list_own_folders()):
        if is_game_folder(path) and game_id_of(path) == name.partition("-")[0]:
            add(path)
            return


def _find_games_in(path: Path) -> list[Path]:
    """Return `path` if it is a game folder, otherwise the game folders in it."""
    try:
        if is_game_folder(path):
            return [path.resolve()]
        inside = sorted(each for each in path.iterdir() if each.name[:1] not in (".", "_"))
        return [each.resolve() for each in inside if is_game_folder(each)]
    except OSError:  # it isn't a folder, or can't be read
        return []


def is_game_folder(path: Path) -> bool:
    """Return whether `path` contains any of `MARKER_FILES`."""
    return any((path / mark).is_file() for mark in MARKER_FILES)


def game_id_of(folder: Path) -> str:
    """Return the ID of a game folder: the one in its cards.toml, or else one made from its name.

    If the folder was imported beside another version of the game, its ID is made from its name.
    """
    if _VERSION_NAME.fullmatch(folder.name):
        return make_game_id(folder.name)
    try:
        box = parse_toml(read_regular(folder / "cards.toml", MIB).decode("utf-8")).get("box", {})
        name = str(box.get("id", "")) if isinstance(box, dict) else ""
    except (OSError, ValueError):
        name = ""
    return make_game_id(name or folder.name)


@cache
def _installed_games() -> tuple[GameFolder, ...]:
    """Return the games in installed Python packages.

    The value of an entry point is the package that contains the game's files.
    """
    points = (file for each in sys.path for file in Path(each).glob("*.*-info/entry_points.txt"))
    if not any(ENTRY_POINT_GROUP in _read_text(file) for file in points):
        return ()
    from importlib.metadata import entry_points

    games = []
    for point in entry_points(group=ENTRY_POINT_GROUP):
        try:
            spec = find_spec(point.value)
        except Exception as error:  # importing the package may raise anything
            log.warning("The game %s of a package cannot be found: %s", point.value, error)
            spec = None
        if spec is not None and spec.submodule_search_locations:
            path = Path(next(iter(spec.submodule_search_locations)))
            games.append(GameFolder(make_game_id(point.name), path, installed=True))
    return tuple(games)


def _read_text(file: Path) -> str:
    try:
        return file.read_text("utf-8", errors="replace")
    except OSError:
        return ""
