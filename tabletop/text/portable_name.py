"""File names that are valid on every system and aren't hidden on any."""

import re
from os.path import splitext

MAX_FILE_NAME_CHARS = 80
"""The maximum length of a portable name in characters."""
_FORBIDDEN_CHARS = re.compile(r'[\\/:*?"<>|]')
"""Characters that Windows forbids in names."""
_DEVICE_NAME = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\..*)?", re.IGNORECASE
)
"""Matches device names of Windows, with any extension."""


def is_portable(name: str) -> bool:
    """Return whether `name` is a valid file name on every system."""
    return (
        0 < len(name) <= MAX_FILE_NAME_CHARS
        and name.isprintable()
        and not _FORBIDDEN_CHARS.search(name)
        and name == name.strip(" .")
        and not _DEVICE_NAME.fullmatch(name)
    )


def make_portable(name: str) -> str:
    """Return a valid file name similar to `name`."""
    signs = (sign if sign.isprintable() else " " for sign in _FORBIDDEN_CHARS.sub(" ", name))
    stem, ending = splitext(" ".join("".join(signs).split()).strip(" ."))
    made = stem[: MAX_FILE_NAME_CHARS - 1 - len(ending)].rstrip(" .") + ending
    return made if is_portable(made) else f"_{made}"
