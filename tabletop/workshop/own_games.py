"""The games that are made on this computer: folders that were begun or opened in the workshop, and
those that lie where the shelf looks. What a table has given is none of them: changed, it is no game
any more."""

from pathlib import Path

from msgspec import Struct

from tabletop.catalogue import agreements, game_folders
from tabletop.games import box, card_sheet
from tabletop.games.kit import file_text
from tabletop.games.typed_toml import BrokenFile


class OwnGame(Struct, frozen=True):
    """A folder, and what stands on its box."""

    folder: Path
    title: str
    broken: bool = False
    """Whether its box cannot be read just now; it is called as its folder is."""


def own_games() -> tuple[OwnGame, ...]:
    """All of them that are there, the one that was changed last first."""
    found = game_folders.found().values()
    kept = [each.path for each in found if not each.installed and each.received is None]
    places = dict.fromkeys(path.resolve() for path in (*agreements.own_folders(), *kept))
    there = [path for path in places if game_folders.is_game(path)]
    return tuple(_described(path) for path in sorted(there, key=_changed, reverse=True))


def _described(folder: Path) -> OwnGame:
    try:
        read = box.read(folder.name, *(file_text(folder, n) for n in (box.FILE, card_sheet.FILE)))
        return OwnGame(folder, read.box.title)
    except (BrokenFile, OSError, ValueError):
        return OwnGame(folder, folder.name, broken=True)


def _changed(folder: Path) -> float:
    """When a file in it was changed last; seconds since the epoch."""
    try:
        return max((each.stat().st_mtime for each in folder.iterdir()), default=0.0)
    except OSError:
        return 0.0
