"""Japanese text wrapped between phrases, never within a word."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

import budoux
from PySide6.QtGui import QAccessible

JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
JOINT = re.compile(r"(?<=\S)(?=\S)")
"""Between two characters of a phrase, neither of which is a space."""
PART = re.compile(r"(?<=[・／：、\s])|(?<=\d[枚個回点人])(?=[\u4e00-\u9fff])")
"""Between two parts of a phrase: after a separator, and after a number of things before a verb."""
JOINER = "\u2060"
"""U+2060, at which no line is broken, and which nothing shows."""
UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
"""A letter of a script that parts no words by spaces, such as Thai."""
SPACED = re.compile(r"\S+\s*|\s+")
LONGEST = 8
"""Characters of a phrase that is kept whole; a longer one may find no room in a line."""
WORD = re.compile(r"[^\u3041-\u309f]+[\u3041-\u309f]*|[\u3041-\u309f]+")
"""A word with the kana that belong to it: what is kept whole of a longer phrase."""


def read_by_phrases(text: str) -> str:
    """The same for a text whose letters a screen reader takes as they are: where one listens, it
    would read a joined word letter by letter."""
    return text if QAccessible.isActive() else by_phrases(text)


@lru_cache(2_000)
def by_phrases(text: str) -> str:
    """The text with the characters of each Japanese phrase joined, for what wraps it."""
    if not JAPANESE.search(text):
        return text
    return "".join(
        JOINT.sub(JOINER, word) if len(word) <= LONGEST else word
        for line in text.splitlines(keepends=True)
        for word in _pieces_of_japanese(line)
    )


def pieces(line: str) -> list[str]:
    """The parts of a line of text between which it may be broken: phrases in Japanese, words where
    they are parted by spaces, in other scripts without spaces every letter."""
    if JAPANESE.search(line):
        return list(_pieces_of_japanese(line))
    if UNSPACED.search(line) and " " not in line:
        return list(line)
    return SPACED.findall(line)


def _pieces_of_japanese(line: str) -> Iterator[str]:
    for phrase in _parser().parse(line):
        for part in PART.split(phrase):
            yield from [part] if len(part) <= LONGEST else WORD.findall(part)


@cache
def _parser() -> budoux.Parser:
    return budoux.load_default_japanese_parser()
