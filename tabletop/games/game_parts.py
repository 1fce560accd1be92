"""The required files of a game folder, and the list of games in the package."""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from tabletop.games import card_sheet, game_info

REQUIRED_FILES = ("rules.py", "cards.toml", "words.toml")
"""The files required in a game folder. A card sheet can replace `cards.toml`."""
FREE_TABLE_FILES = ("free.toml", "cards.toml")
"""The files required in the folder of a free table, whose rules the program supplies."""


@cache
def packaged_games() -> tuple[str, ...]:
    """Return the IDs of all games in the package, including hidden ones, in alphabetical order."""
    home = files("tabletop.games")
    return tuple(sorted(f.name for f in home.iterdir() if not missing_files(f)))


def missing_files(folder: Traversable) -> tuple[str, ...]:
    """Return the names of the required files that `folder` lacks."""
    parts = FREE_TABLE_FILES if is_free_table(folder) else REQUIRED_FILES
    here = {part for part in (*parts, *card_sheet.CARD_FILES) if (folder / part).is_file()}
    here |= {game_info.CARDS_TOML} if here & {*card_sheet.CARD_FILES} else set()
    return tuple(part for part in parts if part not in here)


def is_free_table(folder: Traversable) -> bool:
    """Return whether `folder` contains a free table."""
    return (folder / "free.toml").is_file() and not (folder / "rules.py").is_file()
