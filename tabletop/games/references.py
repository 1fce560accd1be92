"""Checks that names used in a game's TOML files are defined.

Zones must be in `[zones]` of `words.toml`; questions and verbs must have texts there.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import Any

from tabletop.games.conditions import EMPTY
from tabletop.games.repetition import TomlTable
from tabletop.games.toml_lines import TomlPath
from tabletop.games.typed_toml import TomlFile, unknown_word
from tabletop.games.wording import Wording
from tabletop.text.phrases import GAP

_PARTS = re.compile(r"[/,]")
_PLACEHOLDER = re.compile(r"\{\w+\}")

Reference = tuple[str, str, TomlPath]
"""What kind of thing is named ("zone", "ask" …), its name, and the entry's position in the file."""


def check_word_names(file: TomlFile) -> None:
    """Check the names that a `words.toml` defines, and their placeholders.

    Raises:
        BrokenFile: a placeholder isn't an identifier or occurs twice in a name, or a caption
            without {n} belongs to an unknown zone.
    """
    for section in ("zones", "captions", "values", "choices", "listed", "pieces", "told"):
        for name, path in getattr(file.table.get(section), "paths", {}).items():
            placeholders = re.findall(r"\{([^{}]*)\}", name)
            for gap in placeholders:
                if not gap.isidentifier():
                    raise file.entry_error(
                        path, f"the gap {{{gap}}} needs a single word as its name: {{seat}}"
                    )
                if placeholders.count(gap) > 1:
                    problem = f"the gap {{{gap}}} occurs twice in a name: call one {{{gap}2}}"
                    raise file.entry_error(path, problem)
    zones, captions = file.table.get("zones", {}), file.table.get("captions", {})
    for name, path in getattr(captions, "paths", {}).items():
        if name not in zones and "{n}" not in str(captions[name]):  # else a number of a player
            raise file.entry_error(path, unknown_word(name, list(zones)))


def check_references(file: TomlFile, wording: Wording) -> None:
    """Check the zones, questions, verbs and points named in a `table.toml` or a `meaning.toml`.

    Raises:
        BrokenFile: a name is unknown.
    """
    known: dict[str, Collection[str]] = {
        "zone": wording.zones,
        "ask": wording.asks,
        "verb": wording.verbs,
        "points": file.table.get("points", {}),
    }
    for kind, name, path in chain(
        _find_section_references(file.table), _find_references(file.table)
    ):
        if not any(fits(name, each) for each in known[kind]):
            raise file.entry_error(
                path, unknown_word(name, [_fill_placeholders(each, name) for each in known[kind]])
            )


def check_race(file: TomlFile, wording: Wording) -> None:
    """Check the zones and placeholders in the `[race]` section of a `words.toml`.

    Raises:
        BrokenFile: a zone or placeholder is unknown, or an entry has both a value and a zone, or
            neither.
    """
    race = file.table.get("race", {})
    for row in race.get("figures", ()):
        zone, value = row.get("zone", ""), row.get("value", "")
        if bool(zone) == bool(value):
            raise file.entry_error(
                row.paths["text"], 'a figure of the race needs "value" or "zone"'
            )
        if zone and not any(fits(zone, each) for each in wording.zones):
            problem = unknown_word(zone, [_fill_placeholders(each, zone) for each in wording.zones])
            raise file.entry_error(row.paths["zone"], problem)
        if odd := sorted({*GAP.findall(value)} - {"seat"}):
            problem = f"the gap {{{odd[0]}}} is not known here; {{seat}} is the player"
            raise file.entry_error(row.paths["value"], problem)


def check_race_values(file: TomlFile, values: Collection[str]) -> None:
    """Check that the rules set the public values named by `race` and `ribbons` of a `words.toml`.

    `values` contains the names of the values that the rules set.

    Raises:
        BrokenFile: the rules set no such value.
    """
    sections = (_find_values(file.table.get(key, {}), key) for key in ("race", "ribbons"))
    for name, path in chain.from_iterable(sections):
        if not any(fits(name, each) for each in values):
            raise file.entry_error(
                path, unknown_word(name, [_fill_placeholders(each, name) for each in values])
            )


def check_placeholders(file: TomlFile) -> None:
    """Check that {seat} is the only placeholder in names in a `meaning.toml`.

    Raises:
        BrokenFile: a placeholder is unknown, or a brace isn't closed.
    """
    heads = [(file.table, key) for key in ("turn", "score", "out")]
    idle = [(row, key) for row in file.table.get("idle", ()) for key in ("value", "zone")]
    for table, key in (*heads, *idle):
        if key not in table:
            continue
        if "{" in (rest := GAP.sub("", table[key])) or "}" in rest:
            raise file.entry_error(
                table.paths[key], f'"{table[key]}" has a bracket without its partner'
            )
        if odd := sorted({*GAP.findall(table[key])} - {"seat"}):
            problem = f"the gap {{{odd[0]}}} is not known here; {{seat}} is the player"
            raise file.entry_error(table.paths[key], problem)


def check_values(file: TomlFile, values: Collection[str]) -> None:
    """Check that the rules set the public values named in a `table.toml` or a `meaning.toml`.

    `values` contains the names of the values that the rules set.

    Raises:
        BrokenFile: the rules set no such value.
    """
    for name, path in _find_values(file.table):
        if not any(fits(name, each) for each in values):
            raise file.entry_error(
                path, unknown_word(name, [_fill_placeholders(name, each) for each in values])
            )


def _find_values(node: Any, key: str = "") -> Iterator[tuple[str, TomlPath]]:
    """Yield the name and position of each public value used in `node`, whose key is `key`."""
    match node:
        case list():
            for part in node:
                yield from _find_values(part, key)
        case TomlTable() if not node.get("foreseen"):  # only foreseen by previews, never set
            for name, part in node.items():
                yield from (
                    (each, node.paths[name]) for each in _value_names(key, name, part) if each
                )
                yield from _find_values(part, name)


def _value_names(above: str, key: str, part: Any) -> Iterable[str]:
    match above, key, part:
        case "replay", "round" | "turn", list():
            return part
        case "piece", "zone", str():
            return (part,)
        case _, "value" | "down" | "out", str():
            return (part,)
        case _, "values" | "named", TomlTable():
            return [name for name in part.values() if isinstance(name, str)]
        case _, "repeat", list():
            return part
        case _, "when" | "unless", TomlTable():
            predefined = ("seats", "asked", "over")
            return [n for n in part if n not in predefined and not n.startswith(EMPTY)]
    return ()


def _find_section_references(table: TomlTable) -> Iterator[Reference]:
    for section, kind in (("verbs", "verb"), ("reactions", "ask")):
        for name, path in getattr(table.get(section), "paths", {}).items():
            yield kind, name, path


def _find_references(node: Any, key: str = "") -> Iterator[Reference]:
    """Yield all references in `node`, whose key is `key`."""
    match node:
        case list():
            for part in node:
                yield from _find_references(part, key)
        case TomlTable():
            for name, part in node.items():
                for kind, named, path in _find_entry_references(key, name, part, node.paths[name]):
                    if named:
                        yield kind, named, path
                yield from _find_references(part, name)


def _find_entry_references(above: str, key: str, part: Any, path: TomlPath) -> Iterator[Reference]:
    """Yield the references in the entry `part` itself; its key is `key`,
    in a table called `above`.
    """
    match key, part:
        case (("zone" | "on"), str()) if above != "piece":  # a piece's place is a value
            yield "zone", part, path
        case (("cards" | "held"), list()):
            yield from (("zone", zone, path) for zone in part)
        case "counts", TomlTable():
            yield from (("zone", zone, part.paths[gap]) for gap, zone in part.items())
        case "waits", TomlTable():
            for target, zone in part.items():
                yield from (("zone", name, part.paths[target]) for name in (target, zone))
        case "points", str():
            yield "points", part, path
        case "when" | "unless", TomlTable():
            for name in part:
                if name.startswith(EMPTY):
                    yield "zone", name.removeprefix(EMPTY), part.paths[name]
        case "asked", str() if above in ("when", "unless"):
            yield "ask", part, path
        case "asked", list() if above in ("when", "unless"):
            yield from (("ask", ask, path) for ask in part)


def fits(name: str, pattern: str) -> bool:
    """Return whether two names can refer to the same thing. A placeholder matches any one part."""
    ours, theirs = _PARTS.split(name), _PARTS.split(pattern)
    return len(ours) == len(theirs) and all(
        one == other or "{" in one or "{" in other for one, other in zip(ours, theirs, strict=True)
    )


def _fill_placeholders(pattern: str, name: str) -> str:
    """Replace the placeholders in `pattern` by the parts of `name`,
    so that the spelling can be compared.
    """
    parts = dict(zip(_PARTS.split(pattern), _PARTS.split(name), strict=False))
    return _PLACEHOLDER.sub(lambda gap: parts.get(gap[0], gap[0]), pattern)
