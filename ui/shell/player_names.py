"""What a player may be called: plain text, not too long, not empty, nobody twice."""

import unicodedata
from collections.abc import Sequence

from tabletop.phrases import phrase
from tabletop.words import Words

LONGEST = 24
"""Most characters of a name."""


def plain(text: str) -> str:
    """The text as a name: no control or invisible characters, no spaces at the ends or in rows."""
    kept = "".join(
        " " if unicodedata.category(sign)[0] == "Z" else sign
        for sign in unicodedata.normalize("NFC", text)
        if unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Co", "Cn") or sign in "\t\n"
    )
    return " ".join(kept.split())[:LONGEST].strip()


def same(one: str, other: str) -> bool:
    """Whether two names would be read as one."""
    return _read(one) == _read(other)


def fault(names: Sequence[str]) -> str:
    """What is wrong with these names, as an English sentence; empty where all is well."""
    if not all(plain(name) for name in names):
        return phrase("Everybody needs a name.")
    read = [_read(name) for name in names]
    if len(set(read)) < len(read):
        return phrase("Two players have the same name.")
    return ""


def fresh(wish: str, taken: Sequence[str]) -> str:
    """The wished name, with a number where somebody has it already."""
    name, number = wish, 1
    while any(same(name, other) for other in taken):
        number += 1
        name = f"{wish} {number}"
    return name


def proposed(words: Words, number: int, taken: Sequence[str], last: Sequence[str] = ()) -> str:
    """A name that nobody has for the player of this number, the first being 0: the one of last
    time, or else "Player n"."""
    wish = last[number] if number < len(last) else words("Player {n}", n=number + 1)
    return fresh(wish, taken)


def _read(name: str) -> str:
    return unicodedata.normalize("NFKC", plain(name)).casefold()
