"""Ids of games outside the package."""

import re
import unicodedata
from zlib import crc32

from tabletop.text.portable_name import is_portable

LONGEST_ID = 40
DIGITS = 12
"""Of a digest, as they are told to people, and stand in the id of a received game."""
_ID = re.compile(rf"\w{{1,60}}(-[0-9a-f]{{{DIGITS}}})?", re.ASCII)


def is_id(text: str) -> bool:
    """Whether a game could be known by this, received ones included."""
    return _ID.fullmatch(text) is not None


def as_id(text: str) -> str:
    """A title or a folder's name as an id: "Café Noir" is "cafe_noir"; of one without Latin letters
    a number stands for it."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    made = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:LONGEST_ID].rstrip("_")
    if not made or (len(made) < 3 and not text.isascii()):
        return f"game_{crc32(text.encode()):08x}"
    return made if made[0].isalpha() and is_portable(made) else f"game_{made}"
