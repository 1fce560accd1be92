"""Names of players: plain text, not too long, not empty, no duplicates."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

from tabletop.bots.personas import Persona, find_persona
from tabletop.language.languages import LANGUAGES
from tabletop.language.words import Words
from tabletop.text.normalisation import TooManyMarks, normalise
from tabletop.text.phrases import phrase

LONGEST = 24
"""Most characters of a name."""
_MAX_TYPED_CHARACTERS = 8 * LONGEST
"""Characters of a text that are looked at for a name."""


def clean_name(text: str) -> str:
    """The text as a name: no control or invisible characters, no spaces at the ends or in rows.
    It is empty if `text` piles up more marks on a character than any language writes."""
    try:
        composed = normalise("NFC", text, _MAX_TYPED_CHARACTERS)
    except TooManyMarks:
        return ""
    kept = "".join(
        " " if unicodedata.category(sign)[0] == "Z" else sign
        for sign in composed
        if unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Co", "Cn") or sign in "\t\n"
    )
    return " ".join(kept.split())[:LONGEST].strip()


def reads_same(one: str, other: str) -> bool:
    """Whether two names would be read as one."""
    return _read(one) == _read(other)


def fault(names: Sequence[str]) -> str:
    """The error in these names, as an English sentence; empty if there is none."""
    if not all(clean_name(name) for name in names):
        return phrase("Everyone needs a name.")
    read = [_read(name) for name in names]
    if len(set(read)) < len(read):
        return phrase("Two players have the same name.")
    return ""


def unused_name(words: Words, wish: str, taken: Sequence[str]) -> str:
    """The wished name, with a number where somebody has it already."""
    name, number = wish, 1
    while any(reads_same(name, other) for other in taken):
        number += 1
        end = words("{name} {number}", name="", number=number)
        name = clean_name(wish)[: LONGEST - len(end)].rstrip() + end
    return name


def propose_name(words: Words, number: int, taken: Sequence[str], last: Sequence[str] = ()) -> str:
    """A name that nobody has for the player of this number, the first being 0: one that somebody
    chose last time, or else "Player n". After the first name there may be those of bots."""
    chosen = [
        "" if is_given(name) or (place > 0 and persona(name)) else clean_name(name)
        for place, name in enumerate(last)
    ]
    free = (name for name in chosen if name and not any(reads_same(name, other) for other in taken))
    own = chosen[number] if number < len(chosen) else ""
    return next(free, None) or unused_name(words, own or words("Player {n}", n=number + 1), taken)


def is_given(name: str) -> bool:
    """Whether the program gave a person this name, in any language."""
    return _given_number(name) is not None


def translate_given(words: Words, name: str, bot: bool = False) -> str:
    """A name that the program gave, as it is in this language; a chosen one as it is."""
    if not bot:
        number = _given_number(name)
        return name if number is None else words("Player {n}", n=number)
    called = persona(name)
    return words(called.name) if called else name


def in_all_languages(name: str) -> tuple[str, ...]:
    """This person's name in each of the languages."""
    return tuple(dict.fromkeys(translate_given(Words(language), name) for language in LANGUAGES))


def persona(name: str) -> Persona | None:
    """The bot with this name in any language."""
    met = (find_persona(name, Words(language)) for language in LANGUAGES)
    return next((each for each in met if each is not None), None)


def _given_number(name: str) -> int | None:
    """The n of "Player n"; None of a name that somebody chose."""
    read = _read(name)
    if not any(map(str.isdecimal, read)):
        return None
    match = next(
        (fit for each in LANGUAGES if (fit := _default_name_pattern(each).fullmatch(read))), None
    )
    return int(match[1]) if match else None


@cache
def _default_name_pattern(language: str) -> re.Pattern[str]:
    """The pattern of "Player n" in this language, whose texts are read for it."""
    gap = "0"
    text = _read(Words(language)("Player {n}", n=gap))
    return re.compile(re.escape(text).replace(gap, r"(\d{1,2})"))


def _read(name: str) -> str:
    return normalise("NFKC", clean_name(name), LONGEST).casefold()
