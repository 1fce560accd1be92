"""Unicode normalisation in linear time, for text of strangers.

Python sorts the combining marks on one character by insertion: 80,000 of them take a minute, in
which no other thread runs. Other modules normalise only through this one.
"""

import unicodedata
from typing import Literal

MAX_MARKS = 30
"""Combining marks in a row. No language stacks ten on a character."""
_HIDDEN_MARKS = "\u0f73\u0f75\u0f81\uff9e\uff9f"
"""Characters that aren't combining marks, but whose normal form is."""


class TooManyMarks(ValueError):
    """A text with more than `MAX_MARKS` combining marks in a row."""

    def __init__(self) -> None:
        super().__init__(f"a character has more than {MAX_MARKS} accents")


def normalise(form: Literal["NFC", "NFKC", "NFKD"], text: str, max_characters: int) -> str:
    """Return the normal form of `text`, which is cut to `max_characters`, the limit of its field,
    before and after: some characters become eighteen.

    Raises:
        TooManyMarks: they include more combining marks in a row than any language writes.
    """
    text = text[:max_characters]
    check_marks(text)
    return unicodedata.normalize(form, text)[:max_characters]


def check_marks(text: str) -> None:
    """Check that the combining marks in `text` can be normalised.

    Raises:
        TooManyMarks: there are more in a row than any language writes.
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
