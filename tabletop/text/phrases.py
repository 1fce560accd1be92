"""The marks of texts that are translated, and what a ja.po makes of them."""

import re
from functools import cache
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path

from tabletop.text.po_file import NoPoFile, read_po

GAP = re.compile(r"\{([^{}]+)\}")
"""A named gap of a text, as in "{seat} draws {cards}."."""


class BrokenCatalogue(Exception):
    """A ja.po that cannot be read; says which, and where."""


def phrase(text: str) -> str:
    """The text itself: marks one that is translated later, where no call that translates shows it.

    A menu kept as a tuple of labels writes `phrase("Open save")`; the check then asks for its
    translation.
    """
    return text


# Translations

_read: dict[str, dict[str, str]] = {}


def translations(file: Traversable) -> dict[str, str]:
    """What each English text is in the language of this po file; nothing where it is missing.

    A file is read once and kept.

    Raises:
        BrokenCatalogue: the file is no po file.
    """
    if str(file) not in _read:
        _read[str(file)] = _translations(file) if file.is_file() else {}
    return _read[str(file)]


def forget(file: Traversable) -> None:
    """Read this po file anew when it is next wanted."""
    _read.pop(str(file), None)


def _translations(file: Traversable) -> dict[str, str]:
    try:
        return read_po(file.read_bytes())
    except NoPoFile as error:
        raise BrokenCatalogue(f"{file} is no po file that can be read: {error}") from error


# Folders

HOME = Path(__file__).parents[1]


@cache
def screens() -> tuple[Path, ...]:
    """The folder of the screens, where they are installed; found without running them."""
    spec = find_spec("ui")
    return tuple(Path(place) for place in (spec and spec.submodule_search_locations) or ())
