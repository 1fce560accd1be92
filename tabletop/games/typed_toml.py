"""Reader that converts a game's TOML files to Structs, with line numbers in its error messages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from tabletop.games.repetition import InvalidEntry, TomlTable, expand_repetitions
from tabletop.games.safe_toml import InvalidToml, parse_toml
from tabletop.games.toml_lines import TomlPath, entry_lines

T = TypeVar("T")

_MAX_WORD_CHARACTERS, _MAX_COMPARED = 60, 200
"""Limits on the search for similar words, whose time grows with the square of their lengths."""

_STEP = re.compile(r"\.([\w-]+)|\[(\d+|\.\.\.)\]")
_UNKNOWN = re.compile(r"Object contains unknown field `(.+?)`")
_MISSING = re.compile(r"Object missing required field `(.+?)`")
_INVALID_COLOUR = "Expected `str` matching regex '^#"
_WRONG_TYPE = re.compile(r"Expected `([^`]+)`, got `([^`]+)`")
_TYPES = {
    "str": 'a text in quotes, such as "pond"',
    "int": "a whole number, such as 3",
    "float": "a number, such as 1.5",
    "bool": "true or false",
    "array": "a list in brackets, such as [2, 3]",
    "object": "a table in braces",
}
"""What a designer writes for each type of msgspec."""
_GIVEN = {
    "str": "a text",
    "int": "a whole number",
    "float": "a fraction",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
}
_INVALID_CHOICE = re.compile(r"Invalid enum value '(.*?)'")


class BrokenFile(Exception):
    """Raised for an error in a game's file.

    The message is one sentence, with the line if it is known.
    """


class TomlFile:
    """A TOML file of a game: its name, its text, and its content with all repetitions expanded."""

    def __init__(self, name: str, text: str, seats: int = 0) -> None:
        """Parse `text`. `seats` is the game's maximum number of players,
        for entries with `for = "seats"`.

        Raises:
            BrokenFile: `text` isn't valid TOML, or a repetition is invalid.
        """
        self.name = name
        self._text = text.removeprefix("\ufeff")  # Windows editors add a byte order mark
        try:
            self.table: TomlTable = expand_repetitions(parse_toml(self._text), seats)
        except InvalidToml as error:
            raise BrokenFile(f"{name} line {error.line}: {error}") from error
        except InvalidEntry as error:
            raise self.entry_error(error.path, str(error)) from error

    def entry_error(self, path: TomlPath, problem: str) -> BrokenFile:
        """Return an error about the entry at `path`, which doesn't have to exist."""
        return BrokenFile(f"{self.name} line {self.line_of(path)}: {problem}")

    def line_of(self, path: TomlPath) -> int:
        """Return the line of the entry at `path` or of its closest existing parent,
        counted from 1.
        """
        lines = entry_lines(self._text)
        while path not in lines:
            path = path[:-1]
        return lines[path]

    def read(self, kind: type[T], table: TomlTable | None = None) -> T:
        """Return the file's content, or `table` if given, converted to the Struct type `kind`.

        Raises:
            BrokenFile: a key is unknown or missing, or a value has the wrong type.
        """
        table = self.table if table is None else table
        try:
            return msgspec.convert(table, kind)
        except msgspec.ValidationError as error:
            raise self._problem(str(error), kind, table) from error

    def _problem(self, error: str, kind: Any, table: TomlTable) -> BrokenFile:
        problem, _, at = error.partition(" - at `$")
        path = table.path
        node: Any = table
        for key, index in _STEP.findall(at.rstrip("`")):
            step = _find_invalid_key(node, kind) if index == "..." else int(index) if index else key
            path = _entry_path(node, path, step)
            node, kind = node[step], _nested_type(kind, step)
            path = node.path if isinstance(node, TomlTable) else path
        if match := _UNKNOWN.match(problem):
            return self.entry_error(
                _entry_path(node, path, match[1]), unknown_word(match[1], _struct_keys(kind))
            )
        if match := _MISSING.match(problem):
            return self.entry_error(path, f'"{match[1]}" is missing')
        if match := _INVALID_CHOICE.match(problem):
            return self.entry_error(path, unknown_word(match[1], _literal_choices(kind)))
        if problem.startswith(_INVALID_COLOUR):
            return self.entry_error(path, f'"{node}" is no colour; one is written like "#C4393B"')
        if match := _WRONG_TYPE.fullmatch(problem):
            name = next((step for step in reversed(path) if isinstance(step, str)), "")
            return self.entry_error(path, _wrong_type(name, match[1], match[2]))
        return self.entry_error(path, problem[:1].lower() + problem[1:].replace("`", ""))


def _wrong_type(name: str, expected: str, got: str) -> str:
    """Return an error message about the entry `name` with a value of another type.

    `expected`: msgspec's names of the types, such as "str | null".
    """
    kinds = [_TYPES.get(each, each) for each in expected.split(" | ") if each != "null"]
    return f'"{name}" must be {" or ".join(kinds)}, not {_GIVEN.get(got, got)}'


def unknown_word(word: str, known: Iterable[str]) -> str:
    """Return an error message about an unknown word,
    which suggests the most similar one of `known`.
    """
    if len(word) > _MAX_WORD_CHARACTERS:
        return f'"{word[:_MAX_WORD_CHARACTERS]}…" is not known'
    from difflib import get_close_matches

    short = (each for each in known if len(each) <= _MAX_WORD_CHARACTERS)
    near = get_close_matches(word, [*islice(short, _MAX_COMPARED)], 1)
    return f'"{word}" is not known' + (f'; did you mean "{near[0]}"?' if near else "")


def _find_invalid_key(node: Any, kind: Any) -> str:
    """Return the first key in `node` whose value has the wrong type,
    which msgspec doesn't report.
    """
    for key, part in node.items():
        try:
            msgspec.convert(part, _nested_type(kind, key))
        except msgspec.ValidationError:
            return str(key)
    raise KeyError(kind)


def _entry_path(node: Any, path: TomlPath, step: str | int) -> TomlPath:
    if isinstance(node, TomlTable) and step in node.paths:
        return node.paths[str(step)]
    return (*path, step)


def _nested_type(kind: Any, step: str | int) -> Any:
    """Return the type of the field or element `step` in the type `kind`."""
    given = get_args(kind)
    if get_origin(kind) not in (dict, tuple, None, Literal):  # a union of one type and None
        kind = next(each for each in given if each is not type(None))
        return _nested_type(kind, step)
    match get_origin(kind), step:
        case None, str() if issubclass(kind, Struct):
            names = dict(zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True))
            return get_type_hints(kind)[names[step]]
        case origin, _ if origin is dict:
            return given[1]
        case origin, int() if origin is tuple:
            return given[0] if given[-1] is Ellipsis else given[step]
        case _:
            return Any


def _literal_choices(kind: Any) -> tuple[str, ...]:
    """Return the choices of `kind` if it is a `Literal` or an optional `Literal`."""
    literals = (each for each in (kind, *get_args(kind)) if get_origin(each) is Literal)
    return tuple(str(choice) for each in literals for choice in get_args(each))


def _struct_keys(kind: Any) -> tuple[str, ...]:
    options = [kind, *get_args(kind)]
    return next(
        (
            each.__struct_encode_fields__
            for each in options
            if isinstance(each, type) and issubclass(each, Struct)
        ),
        (),
    )
