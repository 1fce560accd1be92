"""The games made on this computer: folders that were created or opened in the workshop, and those
in the shelf's folder. Received games aren't among them: once changed, they are no longer the same
game."""

from pathlib import Path

from msgspec import Struct

from tabletop.catalogue import agreements, game_folders
from tabletop.games import card_sheet, game_info
from tabletop.games.game_kit import file_text
from tabletop.games.typed_toml import BrokenFile


class OwnGame(Struct, frozen=True):
    """A folder, and the title on its box."""

    folder: Path
    title: str
    broken: bool = False
    """Whether its box can't be read at the moment; the title is then the folder's name."""


def own_games() -> tuple[OwnGame, ...]:
    """All of them that are there, the one that was changed last first."""
    folders = game_folders.folders_by_id().values()
    kept = [each.path for each in folders if not each.installed and each.received is None]
    places = dict.fromkeys(path.resolve() for path in (*agreements.list_own_folders(), *kept))
    paths = [path for path in places if game_folders.is_game_folder(path)]
    return tuple(_describe(path) for path in sorted(paths, key=_latest_change, reverse=True))


def _describe(folder: Path) -> OwnGame:
    try:
        read = game_info.read(
            folder.name, file_text(folder, game_info.FILE), card_sheet.find(folder)
        )
        return OwnGame(folder, read.box.title)
    except (BrokenFile, OSError, ValueError):
        return OwnGame(folder, folder.name, broken=True)


def _latest_change(folder: Path) -> float:
    """The time of the latest change of a file in it; seconds since the epoch."""
    try:
        return max((each.stat().st_mtime for each in folder.iterdir()), default=0.0)
    except OSError:
        return 0.0
