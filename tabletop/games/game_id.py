"""IDs of games outside the package."""

import re
from zlib import crc32

from tabletop.text.normalisation import TooManyMarks, normalise
from tabletop.text.portable_name import is_portable

MAX_ID_CHARACTERS = 40
_MAX_TITLE_CHARACTERS = 1_000
"""The maximum number of characters of a title that an ID is derived from."""
DIGEST_DIGITS = 12
"""The number of hexadecimal digits of a digest in texts and in the IDs of received games."""
_ID = re.compile(rf"\w{{1,60}}(-[0-9a-f]{{{DIGEST_DIGITS}}})?", re.ASCII)


def is_game_id(text: str) -> bool:
    """Return whether `text` is a valid game ID, including those of received games."""
    return _ID.fullmatch(text) is not None


def make_game_id(text: str) -> str:
    """Return the ID for a title or folder name: "cafe_noir" for "Café Noir".

    A name without Latin letters gets an ID with a checksum.
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
