"""Converter for entries of a `table.toml` in older formats.

A format is dropped once another one can express the same. Folders with dropped formats still load,
and `tabletop check` lists the entries to update.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from tabletop.games.repetition import TomlTable
from tabletop.games.toml_lines import TomlPath
from tabletop.games.typed_toml import TomlFile

LEVEL_FLAGS = ("aloft", "over", "under")
"""Flags of drawings that `level` has replaced. The first one that is set takes precedence."""
NOT_LAYOUT_KEYS = ("with", "values", "named", "when", "unless", "turn")
"""Keys of nested tables that don't contain overrides for another layout."""


class OlderEntry(NamedTuple):
    """An entry in an older format."""

    path: TomlPath
    """The entry's position in the file."""
    replacement: str
    """The same entry in the current format."""


def convert_older_entries(file: TomlFile) -> tuple[OlderEntry, ...]:
    """Convert older entries of a `table.toml` in place, and return the converted ones."""
    return tuple(_convert_below(file.table))


def _convert_below(node: Any) -> Iterator[OlderEntry]:
    match node:
        case TomlTable():
            for key, part in node.items():
                if key in _CONVERTERS and isinstance(part, list):
                    for entry in part:
                        if isinstance(entry, TomlTable):
                            yield from _convert_entry(entry, _CONVERTERS[key])
                yield from _convert_below(part)
        case list():
            for part in node:
                yield from _convert_below(part)


EntryConverter = Callable[[TomlTable, Mapping[str, Any]], Iterator[OlderEntry]]
"""A function that converts an entry in place and yields what it converted.

It is also called with another layout's overrides as the first argument; the second is the entry
itself.
"""


def _convert_entry(entry: TomlTable, convert_one: EntryConverter) -> Iterator[OlderEntry]:
    usual = dict(entry)
    yield from convert_one(entry, {})
    for key, part in entry.items():
        if isinstance(part, TomlTable) and key not in NOT_LAYOUT_KEYS:
            yield from convert_one(part, usual)


def _convert_drawing(entry: TomlTable, usual: Mapping[str, Any]) -> Iterator[OlderEntry]:
    """Convert `over = true` to `level = "over"`."""
    own = [key for key in LEVEL_FLAGS if isinstance(entry.get(key), bool)]
    if not own:
        return
    marks = {**usual, **entry}
    level = next((key for key in LEVEL_FLAGS if marks.get(key) is True), "table")
    path = entry.paths[own[0]]
    for key in own:
        yield OlderEntry(entry.paths[key], f'level = "{level}"')
        del entry[key]
    if usual or level != "table":
        entry.add_entry("level", level, path)


def _convert_marker(entry: TomlTable, usual: Mapping[str, Any]) -> Iterator[OlderEntry]:
    """Remove `board`, because a marker rotates with the place named by `on`."""
    if isinstance(entry.get("board"), bool):
        yield OlderEntry(entry.paths["board"], 'on = "zone"')
        if not entry.pop("board"):
            entry.pop("on", None)  # without `board` it did nothing


def _convert_panel(entry: TomlTable, usual: Mapping[str, Any]) -> Iterator[OlderEntry]:
    """Convert `of = ["attacker"]` to `repeat = ["attacker"]`."""
    if isinstance(entry.get("of"), list):
        path, named = entry.paths["of"], entry.pop("of")
        yield OlderEntry(path, "repeat = [...]")
        if named:
            entry.add_entry("repeat", named, path)


_CONVERTERS: dict[str, EntryConverter] = {
    "drawing": _convert_drawing,
    "marker": _convert_marker,
    "panel": _convert_panel,
}
