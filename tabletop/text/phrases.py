"""Functions that mark translatable texts and fill their placeholders."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

GAP = re.compile(r"\{([^{}]+)\}")
"""Matches a named placeholder in a text such as "{seat} draws {cards}"."""


def fill_gaps(text: str, gaps: Mapping[str, object]) -> str:
    """Return `text` with its placeholders replaced by values from `gaps`. Others stay as written.

    Unlike `str.format`, only names are supported, so texts from other people can't access
    attributes or pad values.
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
    """Return the parts of `text`, alternating between literal text and placeholder names."""
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
    """Return a tuple with the folder of the window's package, or () if it isn't installed.

    The package isn't imported.
    """
    spec = find_spec("ui")
    return tuple(Path(place) for place in (spec and spec.submodule_search_locations) or ())
