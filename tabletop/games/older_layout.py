"""Entries of older table.toml files, which are read as today's.

An entry that another one expresses as well leaves the grammar. Folders that have it load as before;
`tabletop check` names it, with what is written today.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from tabletop.games.repetition import Written
from tabletop.games.toml_lines import Path
from tabletop.games.typed_toml import TomlFile

LEVELS = ("aloft", "over", "under")
"""The former marks of a drawing, each a level now; the first one that is set wins."""
NOT_ARRANGEMENTS = ("with", "values", "named", "when", "unless", "turn")
"""The tables of an entry that are no differences of another arrangement."""


class OlderEntry(NamedTuple):
    """An entry that was read as another one."""

    path: Path
    """Its position in the file."""
    today: str
    """The entry as it is written today."""


def convert(file: TomlFile) -> tuple[OlderEntry, ...]:
    """Replace older entries of a table.toml by today's; return what was replaced."""
    return tuple(_convert_below(file.table))


def _convert_below(node: Any) -> Iterator[OlderEntry]:
    match node:
        case Written():
            for key, part in node.items():
                if key in _CONVERTERS and isinstance(part, list):
                    for entry in part:
                        if isinstance(entry, Written):
                            yield from _convert_entry(entry, _CONVERTERS[key])
                yield from _convert_below(part)
        case list():
            for part in node:
                yield from _convert_below(part)


Convert = Callable[[Written, Mapping[str, Any]], Iterator[OlderEntry]]
"""Converts an entry, or what differs in another arrangement from the entry given."""


def _convert_entry(entry: Written, convert_one: Convert) -> Iterator[OlderEntry]:
    usual = dict(entry)
    yield from convert_one(entry, {})
    for key, part in entry.items():
        if isinstance(part, Written) and key not in NOT_ARRANGEMENTS:
            yield from convert_one(part, usual)


def _convert_drawing(entry: Written, usual: Mapping[str, Any]) -> Iterator[OlderEntry]:
    """Read `over = true` as `level = "over"`."""
    own = [key for key in LEVELS if isinstance(entry.get(key), bool)]
    if not own:
        return
    marks = {**usual, **entry}
    level = next((key for key in LEVELS if marks.get(key) is True), "table")
    path = entry.paths[own[0]]
    for key in own:
        yield OlderEntry(entry.paths[key], f'level = "{level}"')
        del entry[key]
    if usual or level != "table":
        entry.put("level", level, path)


def _convert_marker(entry: Written, usual: Mapping[str, Any]) -> Iterator[OlderEntry]:
    """Leave `board` out: a marker turns with the place that `on` names."""
    if isinstance(entry.get("board"), bool):
        yield OlderEntry(entry.paths["board"], 'on = "zone"')
        if not entry.pop("board"):
            entry.pop("on", None)  # without `board` it did nothing


def _convert_panel(entry: Written, usual: Mapping[str, Any]) -> Iterator[OlderEntry]:
    """Read `of = ["attacker"]` as `repeat = ["attacker"]`."""
    if isinstance(entry.get("of"), list):
        path, named = entry.paths["of"], entry.pop("of")
        yield OlderEntry(path, "repeat = [...]")
        if named:
            entry.put("repeat", named, path)


_CONVERTERS: dict[str, Convert] = {
    "drawing": _convert_drawing,
    "marker": _convert_marker,
    "panel": _convert_panel,
}
