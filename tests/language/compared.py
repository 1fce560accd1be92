"""Numbers and absolute words that a lesson or a paragraph of a rulebook has in one language alone:

    python3 -m tests.language.compared [GAME]…

A reader judges each: a translation may say "both" for 2人とも, or leave "only" to the word order.
Those that were read and found right are in compared.txt, made by this program; a new one isn't.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tabletop.catalogue import catalogue
from tabletop.match import tutorial
from tabletop.studio.translation.translation_check import translated_texts
from tabletop.text.phrases import PROGRAM_FOLDER
from tests.games.rulebook_text import Book

ENGLISH: Mapping[str, str] = {
    "only": r"\b(only|alone|just|nothing but)\b",
    "must": r"\b(must|has to|have to|always|never)\b",
    "all": r"\b(all|every|each|whole|everyone|everybody)\b",
    "once": r"\bonce\b",
}
JAPANESE: Mapping[str, str] = {
    "only": r"だけ|のみ|しか|ひとり|ただ1",
    "must": r"必ず|なければなりません|しかありません|いつも|決して|常に|ちょうど",
    "all": r"すべて|全員|全部|どの|毎|ごと|ずつ|それぞれ|各|何でも|いつでも",
    "once": r"1回|1度|一度",
}
"""Absolute words by their meaning, as expressions."""
SPELT = {
    word: number
    for number, word in enumerate(
        (
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ),
        2,
    )
}
_SPELT = re.compile(rf"\b({'|'.join(SPELT)})\b", re.IGNORECASE)
ACCEPTED = Path(__file__).with_name("compared.txt")
"""The differences that a reader has accepted."""
_NUMBER = re.compile(r"\d+")


def numbers(text: str, language: str) -> Counter[int]:
    """The numbers of a text; 1 is in no comparison, since "a" says it as well."""
    if language == "en":
        text = _SPELT.sub(lambda found: str(SPELT[found[0].lower()]), text)
    found = Counter(map(int, _NUMBER.findall(text)))
    del found[1]
    return found


def differences(english: str, japanese: str) -> Iterator[str]:
    """Numbers and absolute words that one of two texts has alone, a line for each."""
    ours, theirs = numbers(english, "en"), numbers(japanese, "ja")
    for language, missing in (("ja", ours.keys() - theirs.keys()), ("en", theirs.keys() - ours)):
        if missing:
            yield f"not in {language}: {', '.join(map(str, sorted(missing)))}"
    for meaning, words in ENGLISH.items():
        said = (
            bool(re.search(words, english, re.IGNORECASE)),
            bool(re.search(JAPANESE[meaning], japanese)),
        )
        if said[0] != said[1]:
            yield f'"{meaning}" in {"en" if said[0] else "ja"} alone'


def compared(game: str) -> Iterator[str]:
    """A line for each difference between the languages of a game's lessons and rulebook."""
    kit, known = catalogue.load(game), translated_texts(PROGRAM_FOLDER / "games" / game, "ja")
    first = tutorial.load_first_game(kit)
    for lesson in first.lesson if first is not None else ():
        for each in differences(lesson.text, known.get(lesson.text, "")):
            yield f'{game}, lesson "{lesson.text[:40]}…": {each}'
    english, japanese = (Book(game).paragraphs(language) for language in ("en", "ja"))
    for number, text in english.items():
        for each in differences(text, japanese.get(number, "")):
            yield f"{game}, rulebook {number}: {each}"


def main(games: Sequence[str]) -> int:
    """Print the differences for a reader."""
    for game in games or [kit.id for kit in catalogue.shelf() if not kit.is_draft]:
        for line in compared(game):
            print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
