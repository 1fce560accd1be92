"""The translations of a folder: its ja.po, read with Babel."""

import re
from importlib.resources.abc import Traversable

from babel.messages.pofile import PoFileError, read_po

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


def _translations(file: Traversable) -> dict[str, str]:
    try:
        with file.open("rb") as stream:
            catalogue = read_po(stream, ignore_obsolete=True, abort_invalid=True)
    except (PoFileError, ValueError) as error:
        raise BrokenCatalogue(f"{file} is no po file that can be read: {error}") from error
    return {
        str(message.id): str(message.string)
        for message in catalogue
        if message.id and message.string and not message.fuzzy
    }
