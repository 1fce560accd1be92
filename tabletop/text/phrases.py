"""Marks of translatable texts, and the folders that have catalogues for them."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

GAP = re.compile(r"\{([^{}]+)\}")
"""A named gap of a text, as in "{seat} draws {cards}."."""


def fill_gaps(text: str, gaps: Mapping[str, object]) -> str:
    """A text with its named gaps filled once; a gap that nobody fills stays as it is written.

    Unlike `str.format` it knows nothing but names: what a stranger has written can neither reach
    into the values nor make them wider.
    """
    return GAP.sub(lambda gap: str(gaps.get(gap[1], gap[0])), text) if "{" in text else text


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
