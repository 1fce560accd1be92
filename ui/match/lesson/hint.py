"""A hint as its reader sees it."""

from msgspec import Struct

from tabletop.match.tutorial import Spoken


class Hint(Struct, frozen=True):
    """The advised move, and how the second best compares."""

    text: str
    """The move and its reason, as sentences."""
    second: str = ""
    """The second best move, and how much less it is worth; empty where only one is known."""
    spoken: Spoken = Spoken()
    """What it is about."""
