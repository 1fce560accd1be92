"""Tolerant access to untrusted JSON and XML.

Values of an unexpected type are treated as missing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from tabletop.files.errors import BadFile
from tabletop.files.regular_file import MIB
from tabletop.files.safe_xml import BadXml, parse_xml

MAX_FILE_BYTES = 24 * MIB
"""The maximum size of a JSON or XML file in bytes."""
MAX_DECODED_BYTES = 96 * MIB
"""The maximum memory for the objects, lists and values of a JSON file in
bytes, not counting strings.
"""
_VALUE_BYTES, _LIST_BYTES, _OBJECT_BYTES = 64, 96, 240
MAX_ELEMENTS, MAX_DEPTH = 200_000, 60
"""The maximum number of elements of an XML tree, and its maximum depth."""
MAX_TEXT_CHARACTERS = 20_000
"""The maximum length of a text; the rest is cut off."""


def decode_json(content: bytes, file: str) -> Any:
    """Return the decoded JSON value.

    Raises:
        BadFile: `content` isn't JSON, or would take too much memory.
    """
    try:
        if len(content) > MAX_FILE_BYTES or _decoded_bytes(content) > MAX_DECODED_BYTES:
            raise BadFile('"{file}" can\'t be read: it holds too much.', file=file)
        plain = content.removeprefix(b"\xef\xbb\xbf")
        try:
            return msgspec.json.decode(plain)
        except msgspec.DecodeError:
            return json.loads(plain)  # unlike msgspec it accepts NaN, which some programs write
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadFile("\"{file}\" can't be read: it isn't JSON.", file=file) from error


def _decoded_bytes(content: bytes) -> int:
    """Return an upper bound of the memory for decoding `content`, not counting strings.

    Punctuation inside strings is counted too, but it is rare in card texts.
    """
    return (
        _VALUE_BYTES * content.count(b",")
        + _LIST_BYTES * content.count(b"[")
        + _OBJECT_BYTES * content.count(b"{")
    )


def as_dict(value: Any) -> dict[str, Any]:
    """Return `value` if it is a dict, otherwise an empty dict."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return `value` if it is a list, otherwise an empty list."""
    return value if isinstance(value, list) else []


def text(value: Any) -> str:
    """Return a string or number as text of at most `MAX_TEXT_CHARACTERS`, and anything else as
    ""."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value)[:MAX_TEXT_CHARACTERS]


def number(value: Any, otherwise: int = 0) -> int:
    """Return `value` if it is a whole number, or else `otherwise`."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise


class Element:
    """An XML element: name, attributes, text and child elements."""

    __slots__ = ("attributes", "inside", "name", "text")

    def __init__(self, name: str, attributes: Mapping[str, str]) -> None:
        self.name = name
        self.attributes = attributes
        self.text = ""
        self.inside: list[Element] = []

    def all(self, name: str) -> Iterator[Element]:
        """Yield all descendants with this `name` in document order."""
        for each in self.outermost(name):
            yield each
            yield from each.all(name)

    def outermost(self, *names: str) -> Iterator[Element]:
        """Yield the descendants with one of these `names` in document order, without descending
        into them.
        """
        waiting = [*reversed(self.inside)]
        while waiting:
            each = waiting.pop()
            if each.name in names:
                yield each
            else:
                waiting.extend(reversed(each.inside))

    def data(self, *names: str) -> Element | None:
        """Return the descendant reached through elements whose `name`
        attributes are `names`, or None.
        """
        at: Element | None = self
        for name in names:
            inside = at.inside if at is not None else []
            at = next((each for each in inside if each.attributes.get("name") == name), None)
        return at


def decode_xml(content: bytes, file: str, max_elements: int = MAX_ELEMENTS) -> tuple[Element, int]:
    """Return the root of an XML tree, and the number of elements in it. Document type definitions
    aren't allowed.

    Raises:
        BadFile: `content` isn't XML, or exceeds the limits.
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

    def add_text(part: str) -> None:
        texts[-1].append(part)

    try:
        if len(content) > MAX_FILE_BYTES:
            raise BadXml
        # some programs write an empty line before the XML declaration
        count = parse_xml(content.lstrip(), begin, end, add_text, max_elements, MAX_DEPTH)
    except BadXml as error:
        raise BadFile("\"{file}\" can't be read: it isn't XML, or too much.", file=file) from error
    return root, count
