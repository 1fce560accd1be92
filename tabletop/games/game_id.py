"""Ids of games outside the package."""

import re
from zlib import crc32

from tabletop.text.normalisation import TooManyMarks, normalise
from tabletop.text.portable_name import is_portable

LONGEST_ID = 40
_MAX_TITLE_CHARACTERS = 1_000
"""Characters of a title that its id is made from."""
DIGITS = 12
"""The digits of a digest in texts and in the id of a received game."""
_ID = re.compile(rf"\w{{1,60}}(-[0-9a-f]{{{DIGITS}}})?", re.ASCII)


def is_id(text: str) -> bool:
    """Whether this could be the id of a game, received ones included."""
    return _ID.fullmatch(text) is not None


def as_id(text: str) -> str:
    """A title or a folder's name as an id: "Café Noir" is "cafe_noir"; a name without Latin letters
    gets a number."""
    try:
        plain = normalise("NFKD", text, _MAX_TITLE_CHARACTERS)
    except TooManyMarks:
        plain = ""
    plain = plain.encode("ascii", "ignore").decode().lower()
    made = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:LONGEST_ID].rstrip("_")
    if not made or (len(made) < 3 and not text.isascii()):
        return f"game_{crc32(text.encode('utf-8', 'surrogatepass')):08x}"
    return made if made[0].isalpha() and is_portable(made) else f"game_{made}"
