"""Kinds of files that the program can open, determined by their suffixes.

The window checks every file with this module, so it imports no code that reads files.
"""

from pathlib import Path

from tabletop.text.phrases import phrase

GAME_FILE_SUFFIX = ".tabletop-game"
"""The suffix of this program's game files."""
SHEET_SUFFIXES = (".xlsx", ".ods", ".csv", ".tsv")
"""The suffixes of spreadsheets."""
IMPORT_SUFFIXES = (GAME_FILE_SUFFIX, ".zip", ".pcio", ".json", *SHEET_SUFFIXES)
"""The suffixes of files that may contain an importable game."""
PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".gif")
"""The suffixes of pictures."""
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
"""What the user can do about files that can't be imported, by their suffixes."""


def may_hold_game(path: Path) -> bool:
    """Return whether the user may have meant to open `path` as a game, judging by its name."""
    others = tuple(suffix for suffixes in UNSUPPORTED_SUFFIXES for suffix in suffixes)
    return is_named_as_game(path) or path.name.lower().endswith(others)


def is_named_as_game(path: Path) -> bool:
    """Return whether `path` is a folder, or has the suffix of an importable file."""
    return path.name.lower().endswith(IMPORT_SUFFIXES) or path.is_dir()
