"""IDs of games outside the package."""

import re
from zlib import crc32

from tabletop.text.normalisation import TooManyMarks, normalise
from tabletop.text.portable_name import is_portable

MAX_ID_CHARACTERS = 40
_MAX_TITLE_CHARACTERS = 1_000
"""The maximum number of characters of a title that are used to derive an ID."""
DIGEST_DIGITS = 12
"""The number of hexadecimal digits to which digests are shortened for display and for IDs."""
_ID = re.compile(rf"\w{{1,60}}(-[0-9a-f]{{{DIGEST_DIGITS}}})?", re.ASCII)


def is_game_id(text: str) -> bool:
    """Return whether `text` is a valid game ID. IDs of received games are valid too."""
    return _ID.fullmatch(text) is not None


def make_game_id(text: str) -> str:
    """Return an ID derived from a title or a folder name: "cafe_noir" for "Café Noir".

    The ID for a name without Latin letters contains a checksum.
    """
    try:
        plain = normalise("NFKD", text, _MAX_TITLE_CHARACTERS)
    except TooManyMarks:
        plain = ""
    plain = plain.encode("ascii", "ignore").decode().lower()
    made = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:MAX_ID_CHARACTERS].rstrip("_")
    if not made or (len(made) < 3 and not text.isascii()):
        return f"game_{crc32(text.encode('utf-8', 'surrogatepass')):08x}"
    return made if made[0].isalpha() and is_portable(made) else f"game_{made}"
