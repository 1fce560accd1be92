"""Names of drawings in a game's files, and the files that they refer to.

The game's own `assets` folder goes first, then the program's assets. The game's own name before a
drawing's may be left out, and may be another one: the same game has another id at every computer
that has received it.
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
"""The folder of a game's drawings in its own folder."""
COMMON = "common"
"""The prefix of the program's drawings for all games."""
BROKEN_DRAWING = phrase("A picture of this game can't be drawn: {told}")
NAMING = ("drawing", "chip")
"""The keys of a table.toml that name a drawing."""


def own_drawing(name: str, own: Iterable[str]) -> str:
    """Return the one of a game's `own` drawings that its files call `name`; "" for one of the
    program's, or for none."""
    here = set(own)
    return next((each for each in _paths_of(name) if each in here), "")


def full_name(name: str, game: str, own: Iterable[str]) -> str:
    """Return the name of a drawing with its folder: "night_ferry/harbour.svg" for a drawing that
    the files of the game `night_ferry` call "harbour.svg".

    `own` are the drawings in the game's own folder, relative to it. A missing drawing is named as
    one of them.
    """
    drawing = own_drawing(name, own)
    return name if not drawing and of_program(name) else f"{game}/{drawing or _paths_of(name)[-1]}"


def of_program(name: str) -> bool:
    """Whether a drawing of this name could be one of the program's."""
    head, separator, _ = name.partition("/")
    return bool(separator) and (head == COMMON or head in inside())


def _paths_of(name: str) -> tuple[str, ...]:
    """Return the places in a game's own folder where a drawing of this name could be."""
    _, _, rest = name.partition("/")
    return (name, rest) if rest and not of_program(name) else (name,)


def files_in(assets: Traversable, above: str = "") -> Iterator[str]:
    """Yield the files of a folder by their names relative to it, spelt as they are on the disk;
    none where there is no folder."""
    for each in assets.iterdir() if assets.is_dir() else ():
        if each.is_dir():
            yield from files_in(each, f"{above}{each.name}/")
        else:
            yield above + each.name


def check_drawings(file: TomlFile, own: Iterable[str]) -> None:
    """Check the drawings that a file names against the game's `own`.

    Raises:
        BrokenFile: there is none of that name.
    """
    here = tuple(own)
    for name, path in _find_names(file.table):
        if not of_program(name) and not own_drawing(name, here):
            raise file.broken(path, missing_drawing(name, here))


def missing_drawing(name: str, own: Iterable[str]) -> str:
    """Return the fault where a game names a drawing that it doesn't have."""
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
