"""What a file from elsewhere is: found by its name and its content."""

from pathlib import Path

from tabletop.exchange import game_file
from tabletop.exchange.game_file import GameFile

SUFFIXES = (game_file.SUFFIX,)
"""The ends of the names of files that may hold a game."""


def may_hold_game(path: Path) -> bool:
    """Whether a file may hold a game, by its name."""
    return path.name.lower().endswith(SUFFIXES)


def look(path: Path) -> GameFile:
    """What a file holds.

    Raises:
        BadFile: it holds no game, or can't be read.
    """
    return game_file.read(path)
