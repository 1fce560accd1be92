"""Quick phrases and emotes, which each reader sees in their own language.

A quick phrase is a chat message with the text in the sender's language and the phrase's name.
Programs that don't support quick phrases ignore the name and show the text.
"""

from collections.abc import Callable

from tabletop.text.phrases import phrase

EMOTES = {
    "glad": "(^_^)",
    "hurrah": "\\(^o^)/",
    "wonder": "(・_・?)",
    "ouch": "(>_<)",
}
"""Emotes by name, the same in every language."""
PHRASES = {
    "thanks": phrase("Thank you!"),
    "well_played": phrase("Well played!"),
    "moment": phrase("One moment, please."),
    "again": phrase("Shall we play again?"),
}
"""Quick phrases by name, in English."""


def known_quick_word(name: str) -> str:
    """Return `name` if a quick phrase or an emote has that name; "" otherwise."""
    return name if name in EMOTES or name in PHRASES else ""


def quick_text(name: str, translate: Callable[[str], str]) -> str:
    """Return the text of a quick phrase or an emote; "" if there is none called `name`."""
    return EMOTES.get(name) or (translate(PHRASES[name]) if name in PHRASES else "")
