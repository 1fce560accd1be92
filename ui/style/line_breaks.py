"""Prepares Japanese text so that lines break between phrases, never within a word."""

import re
from functools import lru_cache

from PySide6.QtGui import QAccessible, QFontMetrics

JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
INSIDE_WORD = re.compile(r"(?<=\S)(?=\S)")
"""Matches the position between two characters that aren't spaces."""
FORMULA = re.compile(r"[\w()]{1,8}(?:[×−+＝][\w()]{1,8}){1,4}")
WORD_JOINER = "\u2060"
"""U+2060, an invisible character that prevents a line break."""
UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
"""Matches a character of a script that doesn't separate words by spaces, such as Thai."""
SPACED = re.compile(r"\S+\s*|\s+")
LONG_WORD = r"[^\s\u2060\u3040-\u30ff\u4e00-\u9fff]{16,}"
"""Pattern for a word that may be wider than a column, such as a player's name. It is compiled on
first use, because compiling takes milliseconds.
"""
ZERO_WIDTH_SPACE = "\u200b"
"""U+200B, an invisible character that allows a line break."""


def bind_phrases_unless_read(text: str) -> str:
    """Return the result of `bind_phrases`, or `text` unchanged while a screen reader is active.

    A screen reader would spell out joined words letter by letter.
    """
    return text if QAccessible.isActive() else bind_phrases(text)


@lru_cache(2_000)
def bind_phrases(text: str) -> str:
    """Return `text` with word joiners within each Japanese phrase, for a widget that wraps it."""
    if not JAPANESE.search(text):
        return _join_formulas(text)
    from ui.style import japanese_phrases

    return japanese_phrases.join_phrases(text, bind_characters)


def wrap_for_column(text: str) -> str:
    """Return the result of `bind_phrases` with long
    words breakable anywhere, for a narrow column.
    """
    return re.sub(LONG_WORD, lambda found: ZERO_WIDTH_SPACE.join(found[0]), bind_phrases(text))


def wrap_for_width(text: str, metrics: QFontMetrics, width: int) -> str:
    """Return the result of `bind_phrases` with the words
    breakable anywhere that are wider than `width` pixels.
    """

    def break_wide_word(found: re.Match[str]) -> str:
        is_wide = metrics.horizontalAdvance(found[0]) > width
        return ZERO_WIDTH_SPACE.join(found[0]) if is_wide else found[0]

    return re.sub(LONG_WORD, break_wide_word, bind_phrases(text))


@lru_cache(200)
def bind_words(text: str) -> str:
    """Return `text` with word joiners within each
    Japanese word, so that lines get a similar length.
    """
    if not JAPANESE.search(text):
        return _join_formulas(text)
    from ui.style import japanese_phrases

    return japanese_phrases.join_words(text, bind_characters)


def bind_line(text: str) -> str:
    """Return `text` joined so that it never breaks, without loading the phrase model."""
    return bind_characters(text) if JAPANESE.search(text) else _join_formulas(text)


def bind_characters(part: str) -> str:
    """Return `part` with a word joiner between any
    two characters, so that no line breaks within it.
    """
    return INSIDE_WORD.sub(WORD_JOINER, part)


def _join_formulas(text: str) -> str:
    return FORMULA.sub(lambda found: bind_characters(found[0]), text)


def split_breakable(line: str) -> list[str]:
    """Return the parts of a line between which it may break.

    They are phrases in Japanese, words in scripts with spaces, and single characters otherwise.
    """
    if JAPANESE.search(line):
        from ui.style import japanese_phrases

        return list(japanese_phrases.split_phrases(line))
    if UNSPACED.search(line) and " " not in line:
        return list(line)
    return SPACED.findall(line)


def split_words(line: str) -> list[str]:
    """Like `split_breakable`, but split Japanese text into words instead of phrases."""
    if not JAPANESE.search(line):
        return split_breakable(line)
    from ui.style import japanese_phrases

    return list(japanese_phrases.split_words(line))
