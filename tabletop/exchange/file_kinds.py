"""What a file that somebody opens may hold, by its name.

The window asks this of every file, so nothing is imported here that reads one: the importers of
other programs' games are the studio's.
"""

from pathlib import Path

from tabletop.text.phrases import phrase

GAME_FILE_SUFFIX = ".tabletop-game"
"""A game of this program."""
SHEET_SUFFIXES = (".xlsx", ".ods", ".csv", ".tsv")
"""The ends of the names of spreadsheets."""
IMPORT_SUFFIXES = (GAME_FILE_SUFFIX, ".zip", ".pcio", ".json", *SHEET_SUFFIXES)
"""The ends of the names of files that may hold a game."""
PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".gif")
"""The ends of the names of pictures."""
UNSUPPORTED_SUFFIXES = {
    PICTURE_SUFFIXES: phrase('"{file}" is a single picture. Import the folder that it is in.'),
    (".xls", ".numbers", ".gsheet"): phrase(
        '"{file}" can\'t be read as it is: save the sheet as CSV, .xlsx or .ods.'
    ),
    (".tar.gz", ".tgz"): phrase(
        '"{file}" can\'t be read as it is. If `tabletop home export` made it, merge it with '
        "`tabletop home import`. Otherwise unpack it first."
    ),
    (".rar", ".7z", ".tar", ".gz"): phrase('"{file}" can\'t be read as it is: unpack it first.'),
}
"""By the ends of the names of files that can't be taken in, what can be done with them."""


def may_hold_game(path: Path) -> bool:
    """Whether a file or folder may hold a game, by its name."""
    others = tuple(suffix for suffixes in UNSUPPORTED_SUFFIXES for suffix in suffixes)
    return is_named_as_game(path) or path.name.lower().endswith(others)


def is_named_as_game(path: Path) -> bool:
    """Whether it is a folder, or a file of a kind that can be taken in, by its name."""
    return path.name.lower().endswith(IMPORT_SUFFIXES) or path.is_dir()
