"""Parsing of untrusted XML, with limits and without DTDs or entities."""

from collections.abc import Callable
from xml.parsers import expat

from tabletop.files.regular_file import KIB

_CHUNK_BYTES = 64 * KIB
MAX_MARKUP_BYTES = 256 * KIB
"""The maximum size of a tag or comment, which the parser keeps in memory as a whole.

A tag that fills a file could have millions of attributes.
"""


class BadXml(ValueError):
    """A text isn't XML, or exceeds the limits."""


class XmlTooLarge(BadXml):
    """A text has too many or too deeply nested elements, or an overlong tag."""


def parse_xml(
    content: bytes,
    on_start: Callable[[str, dict[str, str]], None],
    on_end: Callable[[str], None],
    on_text: Callable[[str], None],
    max_elements: int,
    max_depth: int,
) -> int:
    """Parse `content`, and return the number of its elements.

    Args:
        on_start: called with the name and attributes of each element at its start tag.
        on_end: called with the name of each element at its end tag.
        on_text: called with each piece of text; one text may be split into several pieces.
        max_elements: the maximum number of elements, including nested ones.
        max_depth: the maximum nesting depth; the root has depth 1.

    Raises:
        BadXml: `content` isn't XML, has a DTD, or exceeds the limits. Exceptions from callbacks are
            passed on.
    """
    count = depth = 0

    def begin_element(name: str, attributes: dict[str, str]) -> None:
        nonlocal count, depth
        count, depth = count + 1, depth + 1
        if count > max_elements or depth > max_depth:
            raise XmlTooLarge("there are too many elements, or they are nested too deeply")
        on_start(name, attributes)

    def end_element(name: str) -> None:
        nonlocal depth
        depth -= 1
        on_end(name)

    def refuse(*_: object) -> None:
        raise BadXml("it has a grammar of its own")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = begin_element
    parser.EndElementHandler = end_element
    parser.CharacterDataHandler = on_text
    parser.StartDoctypeDeclHandler = refuse
    try:
        for start in range(0, len(content), _CHUNK_BYTES):
            parser.Parse(content[start : start + _CHUNK_BYTES], False)
            if start - parser.CurrentByteIndex > MAX_MARKUP_BYTES:
                raise XmlTooLarge("a tag is too long")
        parser.Parse(b"", True)
    except (expat.ExpatError, LookupError, UnicodeError) as error:
        raise BadXml(str(error)) from error
    except ValueError as error:  # from expat, for multi-byte encodings
        raise error if isinstance(error, BadXml) else BadXml(str(error)) from error
    return count
