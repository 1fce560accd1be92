"""Expansion of entries in a game's TOML files that are repeated with a `for` key.

- `for = { n = "1..10" }` repeats the entry for each number of a range, for `"seats"` (from 0 up to
  the maximum number of players minus 1), or for each element of a list. Several names give all
  combinations.
- `for = [{ side = "white", n = 0 }, { side = "black", n = 1 }]` repeats it once for each table.

Placeholders with these names are filled in each copy. A text that consists of one placeholder
becomes the value itself, whatever its type. In a list, the copies (or the entries of their `each`)
follow one another; in a table, their entries are merged into it. `step` offsets the `at` of each
copy from the previous one, unless the entry has a `repeat` key, which uses `step` itself. It also
applies to the `at` of other layouts, which may have a `step` of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from tabletop.games.toml_lines import TomlPath

MAX_ENTRIES = 100_000
"""The maximum number of entries in a file after expansion, including nested ones."""
MAX_TEXT_CHARACTERS = 10_000
"""The maximum number of characters in a text with filled placeholders."""
MAX_FILE_CHARACTERS = 4_000_000
"""The maximum number of characters in all texts with filled placeholders of a file."""
TOO_MANY_REPETITIONS = '"for" repeats more than any game needs'
RepetitionRow = Mapping[str, Any]
_RANGE = re.compile(r"(\d{1,6})\.\.(\d{1,6})")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


class TomlTable(dict[str, Any]):
    """A TOML table with its position in the file and those of its entries."""

    def __init__(self, path: TomlPath) -> None:
        super().__init__()
        self.path = path
        self.paths: dict[str, TomlPath] = {}

    def add_entry(self, key: str, entry: Any, path: TomlPath) -> None:
        """Add an entry with its position."""
        self[key] = entry
        self.paths[key] = path

    def merge_entries(self, other: TomlTable) -> None:
        """Add all entries of `other` with their positions, replacing entries with the same key."""
        self.update(other)
        self.paths |= other.paths


class InvalidEntry(Exception):
    """Raised for an invalid entry; `path` is its position in the file."""

    def __init__(self, path: TomlPath, problem: str) -> None:
        super().__init__(problem)
        self.path = path


def expand_repetitions(table: Mapping[str, Any], seats: int) -> TomlTable:
    """Return `table` with all repetitions expanded, for a game of up to `seats` players.

    Raises:
        InvalidEntry: a `for` is invalid, or the result is too large.
    """
    written = _with_paths(table, ())
    assert isinstance(written, TomlTable)
    laid_out = _RepetitionExpander(seats).laid_out(written)
    assert isinstance(laid_out, TomlTable)
    return laid_out


def _with_paths(node: Any, path: TomlPath) -> Any:
    match node:
        case dict():
            made = TomlTable(path)
            for key, part in node.items():
                made.add_entry(key, _with_paths(part, (*path, key)), (*path, key))
            return made
        case list():
            return [_with_paths(part, (*path, index)) for index, part in enumerate(node)]
        case _:
            return node


class _RepetitionExpander:
    """Expands the repetitions of one file, up to the limits on its size."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._left = MAX_ENTRIES
        self._characters_left = MAX_FILE_CHARACTERS

    def laid_out(self, node: Any) -> Any:
        match node:
            case list():
                return [copy for part in node for copy in self._copies(part)]
            case TomlTable():
                made = TomlTable(node.path)
                for key, part in node.items():
                    if isinstance(part, TomlTable) and "for" in part:
                        for copy in self._copies(part):
                            made.merge_entries(copy)
                    else:
                        made.add_entry(key, self.laid_out(part), node.paths[key])
                return made
            case _:
                return node

    def _copies(self, node: Any) -> Iterator[Any]:
        if not isinstance(node, TomlTable) or "for" not in node:
            yield self.laid_out(node)
            return
        steps = "step" in node and "repeat" not in node
        path = node.paths["for"]
        for number, row in enumerate(self._rows(node)):
            copy = self._fill(node, row, path)
            del copy["for"]
            if steps:
                _apply_step(copy, number)
            yield self.laid_out(copy.get("each", copy))

    def _rows(self, node: TomlTable) -> Iterator[RepetitionRow]:
        path = node.paths["for"]
        match node["for"]:
            case list() as rows if rows and all(isinstance(row, dict) for row in rows):
                yield from rows
            case dict() as names if names:
                lists = [self._through(each, (*path, name)) for name, each in names.items()]
                yield from (dict(zip(names, parts, strict=True)) for parts in product(*lists))
            case _:
                raise InvalidEntry(path, '"for" must be a table of names, or a list of tables')

    def _through(self, each: Any, path: TomlPath) -> Sequence[Any]:
        match each:
            case list():
                return each
            case "seats":
                return range(self._seats)
            case str() if numbers := _RANGE.fullmatch(each):
                first, last = int(numbers[1]), int(numbers[2])
                if last - first >= MAX_ENTRIES:
                    raise InvalidEntry(path, TOO_MANY_REPETITIONS)
                return range(first, last + 1)
            case _:
                raise InvalidEntry(
                    path, f'"{each}" is neither "seats", nor a range as "1..10", nor a list'
                )

    def _fill(self, node: Any, row: RepetitionRow, path: TomlPath) -> Any:
        self._left -= 1
        if self._left < 0:
            raise InvalidEntry(path, TOO_MANY_REPETITIONS)
        match node:
            case TomlTable():
                made = TomlTable(node.path)
                for key, part in node.items():
                    name = self._text(key, row, path)
                    made.add_entry(name, self._fill(part, row, path), node.paths[key])
                return made
            case list():
                return [self._fill(part, row, path) for part in node]
            case str() if (alone := _PLACEHOLDER.fullmatch(node)) and alone[1] in row:
                return row[alone[1]]
            case str():
                return self._text(node, row, path)
            case _:
                return node

    def _text(self, text: str, row: RepetitionRow, path: TomlPath) -> str:
        """Return `text` with the placeholders in `row` filled.

        Raises:
            InvalidEntry: the result is too long.
        """
        if "{" not in text:
            return text
        filled = _PLACEHOLDER.sub(lambda gap: str(row[gap[1]]) if gap[1] in row else gap[0], text)
        self._characters_left -= len(text) + len(filled)
        if len(filled) > MAX_TEXT_CHARACTERS or self._characters_left < 0:
            raise InvalidEntry(path, TOO_MANY_REPETITIONS)
        return filled


def _apply_step(copy: TomlTable, number: int, step: Any = None) -> None:
    """Offset the rectangle `at` of a copy by `number` times its step.

    Rectangles for other layouts inside the copy are offset too, by their own step if they have one.

    Raises:
        InvalidEntry: the step or the rectangle is invalid.
    """
    path, step = copy.paths.get("step", copy.path), copy.pop("step", step)
    match copy.get("at"), step:
        case [x, y, w, h], [dx, dy]:
            copy["at"] = [round(x + number * dx, 6), round(y + number * dy, 6), w, h]
        case _:
            raise InvalidEntry(path, '"step" must be two numbers, and "at" four')
    for part in copy.values():
        if isinstance(part, TomlTable) and "at" in part:
            _apply_step(part, number, step)
