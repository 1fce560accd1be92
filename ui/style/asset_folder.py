"""Folders of the pictures of the program and of games; needs no Qt."""

from pathlib import Path


def assets_root() -> Path:
    """The folder of pictures: inside `ui` once installed, beside it in a checkout."""
    home = Path(__file__).resolve().parents[1]
    installed = home / "assets"
    return installed if installed.is_dir() else home.parent / "assets"


PAGE = assets_root() / "web"
"""The page of a phone, its script and its style."""


def outside_assets(game: str) -> Path | None:
    """The folder of pictures of a game outside the package; None for any other name."""
    from tabletop.catalogue import game_folders, kept_games
    from tabletop.games.drawing_names import ASSETS
    from tabletop.games.game_parts import inside

    if game in inside():
        return None
    folder = game_folders.folders_by_id().get(game) or kept_games.find_version_by_id(game)
    return folder.path / ASSETS if folder is not None else None
