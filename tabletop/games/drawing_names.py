"""Lookup of the drawings named in a game's files.

The game's own `assets` folder takes precedence over the program's assets. A name may start with a
game ID. Any ID is accepted, because a received game has a different ID on every computer.
"""

from collections.abc import Iterable, Iterator
from importlib.resources.abc import Traversable
from typing import Any

from tabletop.games.game_parts import packaged_games
from tabletop.games.repetition import TomlTable
from tabletop.games.toml_lines import TomlPath
from tabletop.games.typed_toml import TomlFile, unknown_word
from tabletop.text.phrases import phrase

ASSETS_FOLDER = "assets"
"""The name of the folder that contains a game's own drawings."""
COMMON_PREFIX = "common"
"""The prefix of drawings that the program provides for all games."""
BROKEN_DRAWING = phrase("A picture of this game can't be drawn: {told}")
DRAWING_KEYS = ("drawing", "chip")
"""The keys in a `table.toml` whose values are names of drawings."""


def find_own_drawing(name: str, own: Iterable[str]) -> str:
    """Return the path in `own` that `name` refers to; "" if there is none."""
    here = set(own)
    return next((each for each in _possible_paths(name) if each in here), "")


def full_drawing_name(name: str, game: str, own: Iterable[str]) -> str:
    """Return a drawing's name with its folder.

    For the game `night_ferry`, "harbour.svg" becomes "night_ferry/harbour.svg". `own` contains the
    paths of the game's own drawings. An unknown drawing is assumed to be in the game's folder.
    """
    drawing = find_own_drawing(name, own)
    return (
        name
        if not drawing and is_program_drawing(name)
        else f"{game}/{drawing or _possible_paths(name)[-1]}"
    )


def is_program_drawing(name: str) -> bool:
    """Return whether `name` starts with the prefix of a folder with the program's drawings."""
    head, separator, _ = name.partition("/")
    return bool(separator) and (head == COMMON_PREFIX or head in packaged_games())


def _possible_paths(name: str) -> tuple[str, ...]:
    """Return the paths in the game's own folder that `name` can refer to."""
    _, _, rest = name.partition("/")
    return (name, rest) if rest and not is_program_drawing(name) else (name,)


def list_files(assets: Traversable, above: str = "") -> Iterator[str]:
    """Yield the paths of all files in `assets`, relative to it; none if `assets` doesn't exist.

    Names are spelled as on disk, in upper or lower case.
    """
    for each in assets.iterdir() if assets.is_dir() else ():
        if each.is_dir():
            yield from list_files(each, f"{above}{each.name}/")
        else:
            yield above + each.name


def check_drawings(file: TomlFile, own: Iterable[str]) -> None:
    """Check that each drawing named in `file` is one of the game's `own`, or has a program prefix.

    Raises:
        BrokenFile: a drawing doesn't exist.
    """
    here = tuple(own)
    for name, path in _find_drawing_names(file.table):
        if not is_program_drawing(name) and not find_own_drawing(name, here):
            raise file.entry_error(path, missing_drawing_fault(name, here))


def missing_drawing_fault(name: str, own: Iterable[str]) -> str:
    """Return the error message for a drawing that doesn't exist."""
    wanted = _possible_paths(name)[-1]
    near = unknown_word(wanted, own).partition("; ")[2]
    return f'there is no drawing "{wanted}"' + (f"; {near}" if near else "")


def _find_drawing_names(node: Any) -> Iterator[tuple[str, TomlPath]]:
    match node:
        case list():
            for part in node:
                yield from _find_drawing_names(part)
        case TomlTable():
            for key, part in node.items():
                if key in DRAWING_KEYS and isinstance(part, str):
                    if part:
                        yield part, node.paths[key]
                elif key != "with":
                    yield from _find_drawing_names(part)
