"""XML of strangers, parsed without a grammar or entities and within limits."""

from collections.abc import Callable
from xml.parsers import expat

from tabletop.files.regular_file import KIB

_CHUNK_BYTES = 64 * KIB
MAX_MARKUP_BYTES = 256 * KIB
"""Bytes of one tag or comment, which the parser holds whole. A tag as large as a file may have
millions of attributes."""


class BadXml(ValueError):
    """A text that is no XML, or goes beyond the limits."""


class XmlTooLarge(BadXml):
    """A text with more elements, or a longer tag, than it may have."""


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
        begin: called with the name and the attributes of each element that begins.
        end: called with the name of each element that ends.
        on_text: called with each stretch of text; one text may come in several.
        max_elements: the most elements, nested ones included.
        max_depth: the most elements around another one, itself included.

    Raises:
        BadXml: it is no XML, or more than that; and whatever the callbacks raise.
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
    except ValueError as error:  # expat's own: an encoding of several bytes
        raise error if isinstance(error, BadXml) else BadXml(str(error)) from error
    return count
