"""Japanese text wrapped between phrases, never within a word."""

import re
from functools import lru_cache

from PySide6.QtGui import QAccessible

JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
INSIDE_WORD = re.compile(r"(?<=\S)(?=\S)")
"""Between two characters of a phrase, neither of which is a space."""
FORMULA = re.compile(r"[\w()]{1,8}(?:[×−+＝][\w()]{1,8}){1,4}")
WORD_JOINER = "\u2060"
"""U+2060, at which no line is broken, and which nothing shows."""
UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
"""A letter of a script that parts no words by spaces, such as Thai."""
SPACED = re.compile(r"\S+\s*|\s+")
LONG_WORD = r"[^\s\u2060\u3040-\u30ff\u4e00-\u9fff]{16,}"
"""A word, such as a player's name, for which a column may be too narrow. Not compiled before it is
used: such a set of characters takes milliseconds."""
ZERO_WIDTH_SPACE = "\u200b"
"""U+200B, at which a line may be broken, and which nothing shows."""


def bind_phrases_unless_read(text: str) -> str:
    """The same for a text whose letters a screen reader takes as they are: where one listens, it
    would read a joined word letter by letter."""
    return text if QAccessible.isActive() else bind_phrases(text)


@lru_cache(2_000)
def bind_phrases(text: str) -> str:
    """The text with the characters of each Japanese phrase joined, for what wraps it."""
    if not JAPANESE.search(text):
        return _join_formulas(text)
    from ui.style import japanese_phrases

    return japanese_phrases.join_phrases(text, bind_characters)


def wrap_for_column(text: str) -> str:
    """The same for a narrow column: a word that is longer than its lines is broken at any letter,
    so that nothing of it is cut off."""
    return re.sub(LONG_WORD, lambda found: ZERO_WIDTH_SPACE.join(found[0]), bind_phrases(text))


@lru_cache(200)
def bind_words(text: str) -> str:
    """The same with each Japanese word, for a paragraph whose lines are to be of a length."""
    if not JAPANESE.search(text):
        return _join_formulas(text)
    from ui.style import japanese_phrases

    return japanese_phrases.join_words(text, bind_characters)


def bind_line(text: str) -> str:
    """The text for a place in which it needs one line: Japanese letters stand as in `bind_phrases`,
    whose model isn't loaded for it."""
    return bind_characters(text) if JAPANESE.search(text) else _join_formulas(text)


def bind_characters(part: str) -> str:
    """Return a part of a text, in which no line is broken, with its characters joined."""
    return INSIDE_WORD.sub(WORD_JOINER, part)


def _join_formulas(text: str) -> str:
    return FORMULA.sub(lambda found: bind_characters(found[0]), text)


def split_breakable(line: str) -> list[str]:
    """The parts of a line of text between which it may be broken: phrases in Japanese, words where
    they are parted by spaces, in other scripts without spaces every letter."""
    if JAPANESE.search(line):
        from ui.style import japanese_phrases

        return list(japanese_phrases.split_phrases(line))
    if UNSPACED.search(line) and " " not in line:
        return list(line)
    return SPACED.findall(line)


def split_words(line: str) -> list[str]:
    """The same, of Japanese its words, for short lines that are to be of a length."""
    if not JAPANESE.search(line):
        return split_breakable(line)
    from ui.style import japanese_phrases

    return list(japanese_phrases.split_words(line))
