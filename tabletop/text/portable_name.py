"""File names that are valid on every system and hidden on none."""

import re
from os.path import splitext

LONGEST = 80
"""The maximum length of a portable name in characters."""
_FORBIDDEN = re.compile(r'[\\/:*?"<>|]')
"""Characters that Windows forbids in names."""
_DEVICE = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\..*)?", re.IGNORECASE
)
"""Device names of Windows, with any extension."""


def is_portable(name: str) -> bool:
    """Return whether `name` is a valid file name on every system."""
    return (
        0 < len(name) <= LONGEST
        and name.isprintable()
        and not _FORBIDDEN.search(name)
        and name == name.strip(" .")
        and not _DEVICE.fullmatch(name)
    )


def make_portable(name: str) -> str:
    """Return a valid file name similar to `name`."""
    signs = (sign if sign.isprintable() else " " for sign in _FORBIDDEN.sub(" ", name))
    stem, ending = splitext(" ".join("".join(signs).split()).strip(" ."))
    made = stem[: LONGEST - 1 - len(ending)].rstrip(" .") + ending
    return made if is_portable(made) else f"_{made}"
