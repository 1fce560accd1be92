"""Locates the folders with the pictures of the program and the games. No Qt."""

from pathlib import Path


def assets_root() -> Path:
    """Return the program's picture folder: inside `ui` if installed, beside it in a checkout."""
    home = Path(__file__).resolve().parents[1]
    installed = home / "assets"
    return installed if installed.is_dir() else home.parent / "assets"


PHONE_PAGE_FOLDER = assets_root() / "web"
"""The folder of the phone page with its script and style."""


def outside_assets(game: str) -> Path | None:
    """Return the picture folder of a game from outside the package, or None if `game` isn't the ID
    of one.
    """
    from tabletop.catalogue import game_folders, kept_games
    from tabletop.games.drawing_names import ASSETS_FOLDER
    from tabletop.games.game_parts import packaged_games

    if game in packaged_games():
        return None
    folder = game_folders.folders_by_id().get(game) or kept_games.find_version_by_id(game)
    return folder.path / ASSETS_FOLDER if folder is not None else None
