"""Resolution of the drawing names in a game's files.

The game's own `assets` folder takes precedence over the program's assets. The prefix with the
game's ID is optional and may be another ID, because a received game has a different ID on every
computer.
"""

from collections.abc import Iterable, Iterator
from importlib.resources.abc import Traversable
from typing import Any

from tabletop.games.game_parts import inside
from tabletop.games.repetition import Written
from tabletop.games.toml_lines import Path
from tabletop.games.typed_toml import TomlFile, unknown
from tabletop.text.phrases import phrase

ASSETS = "assets"
"""The name of the folder with a game's own drawings."""
COMMON = "common"
"""The prefix of the program's drawings for all games."""
BROKEN_DRAWING = phrase("A picture of this game can't be drawn: {told}")
NAMING = ("drawing", "chip")
"""The keys of a `table.toml` whose value is the name of a drawing."""


def own_drawing(name: str, own: Iterable[str]) -> str:
    """Return which of the game's `own` drawings `name` means; "" if it means none of them."""
    here = set(own)
    return next((each for each in _paths_of(name) if each in here), "")


def full_name(name: str, game: str, own: Iterable[str]) -> str:
    """Return the name of a drawing with its folder.

    For the game `night_ferry`, "harbour.svg" becomes "night_ferry/harbour.svg". `own` are the paths
    of
    the game's own drawings. An unknown drawing gets the game's folder.
    """
    drawing = own_drawing(name, own)
    return name if not drawing and of_program(name) else f"{game}/{drawing or _paths_of(name)[-1]}"


def of_program(name: str) -> bool:
    """Return whether `name` has the prefix of one of the program's drawings."""
    head, separator, _ = name.partition("/")
    return bool(separator) and (head == COMMON or head in inside())


def _paths_of(name: str) -> tuple[str, ...]:
    """Return the paths in the game's own folder that `name` can mean."""
    _, _, rest = name.partition("/")
    return (name, rest) if rest and not of_program(name) else (name,)


def files_in(assets: Traversable, above: str = "") -> Iterator[str]:
    """Yield the paths of all files in `assets`, relative to it; none if it doesn't exist.

    Names have the case that they have on disk.
    """
    for each in assets.iterdir() if assets.is_dir() else ():
        if each.is_dir():
            yield from files_in(each, f"{above}{each.name}/")
        else:
            yield above + each.name


def check_drawings(file: TomlFile, own: Iterable[str]) -> None:
    """Check that all drawings named in `file` exist, in `own` or possibly in the program.

    Raises:
        BrokenFile: a drawing doesn't exist.
    """
    here = tuple(own)
    for name, path in _find_names(file.table):
        if not of_program(name) and not own_drawing(name, here):
            raise file.broken(path, missing_drawing(name, here))


def missing_drawing(name: str, own: Iterable[str]) -> str:
    """Return the error message for a drawing that doesn't exist."""
    wanted = _paths_of(name)[-1]
    near = unknown(wanted, own).partition("; ")[2]
    return f'there is no drawing "{wanted}"' + (f"; {near}" if near else "")


def _find_names(node: Any) -> Iterator[tuple[str, Path]]:
    match node:
        case list():
            for part in node:
                yield from _find_names(part)
        case Written():
            for key, part in node.items():
                if key in NAMING and isinstance(part, str):
                    if part:
                        yield part, node.paths[key]
                elif key != "with":
                    yield from _find_names(part)
