"""Player names: validation of length, characters and duplicates, and default names."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

from tabletop.bots.personas import Persona, find_persona
from tabletop.language.languages import LANGUAGES
from tabletop.language.words import Words
from tabletop.text.normalisation import TooManyMarks, normalise
from tabletop.text.phrases import phrase

MAX_LENGTH = 24
_MAX_TYPED_CHARACTERS = 8 * MAX_LENGTH
"""The number of characters to which entered text is cut before it is normalised."""
MAX_PEOPLE = 24
"""Maximum number of remembered people: twice as many as can sit at a table."""


def clean_name(text: str) -> str:
    """Return `text` as a valid name: trimmed, without control or invisible characters.

    Returns "" if `text` stacks more marks on one character than any language does.
    """
    try:
        composed = normalise("NFC", text, _MAX_TYPED_CHARACTERS)
    except TooManyMarks:
        return ""
    cleaned = "".join(
        " " if unicodedata.category(character)[0] == "Z" else character
        for character in composed
        if unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn")
        or character in "\t\n"
    )
    return " ".join(cleaned.split())[:MAX_LENGTH].strip()


def names_match(one: str, other: str) -> bool:
    """Return whether two names are equal, apart from case and equivalent characters."""
    return _normalised(one) == _normalised(other)


def find_name_error(names: Sequence[str]) -> str:
    """Return the error in `names` as an English sentence; "" if they are valid."""
    if not all(clean_name(name) for name in names):
        return phrase("Everyone needs a name.")
    normalised = [_normalised(name) for name in names]
    if len(set(normalised)) < len(normalised):
        return phrase("Two players have the same name.")
    return ""


def unused_name(words: Words, name: str, taken: Sequence[str]) -> str:
    """Return `name`, with a number appended if it matches one of the `taken` names."""
    candidate, number = name, 1
    while any(names_match(candidate, other) for other in taken):
        number += 1
        end = words("{name} {number}", name="", number=number)
        candidate = clean_name(name)[: MAX_LENGTH - len(end)].rstrip() + end
    return candidate


def propose_name(
    words: Words,
    number: int,
    taken: Sequence[str],
    people: Sequence[str] = (),
    remote: Sequence[str] = (),
) -> str:
    """Return an unused name for a player: one of `people`, or else "Player n".

    Bots' names after the first entry of `people` are skipped.

    Args:
        number: the player's index, from 0.
        taken: the names of the other players at this computer.
        people: the names of the people who play here.
        remote: the names of players elsewhere. If they use the names of all `people` who are free,
            the first of these gets a number.
    """
    free = [
        clean_name(name)
        for place, name in enumerate(people)
        if clean_name(name)
        and not is_default_name(name)
        and not (place > 0 and find_persona_in_any_language(name))
        and not any(names_match(name, other) for other in taken)
    ]
    unique = (name for name in free if not any(names_match(name, other) for other in remote))
    own = next(iter(free), words("Player {n}", n=number + 1))
    return next(unique, None) or unused_name(words, own, (*taken, *remote))


def remember_people(
    people: Sequence[str], sitting: Sequence[str], position: int = 0
) -> tuple[str, ...]:
    """Return the list of names `people` with those `sitting` moved to `position`, or added there.

    All others stay in the list, in their order. Matching names belong to the same person, who is
    listed once, as spelled in `sitting`. Beyond `MAX_PEOPLE`, the last names are dropped.
    """
    others = [name for name in people if not any(names_match(name, one) for one in sitting)]
    unique: dict[str, str] = {}
    for name in (*others[:position], *sitting, *others[position:]):
        if normalised := _normalised(name):
            unique.setdefault(normalised, name)
    return tuple(unique.values())[:MAX_PEOPLE]


def is_default_name(name: str) -> bool:
    """Return whether `name` is a default name such as "Player 1", in any language."""
    return _given_number(name) is not None


def translate_default_name(words: Words, name: str, bot: bool = False) -> str:
    """Translate a default name to the language of `words`; return any other name unchanged.

    `bot`: whether the name is a bot's.
    """
    if not bot:
        number = _given_number(name)
        return name if number is None else words("Player {n}", n=number)
    bot_persona = find_persona_in_any_language(name)
    return words(bot_persona.name) if bot_persona else name


def name_variants(name: str) -> tuple[str, ...]:
    """Return the forms of a player's name in all languages, without duplicates."""
    return tuple(
        dict.fromkeys(translate_default_name(Words(language), name) for language in LANGUAGES)
    )


def find_persona_in_any_language(name: str) -> Persona | None:
    """Return the bot persona with this name in any language; None if there is none."""
    found = (find_persona(name, Words(language)) for language in LANGUAGES)
    return next((each for each in found if each is not None), None)


def _given_number(name: str) -> int | None:
    """Return the number in the default name "Player n", in any language; None for other names."""
    normalised = _normalised(name)
    if not any(map(str.isdecimal, normalised)):
        return None
    match = next(
        (fit for each in LANGUAGES if (fit := _default_name_pattern(each).fullmatch(normalised))),
        None,
    )
    return int(match[1]) if match else None


@cache
def _default_name_pattern(language: str) -> re.Pattern[str]:
    """Return the pattern of default names in `language`."""
    placeholder = "0"
    text = _normalised(Words(language)("Player {n}", n=placeholder))
    return re.compile(re.escape(text).replace(placeholder, r"(\d{1,2})"))


def _normalised(name: str) -> str:
    return normalise("NFKC", clean_name(name), MAX_LENGTH).casefold()
