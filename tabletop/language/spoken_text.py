"""Texts for screen readers, in which words replace symbols."""

import re

from tabletop.language.words import Words
from tabletop.text.phrases import phrase

SIGNS = {
    "×": phrase("times"),
    "−": phrase("minus"),
    "＋": phrase("plus"),
    "=": phrase("equals"),
    "→": phrase("becomes"),
}
"""The words for the program's symbols. Games add words for theirs."""
COMPARISON = re.compile(r"(\d+) ?([≥≧<]) ?(\d+)")
AT_LEAST = phrase("{a} is at least {b}")
COMPARISONS = {"≥": AT_LEAST, "≧": AT_LEAST, "<": phrase("{a} is less than {b}")}
"""The words for comparison signs between two numbers. In Japanese they follow both numbers."""
PLUS_SIGN = re.compile(r"(?<![A-Za-z])\+(?= ?\d)|(?<= )\+(?= )")
"""Matches a plus sign in arithmetic, as opposed to one in a keyboard shortcut."""
MINUS_SIGN = re.compile(r"(?<![\w-])-(?=\d)")
DECORATION = re.compile("[●◆▲■◎✦❋★✓⚠※▸▾]")
"""Matches decorative symbols. They aren't read out unless the game has a word for them."""
SUPERFLUOUS_SPACES = re.compile(r" +(?=[,.:;)]|$)|^ +|(?<=\() +| (?= )")


def to_spoken_text(text: str, words: Words) -> str:
    """Return `text` with its symbols replaced by words."""
    apart = words("{word} {value}", word="", value="")
    signs = {**SIGNS, **words.signs}
    text = MINUS_SIGN.sub("−", PLUS_SIGN.sub("＋", text))
    text = COMPARISON.sub(lambda found: words(COMPARISONS[found[2]], a=found[1], b=found[3]), text)
    if not DECORATION.search(text) and not any(sign in text for sign in (*signs, "·")):
        return text
    text = text.replace(" · ", " ")
    for sign in sorted(signs, key=len, reverse=True):
        around = " ?" if sign in SIGNS and not apart else ""
        word = f"{apart}{words(signs[sign])}{apart}"
        text = re.sub(f"{around}{re.escape(sign)}{around}", word, text)
    return SUPERFLUOUS_SPACES.sub("", DECORATION.sub("", text))
