"""Marking and filling of translatable texts."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

GAP = re.compile(r"\{([^{}]+)\}")
"""A named gap in a text, as in "{seat} draws {cards}"."""


def fill_gaps(text: str, gaps: Mapping[str, object]) -> str:
    """Return `text` with its gaps filled from `gaps`; gaps without a value stay as written.

    Unlike `str.format`, it supports only names, so texts by other people can't access attributes or
    pad values.
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
    """Return the parts of `text`: literal text and gap names, alternately."""
    return tuple(GAP.split(text))


def phrase(text: str) -> str:
    """Return `text` unchanged, marking it as translatable for the translation check.

    Use it for texts that are translated later, as in a tuple of menu labels: `phrase("Open save")`.
    """
    return text


# Folders

PROGRAM_FOLDER = Path(__file__).parents[1]


@cache
def ui_folders() -> tuple[Path, ...]:
    """Return the folder of the window's package if it is installed, without importing it."""
    spec = find_spec("ui")
    return tuple(Path(place) for place in (spec and spec.submodule_search_locations) or ())
