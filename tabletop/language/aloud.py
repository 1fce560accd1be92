"""Texts as they are read out: signs as words."""

import re

from tabletop.language.words import Words, phrase

SIGNS = {
    "×": phrase("times"),
    "−": phrase("minus"),
    "=": phrase("equals"),
    "≥": phrase("is at least"),
    "≧": phrase("is at least"),
    "<": phrase("is less than"),
    "→": phrase("becomes"),
}
"""The words for signs of the program; a game has words for its own."""
BARE = re.compile("[●◆▲■◎✦❋★✓⚠※▸▾]")
"""Signs that only mark a word: without one of their own they are not read."""
SPACES = re.compile(r" +(?=[,.:;)]|$)|^ +|(?<=\() +| (?= )")


def aloud(text: str, words: Words) -> str:
    """The text, with words for its signs."""
    apart = words("{word} {value}", word="", value="")
    signs = {**SIGNS, **words.signs}
    if not BARE.search(text) and not any(sign in text for sign in (*signs, "·")):
        return text
    text = text.replace(" · ", " ")
    for sign in sorted(signs, key=len, reverse=True):
        text = text.replace(sign, f"{apart}{words(signs[sign])}{apart}")
    return SPACES.sub("", BARE.sub("", text))
