"""JSON and XML of strangers, from which readers take only what they know, as the kind it should be:
anything else counts as not there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from xml.parsers import expat

import msgspec

from tabletop.files.errors import BadFile
from tabletop.files.regular_file import MIB

LARGEST = 32 * MIB
"""Bytes of a file of data."""
MOST_ELEMENTS, DEEPEST = 200_000, 60
"""The elements of an XML tree, and its depth."""


def from_json(content: bytes, file: str) -> Any:
    """The value of a JSON file.

    Raises:
        BadFile: it is none.
    """
    try:
        if len(content) > LARGEST:
            raise ValueError
        plain = content.removeprefix(b"\xef\xbb\xbf")
        try:
            return msgspec.json.decode(plain)
        except msgspec.DecodeError:
            return json.loads(plain)  # unlike msgspec it accepts NaN, which some programs write
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadFile("\"{file}\" can't be read: it isn't JSON.", file=file) from error


def mapping(value: Any) -> dict[str, Any]:
    """A value that should be an object."""
    return value if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    """A value that should be a list."""
    return value if isinstance(value, list) else []


def text(value: Any) -> str:
    """A value that should be text, or a number."""
    return (
        str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
    )


def number(value: Any, otherwise: int = 0) -> int:
    """A value that should be a whole number."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise


class Element:
    """An element of XML: its name, its attributes, its text and the elements in it."""

    def __init__(self, name: str, attributes: Mapping[str, str]) -> None:
        self.name = name
        self.attributes = attributes
        self.text = ""
        self.inside: list[Element] = []

    def all(self, name: str) -> Iterator[Element]:
        """Every element of this name in it, at any depth, in its order."""
        waiting = [self]
        while waiting:
            each = waiting.pop()
            if each.name == name and each is not self:
                yield each
            waiting.extend(reversed(each.inside))

    def data(self, *names: str) -> Element | None:
        """Along these names, the element that has each as its attribute `name`."""
        at: Element | None = self
        for name in names:
            inside = at.inside if at is not None else []
            at = next((each for each in inside if each.attributes.get("name") == name), None)
        return at


def from_xml(content: bytes, file: str) -> Element:
    """The tree of an XML file without a grammar of its own.

    Raises:
        BadFile: it is none, or more than any.
    """
    bad = BadFile("\"{file}\" can't be read: it isn't XML, or too much.", file=file)
    if len(content) > LARGEST:
        raise bad
    root = Element("", {})
    path, count = [root], 0

    def refuse(*_: object) -> None:
        raise bad

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > MOST_ELEMENTS or len(path) > DEEPEST:
            raise bad
        element = Element(name, attributes)
        path[-1].inside.append(element)
        path.append(element)

    def say(part: str) -> None:
        path[-1].text += part

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda _: path.pop()
    parser.CharacterDataHandler = say
    parser.EntityDeclHandler = refuse
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(content.lstrip(), True)  # some write an empty line before the declaration
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise bad from error
    return root
