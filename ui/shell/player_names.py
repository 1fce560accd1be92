"""Validation and defaults of player names: plain text, limited length, no duplicates."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

from tabletop.bots.personas import Persona, persona_of
from tabletop.language.languages import LANGUAGES
from tabletop.language.words import Words
from tabletop.text.normalisation import TooManyMarks, normalise
from tabletop.text.phrases import phrase

LONGEST = 24
_MAX_TYPED_CHARACTERS = 8 * LONGEST
"""The length to which entered text is cut before it is normalised."""


def clean_name(text: str) -> str:
    """Return `text` as a valid name: trimmed, without control or invisible characters.

    Returns "" if `text` stacks more marks on a character than any language writes.
    """
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
    """Return whether two names differ only in case or in equivalent characters."""
    return _read(one) == _read(other)


def fault(names: Sequence[str]) -> str:
    """Return the error in `names` as an English sentence; "" if they are valid."""
    if not all(clean_name(name) for name in names):
        return phrase("Everyone needs a name.")
    read = [_read(name) for name in names]
    if len(set(read)) < len(read):
        return phrase("Two players have the same name.")
    return ""


def unused_name(words: Words, wish: str, taken: Sequence[str]) -> str:
    """Return `wish`, with a number appended if one of the `taken` names reads the same."""
    name, number = wish, 1
    while any(reads_same(name, other) for other in taken):
        number += 1
        end = words("{name} {number}", name="", number=number)
        name = clean_name(wish)[: LONGEST - len(end)].rstrip() + end
    return name


def propose_name(words: Words, number: int, taken: Sequence[str], last: Sequence[str] = ()) -> str:
    """Return an unused name for a player: one from the last match, or else "Player n".

    `number`: the player's index, from 0. `last`: the names of the last match, which may include
    bots
    after the first.
    """
    chosen = [
        "" if is_given(name) or (place > 0 and persona(name)) else clean_name(name)
        for place, name in enumerate(last)
    ]
    free = (name for name in chosen if name and not any(reads_same(name, other) for other in taken))
    own = chosen[number] if number < len(chosen) else ""
    return next(free, None) or unused_name(words, own or words("Player {n}", n=number + 1), taken)


def is_given(name: str) -> bool:
    """Return whether the program gave the name ("Player n"), in any language."""
    return _given_number(name) is not None


def translate_given(words: Words, name: str, bot: bool = False) -> str:
    """Return a name given by the program in the language of `words`; return any other name
    unchanged.
    """
    if not bot:
        number = _given_number(name)
        return name if number is None else words("Player {n}", n=number)
    called = persona(name)
    return words(called.name) if called else name


def in_all_languages(name: str) -> tuple[str, ...]:
    """Return the variants of a player's name in all languages, without duplicates."""
    return tuple(dict.fromkeys(translate_given(Words(language), name) for language in LANGUAGES))


def persona(name: str) -> Persona | None:
    """Return the bot persona that has this name in any language; None if there is none."""
    met = (persona_of(name, Words(language)) for language in LANGUAGES)
    return next((each for each in met if each is not None), None)


def _given_number(name: str) -> int | None:
    """Return n if the name is "Player n" in any language; else None."""
    read = _read(name)
    if not any(map(str.isdecimal, read)):
        return None
    match = next(
        (fit for each in LANGUAGES if (fit := _default_name_pattern(each).fullmatch(read))), None
    )
    return int(match[1]) if match else None


@cache
def _default_name_pattern(language: str) -> re.Pattern[str]:
    """Return the pattern of "Player n" in `language`."""
    gap = "0"
    text = _read(Words(language)("Player {n}", n=gap))
    return re.compile(re.escape(text).replace(gap, r"(\d{1,2})"))


def _read(name: str) -> str:
    return normalise("NFKC", clean_name(name), LONGEST).casefold()
