"""JSON and XML of strangers, from which readers take only what they know, as the kind it should be:
anything else counts as not there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from tabletop.files.errors import BadFile
from tabletop.files.regular_file import MIB
from tabletop.files.safe_xml import BadXml, parse_xml

LARGEST = 24 * MIB
"""Bytes of a file of data."""
MAX_DECODED_BYTES = 96 * MIB
"""Bytes that the objects, lists and values of a file of JSON take besides their texts."""
_VALUE_BYTES, _LIST_BYTES, _OBJECT_BYTES = 64, 96, 240
MOST_ELEMENTS, DEEPEST = 200_000, 60
"""The elements of an XML tree, and its depth."""
MAX_TEXT_CHARACTERS = 20_000
"""Characters that are read of a text."""


def from_json(content: bytes, file: str) -> Any:
    """The value of a JSON file.

    Raises:
        BadFile: it is none, or it would take too much memory.
    """
    try:
        if len(content) > LARGEST or _decoded_bytes(content) > MAX_DECODED_BYTES:
            raise BadFile('"{file}" can\'t be read: it holds too much.', file=file)
        plain = content.removeprefix(b"\xef\xbb\xbf")
        try:
            return msgspec.json.decode(plain)
        except msgspec.DecodeError:
            return json.loads(plain)  # unlike msgspec it accepts NaN, which some programs write
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadFile("\"{file}\" can't be read: it isn't JSON.", file=file) from error


def _decoded_bytes(content: bytes) -> int:
    """Return how much memory a JSON text takes at most when it is decoded, besides its texts.
    Signs in texts count as well, which are few in texts of cards."""
    return (
        _VALUE_BYTES * content.count(b",")
        + _LIST_BYTES * content.count(b"[")
        + _OBJECT_BYTES * content.count(b"{")
    )


def mapping(value: Any) -> dict[str, Any]:
    """A value that should be an object."""
    return value if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    """A value that should be a list."""
    return value if isinstance(value, list) else []


def text(value: Any) -> str:
    """A value that should be text, or a number. What is longer than any text of a card is cut."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value)[:MAX_TEXT_CHARACTERS]


def number(value: Any, otherwise: int = 0) -> int:
    """A value that should be a whole number."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise


class Element:
    """An element of XML: its name, its attributes, its text and the elements in it."""

    __slots__ = ("attributes", "inside", "name", "text")

    def __init__(self, name: str, attributes: Mapping[str, str]) -> None:
        self.name = name
        self.attributes = attributes
        self.text = ""
        self.inside: list[Element] = []

    def all(self, name: str) -> Iterator[Element]:
        """Every element of this name in it, at any depth, in its order."""
        for each in self.outermost(name):
            yield each
            yield from each.all(name)

    def outermost(self, *names: str) -> Iterator[Element]:
        """Yield the elements of these names in it, in their order, and none that is within another
        one of them."""
        waiting = [*reversed(self.inside)]
        while waiting:
            each = waiting.pop()
            if each.name in names:
                yield each
            else:
                waiting.extend(reversed(each.inside))

    def data(self, *names: str) -> Element | None:
        """Along these names, the element that has each as its attribute `name`."""
        at: Element | None = self
        for name in names:
            inside = at.inside if at is not None else []
            at = next((each for each in inside if each.attributes.get("name") == name), None)
        return at


def from_xml(content: bytes, file: str, max_elements: int = MOST_ELEMENTS) -> tuple[Element, int]:
    """Return the tree of an XML file without a grammar of its own, and how many elements it has.

    Raises:
        BadFile: it is none, or more than any.
    """
    root = Element("", {})
    path = [root]
    texts: list[list[str]] = [[]]

    def begin(name: str, attributes: dict[str, str]) -> None:
        element = Element(name, attributes)
        path[-1].inside.append(element)
        path.append(element)
        texts.append([])

    def end(_: str) -> None:
        path.pop().text = "".join(texts.pop())[:MAX_TEXT_CHARACTERS]

    def hear(part: str) -> None:
        texts[-1].append(part)

    try:
        if len(content) > LARGEST:
            raise BadXml
        # some write an empty line before the declaration
        count = parse_xml(content.lstrip(), begin, end, hear, max_elements, DEEPEST)
    except BadXml as error:
        raise BadFile("\"{file}\" can't be read: it isn't XML, or too much.", file=file) from error
    return root, count
