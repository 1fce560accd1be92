"""Quick phrases of a shared table, which each player reads in their own language.

A quick word is sent as a line of chat whose text is the speaker's, with its name beside it. A
program that knows no quick words, host or guest, leaves the name out: then it is a line of chat.
"""

from collections.abc import Callable

from tabletop.text.phrases import phrase

EMOTES = {
    "glad": "(^_^)",
    "hurrah": "\\(^o^)/",
    "wonder": "(・_・?)",
    "ouch": "(>_<)",
}
"""Faces, the same in every language."""
PHRASES = {
    "thanks": phrase("Thank you!"),
    "well_played": phrase("Well played!"),
    "moment": phrase("One moment, please."),
    "again": phrase("Shall we play again?"),
}


def known_quick_word(name: str) -> str:
    """The name if there is such a quick word, else ""."""
    return name if name in EMOTES or name in PHRASES else ""


def quick_text(name: str, translate: Callable[[str], str]) -> str:
    """The text of a quick word; "" for an unknown name."""
    return EMOTES.get(name) or (translate(PHRASES[name]) if name in PHRASES else "")
