"""Names that look alike: skeletons by Unicode Technical Standard 39."""

import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from tabletop.text.normalisation import TooManyMarks, normalise

_MAX_CHARACTERS = 1024
"""A name has at most 40 characters, each of which expands to at most 18."""
_IGNORABLE = dict.fromkeys(
    (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, *range(0xFE00, 0xFE10))
)
"""Characters that aren't drawn, although their category isn't Cf."""


def skeleton(text: str) -> str:
    """Return the skeleton of `text`. Texts with the same skeleton look alike.

    A text with too many combining marks to be normalised looks like no other and is returned.
    """
    try:
        plain = normalise("NFKC", text, _MAX_CHARACTERS).translate(_IGNORABLE)
        shown = "".join(sign for sign in plain if unicodedata.category(sign) != "Cf")
        decomposed = normalise("NFD", shown, _MAX_CHARACTERS)
        return normalise("NFD", decomposed.translate(_prototypes()), _MAX_CHARACTERS)
    except TooManyMarks:
        return text


def look_alike(one: str, other: str) -> bool:
    """Return whether two names look alike, ignoring case."""
    return not _keys(one).isdisjoint(_keys(other))


def distinguish(name: str, others: Iterable[str], max_chars: int) -> str:
    """Return `name`, with a number if it looks like one of `others`. The result has at most
    `max_chars` characters.
    """
    names, shown, number = tuple(others), name, 1
    while any(look_alike(shown, other) for other in names):
        number += 1
        mark = f" ({number})"
        shown = name[: max_chars - len(mark)].rstrip() + mark
    return shown


def _keys(name: str) -> frozenset[str]:
    """Return the skeletons of `name` and of its lower case. A capital I looks like an l, but its
    lower case is an i.
    """
    return frozenset((skeleton(name).casefold(), skeleton(name.casefold()).casefold()))


@cache
def _prototypes() -> dict[int, str]:
    """Return the prototype of each confusable character."""
    content = (files("tabletop.text") / "confusables.txt").read_text("utf-8")
    lines = (line.split("\t") for line in content.split("\n") if line and not line.startswith("#"))
    return {ord(sign): prototype for prototype, signs in lines for sign in signs}
