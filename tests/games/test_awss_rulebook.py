"""The two rulebooks of AWSSterra: complete, and paragraph for paragraph the same."""

import re

import pytest

from tabletop.catalogue import catalogue
from tabletop.language.translation_check import complaints, translated
from tests.games.rulebook_text import LANGUAGES, Book

KIT = catalogue.load("awss")
NUMBERS = (
    *("1", "2", "3", "4", "5", "5.1", "5.2", "5.3", "5.4", "5.5", "6"),
    *("7", "7.1", "7.2", "7.3", "7.4", "7.5", "7.6"),
    *("8", "8.1", "8.2", "8.3", "8.4", "8.5", "8.6", "8.7", "9", "10", "11"),
)
RULINGS = [f"A{n}" for n in range(1, 31)]
STATED = {"A2", "A4", "A28", "A30"}  # in the original's own words
READING = {"en": r"Our reading \({}\): \S", "ja": r"本ソフトでの解釈（{}）：\S"}
NOTE = {"en": r"Note \({}\): \S", "ja": r"補足（{}）：\S"}
CODE = {"en": r"^(?:Our reading|Note) \((A\d+)\)", "ja": r"^(?:本ソフトでの解釈|補足)（(A\d+)）"}

BOOK = Book("awss")
text = BOOK.text
headings = BOOK.headings
numbers = BOOK.numbers
paragraphs = BOOK.paragraphs


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_paragraph_has_its_heading_and_is_not_empty(language: str) -> None:
    assert tuple(numbers(language)) == NUMBERS
    assert len(headings(language)) == len(NUMBERS) + 2  # title, game in a minute
    assert all(body.strip() for number, body in paragraphs(language).items() if number != "8")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ruling", RULINGS)
def test_every_ruling_opens_one_line_that_says_whose_word_it_is(language: str, ruling: str) -> None:
    form = (NOTE if ruling in STATED else READING)[language].format(ruling)
    assert len(re.findall(f"^{form}", text(language), re.MULTILINE)) == 1


def test_a_ruling_stands_in_the_same_paragraph_in_both_languages() -> None:
    def places(language: str) -> dict[str, list[str]]:
        return {
            number: sorted(re.findall(CODE[language], body, re.MULTILINE))
            for number, body in paragraphs(language).items()
        }

    assert places("en") == places("ja")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_are_those_the_rules_are_tested_with(language: str) -> None:
    body = paragraphs(language)
    assert "17 − 2 = **15" in body["7.2"]
    names = {
        "en": ("Horsetail Squirrel", "Meadow Rabbit", "Canola Sheep"),
        "ja": ("ツクシリス", "ワカクサウサギ", "ナノハナヒツジ"),
    }
    assert all(name in body["8.2"] for name in names[language])


def test_every_paragraph_that_is_named_exists() -> None:
    named = set(re.findall(r'paragraph = "([\d.]+)"', KIT.text("cards.toml")))
    named |= {ask.paragraph for ask in KIT.words.asks.values()}
    named |= set(re.findall(r', "(\d(?:\.\d)?)"\)', KIT.text("rules.py")))
    assert named <= set(NUMBERS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_credit_names_the_author(language: str) -> None:
    assert all(
        name in paragraphs(language)["11"] for name in ("なびるな", "十月十日+十人十色", "2023")
    )


def test_nothing_is_left_untranslated() -> None:
    assert not [line for line in complaints("ja") if "games/awss" in line]


@pytest.mark.parametrize("language", LANGUAGES)
def test_paragraph_10_names_every_option(language: str) -> None:
    known = translated(KIT.folder, "ja")
    for option in KIT.box.options:
        label = option.label if language == "en" else known[option.label]
        assert f"**{label}**" in paragraphs(language)["10"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_swap_that_meets_two_wards_shows_both(language: str) -> None:
    said = {"en": "two hidden cards which cannot be moved turns both up", "ja": "2枚とも公開します"}
    assert said[language] in paragraphs(language)["7.3"]
