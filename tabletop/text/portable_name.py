"""Names that a file can have on every system, hidden on none."""

import re
from os.path import splitext

LONGEST = 80
"""Characters of such a name."""
_FORBIDDEN = re.compile(r'[\\/:*?"<>|]')
"""Characters that no name has on Windows."""
_DEVICE = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\..*)?", re.IGNORECASE
)
"""Devices of Windows, with any ending."""


def is_portable(name: str) -> bool:
    """Whether a file or a folder can have this name on every system."""
    return (
        0 < len(name) <= LONGEST
        and name.isprintable()
        and not _FORBIDDEN.search(name)
        and name == name.strip(" .")
        and not _DEVICE.fullmatch(name)
    )


def make_portable(name: str) -> str:
    """A name like this one that a file can have everywhere."""
    signs = (sign if sign.isprintable() else " " for sign in _FORBIDDEN.sub(" ", name))
    stem, ending = splitext(" ".join("".join(signs).split()).strip(" ."))
    made = stem[: LONGEST - 1 - len(ending)].rstrip(" .") + ending
    return made if is_portable(made) else f"_{made}"
