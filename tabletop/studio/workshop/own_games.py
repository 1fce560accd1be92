"""The games made on this computer: folders that were created or opened in the workshop, and folders
in the user's games folder.

Received games are excluded, because changing one would make it a different game.
"""

from pathlib import Path

from msgspec import Struct

from tabletop.catalogue import agreements, game_folders
from tabletop.games import card_sheet, game_info
from tabletop.games.game_kit import read_text_file
from tabletop.games.typed_toml import BrokenFile


class OwnGame(Struct, frozen=True):
    """A game folder and its title."""

    folder: Path
    title: str
    broken: bool = False
    """Whether the game's data can't be read. The title is then the folder's name."""


def own_games() -> tuple[OwnGame, ...]:
    """Return all existing games made on this computer, most recently changed first."""
    folders = game_folders.folders_by_id().values()
    kept = [each.path for each in folders if not each.installed and each.received is None]
    places = dict.fromkeys(path.resolve() for path in (*agreements.list_own_folders(), *kept))
    paths = [path for path in places if game_folders.is_game_folder(path)]
    return tuple(_describe(path) for path in sorted(paths, key=_latest_change, reverse=True))


def _describe(folder: Path) -> OwnGame:
    try:
        read = game_info.read_game_cards(
            folder.name, read_text_file(folder, game_info.CARDS_TOML), card_sheet.find_sheet(folder)
        )
        return OwnGame(folder, read.box.title)
    except (BrokenFile, OSError, ValueError):
        return OwnGame(folder, folder.name, broken=True)


def _latest_change(folder: Path) -> float:
    """Return the modification time of the newest file in `folder`, in seconds since the epoch."""
    try:
        return max((each.stat().st_mtime for each in folder.iterdir()), default=0.0)
    except OSError:
        return 0.0
