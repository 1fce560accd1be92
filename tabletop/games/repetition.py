"""Repetition in a game's TOML files: an entry with `for` is expanded as often as it says.

Everything with a `for` is repeated, with the gaps that it names filled:

- `for = { n = "1..10" }`: for every number of a range, for `"seats"` (0 up to the most that can
  play), or for every entry of a list; with several names for each with each;
- `for = [{ side = "white", n = 0 }, { side = "black", n = 1 }]`: row by row.

A text that consists of such a gap alone becomes the row's value, of whatever type. In a list the
copies follow each other, or the entries of their `each`; in a table of names their entries join the
others. `step` moves a copy's `at` on from the one before, unless `repeat` does that; the same goes
for the `at` of another arrangement, which may have a step of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from tabletop.games.toml_lines import Path

Row = Mapping[str, Any]
_RANGE = re.compile(r"(\d+)\.\.(\d+)")
_GAP = re.compile(r"\{(\w+)\}")


class Written(dict[str, Any]):
    """A table of a file that knows its own position there, and that of each entry."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.paths: dict[str, Path] = {}

    def put(self, key: str, entry: Any, path: Path) -> None:
        """Add an entry with its position."""
        self[key] = entry
        self.paths[key] = path

    def join(self, other: Written) -> None:
        """Take all entries of another table."""
        self.update(other)
        self.paths |= other.paths


class Misplaced(Exception):
    """A mistake in the entry at a path of a file."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(problem)
        self.path = path


def repeated(table: Mapping[str, Any], seats: int) -> Written:
    """The table with all its repetitions expanded, for a game of at most this many seats.

    Raises:
        Misplaced: a `for` without anything to repeat.
    """
    written = _written(table, ())
    assert isinstance(written, Written)
    laid_out = _laid_out(written, seats)
    assert isinstance(laid_out, Written)
    return laid_out


def _written(node: Any, path: Path) -> Any:
    match node:
        case dict():
            made = Written(path)
            for key, part in node.items():
                made.put(key, _written(part, (*path, key)), (*path, key))
            return made
        case list():
            return [_written(part, (*path, index)) for index, part in enumerate(node)]
        case _:
            return node


def _laid_out(node: Any, seats: int) -> Any:
    match node:
        case list():
            return [copy for part in node for copy in _copies(part, seats)]
        case Written():
            made = Written(node.path)
            for key, part in node.items():
                if isinstance(part, Written) and "for" in part:
                    for copy in _copies(part, seats):
                        made.join(copy)
                else:
                    made.put(key, _laid_out(part, seats), node.paths[key])
            return made
        case _:
            return node


def _copies(node: Any, seats: int) -> Iterator[Any]:
    if not isinstance(node, Written) or "for" not in node:
        yield _laid_out(node, seats)
        return
    steps = "step" in node and "repeat" not in node
    for number, row in enumerate(_rows(node, seats)):
        copy = _filled(node, row)
        del copy["for"]
        if steps:
            _move(copy, number)
        yield _laid_out(copy.get("each", copy), seats)


def _rows(node: Written, seats: int) -> Iterator[Row]:
    path = node.paths["for"]
    match node["for"]:
        case list() as rows if rows and all(isinstance(row, dict) for row in rows):
            yield from rows
        case dict() as names if names:
            lists = [_through(each, seats, (*path, name)) for name, each in names.items()]
            yield from (dict(zip(names, parts, strict=True)) for parts in product(*lists))
        case _:
            raise Misplaced(path, '"for" wants a table of names, or a list of tables')


def _through(each: Any, seats: int, path: Path) -> list[Any]:
    match each:
        case list():
            return each
        case "seats":
            return list(range(seats))
        case str() if numbers := _RANGE.fullmatch(each):
            return list(range(int(numbers[1]), int(numbers[2]) + 1))
        case _:
            raise Misplaced(
                path, f'"{each}" is neither "seats", nor a range as "1..10", nor a list'
            )


def _filled(node: Any, row: Row) -> Any:
    match node:
        case Written():
            made = Written(node.path)
            for key, part in node.items():
                made.put(_text(key, row), _filled(part, row), node.paths[key])
            return made
        case list():
            return [_filled(part, row) for part in node]
        case str() if (alone := _GAP.fullmatch(node)) and alone[1] in row:
            return row[alone[1]]
        case str():
            return _text(node, row)
        case _:
            return node


def _text(text: str, row: Row) -> str:
    return _GAP.sub(lambda gap: str(row[gap[1]]) if gap[1] in row else gap[0], text)


def _move(copy: Written, number: int, step: Any = None) -> None:
    """Move a copy's `at` on, and that of its arrangements by their own step, if they have one."""
    path, step = copy.paths.get("step", copy.path), copy.pop("step", step)
    match copy.get("at"), step:
        case [x, y, w, h], [dx, dy]:
            copy["at"] = [round(x + number * dx, 6), round(y + number * dy, 6), w, h]
        case _:
            raise Misplaced(path, '"step" wants two numbers, and "at" four that it moves')
    for part in copy.values():
        if isinstance(part, Written) and "at" in part:
            _move(part, number, step)
