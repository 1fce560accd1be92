"""Marks of translatable texts, and the folders that have catalogues for them."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

GAP = re.compile(r"\{([^{}]+)\}")
"""A named gap of a text, as in "{seat} draws {cards}."."""


def fill_gaps(text: str, gaps: Mapping[str, object]) -> str:
    """A text with its named gaps filled once; a gap that nobody fills stays as it is written.

    Unlike `str.format` it knows nothing but names: what a stranger has written can neither reach
    into the values nor make them wider.
    """
    if "{" not in text:
        return text
    parts = [*_split(text)]
    for at in range(1, len(parts), 2):
        name = parts[at]
        parts[at] = str(gaps[name]) if name in gaps else f"{{{name}}}"
    return "".join(parts)


@lru_cache(maxsize=4096)
def _split(text: str) -> tuple[str, ...]:
    """What is written around the gaps of a text and, at each second place, the name of a gap."""
    return tuple(GAP.split(text))


def phrase(text: str) -> str:
    """The text itself: marks one that is translated later, outside of a call that translates.

    A menu kept as a tuple of labels writes `phrase("Open save")`; the check then asks for its
    translation.
    """
    return text


# Folders

HOME = Path(__file__).parents[1]


@cache
def screens() -> tuple[Path, ...]:
    """The folder of the screens, where they are installed; found without running them."""
    spec = find_spec("ui")
    return tuple(Path(place) for place in (spec and spec.submodule_search_locations) or ())
