"""Marks in the texts of cards: `**bold**`, and `:coin:` for an icon."""

import re

ICONS = (
    *("bell", "cloud", "coin", "crane", "crown", "drop", "fan", "fish", "flame", "flower", "gem"),
    *("heart", "key", "leaf", "moon", "mountain", "shield", "star", "sun", "sword", "tree", "wave"),
)
"""The icons that a text may name; `assets/common/parts.svg` draws them."""
MARK = re.compile(r"\*\*(?P<bold>[^\n]+?)\*\*|:(?P<icon>" + "|".join(ICONS) + r"):")


def without_marks(text: str) -> str:
    """A text without marks, an icon as its name, for who reads it or has it read."""
    return MARK.sub(
        lambda found: without_marks(found["bold"]) if found["bold"] else found["icon"], text
    )
