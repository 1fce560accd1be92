"""The files that make a folder a game, and the game folders of the package."""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from tabletop.games import card_sheet, game_info

PARTS = ("rules.py", "cards.toml", "words.toml")
"""The files that every game's folder has; the cards may all be in a spreadsheet."""
FREE_PARTS = ("free.toml", "cards.toml")
"""The files that a free table needs, whose rules are the program's."""


@cache
def inside() -> tuple[str, ...]:
    """The ids of the games in the package, hidden ones included, alphabetically."""
    home = files("tabletop.games")
    return tuple(sorted(f.name for f in home.iterdir() if not missing_files(f)))


def missing_files(folder: Traversable) -> tuple[str, ...]:
    """The files that a folder lacks to be a game."""
    parts = FREE_PARTS if is_free(folder) else PARTS
    here = {part for part in (*parts, *card_sheet.FILES) if (folder / part).is_file()}
    here |= {game_info.FILE} if here & {*card_sheet.FILES} else set()
    return tuple(part for part in parts if part not in here)


def is_free(folder: Traversable) -> bool:
    """Whether its game is a free table."""
    return (folder / "free.toml").is_file() and not (folder / "rules.py").is_file()
