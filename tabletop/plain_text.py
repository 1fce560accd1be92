"""Texts of other people, made harmless before anybody reads them."""

import re
import unicodedata

LONGEST_NAME = 40

_SPACES = re.compile(r"\s+")


def plain(text: str, longest: int = LONGEST_NAME) -> str:
    """A text of somebody else's, harmless: one line, no controls, nothing that turns the writing
    direction, not too long."""
    shown = _SPACES.sub(" ", text[: longest * 8])  # megabytes are not looked through
    shown = "".join(sign for sign in shown if unicodedata.category(sign) not in _HIDDEN)
    return shown.strip()[:longest].rstrip()


_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
