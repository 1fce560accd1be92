"""Unicode normalisation in linear time, for texts from other people.

Python sorts the combining marks on one character by insertion sort: 80,000 of them take a minute,
during which no other thread runs. Therefore other modules normalise only through this one.
"""

import unicodedata
from typing import Literal

MAX_MARKS = 30
"""The maximum number of consecutive combining marks. No language uses ten on one character."""
_HIDDEN_MARKS = "\u0f73\u0f75\u0f81\uff9e\uff9f"
"""Characters that aren't combining marks themselves, but become some when normalised."""


class TooManyMarks(ValueError):
    """Raised for a text with more than `MAX_MARKS` combining marks in a row."""

    def __init__(self) -> None:
        super().__init__(f"a character has more than {MAX_MARKS} accents")


def normalise(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str, max_characters: int) -> str:
    """Return the normal form of `text`.

    Input and output are each cut to `max_characters`, because some characters expand to eighteen.

    Raises:
        TooManyMarks: `text` has more than `MAX_MARKS` combining marks in a row.
    """
    text = text[:max_characters]
    check_marks(text)
    return unicodedata.normalize(form, text)[:max_characters]


def check_marks(text: str) -> None:
    """Check that `text` can be normalised in linear time.

    Raises:
        TooManyMarks: `text` has more than `MAX_MARKS` combining marks in a row.
    """
    if text.isascii():
        return
    run = 0
    for sign in text:
        if unicodedata.combining(sign) or sign in _HIDDEN_MARKS:
            run += 1
            if run > MAX_MARKS:
                raise TooManyMarks
        else:
            run = 0
