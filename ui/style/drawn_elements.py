"""The number of elements an SVG draws once its references are followed; Qt limits only their
depth."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MOST_ELEMENTS = 50_000
"""The greatest number of elements in one drawing."""
_HREF = ("href", "{http://www.w3.org/1999/xlink}href")


def draws_too_much(svg: bytes) -> bool:
    """Whether a drawing shows more elements than any needs, each as often as it is referred to. A
    file that is no XML draws nothing, and is reported elsewhere."""
    if b"<use" not in svg:
        return svg.count(b"<") > 2 * MOST_ELEMENTS
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(svg)
    except (ElementTree.ParseError, RecursionError):
        return False
    named = {name: each for each in root.iter() if (name := each.get("id"))}
    known: dict[Element, int] = {}
    try:
        return _count(root, named, known) > MOST_ELEMENTS
    except RecursionError:
        return True


def _count(element: Element, named: dict[str, Element], known: dict[Element, int]) -> int:
    if element not in known:
        known[element] = MOST_ELEMENTS + 1  # a reference to itself would have no end
        whole = 1 + sum(_count(child, named, known) for child in element)
        referred = next((href for key in _HREF if (href := element.get(key))), "")
        target = named.get(referred.removeprefix("#"))
        if element.tag.rpartition("}")[2] == "use" and target is not None:
            whole += _count(target, named, known)
        known[element] = min(whole, MOST_ELEMENTS + 1)
    return known[element]
