"""Markup in card texts: `**bold**`, and `:coin:` for an icon."""

import re

ICON_NAMES = (
    *("bell", "cloud", "coin", "crane", "crown", "drop", "fan", "fish", "flame", "flower", "gem"),
    *("heart", "key", "leaf", "moon", "mountain", "shield", "star", "sun", "sword", "tree", "wave"),
)
"""The icons available in texts; `assets/common/parts.svg` draws them."""
MARKUP = re.compile(r"\*\*(?P<bold>[^\n]+?)\*\*|:(?P<icon>" + "|".join(ICON_NAMES) + r"):")


def without_marks(text: str) -> str:
    """Return `text` without markup for readers and screen readers; icons become their names."""
    return MARKUP.sub(
        lambda found: without_marks(found["bold"]) if found["bold"] else found["icon"], text
    )
