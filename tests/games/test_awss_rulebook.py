"""The two rulebooks of AWSSterra: their examples, options and credit."""

import pytest

from tabletop.catalogue import catalogue
from tabletop.language.translation_check import translated
from tests.games.rulebook_text import LANGUAGES, Book

KIT = catalogue.load("awss")
paragraphs = Book("awss").paragraphs


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_are_those_the_rules_are_tested_with(language: str) -> None:
    body = paragraphs(language)
    assert "17 − 2 = **15" in body["7.2"]
    names = {
        "en": ("Horsetail Squirrel", "Meadow Rabbit", "Canola Sheep"),
        "ja": ("ツクシリス", "ワカクサウサギ", "ナノハナヒツジ"),
    }
    assert all(name in body["8.2"] for name in names[language])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_credit_names_the_author(language: str) -> None:
    assert all(
        name in paragraphs(language)["11"] for name in ("なびるな", "十月十日+十人十色", "2023")
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_paragraph_10_names_every_option(language: str) -> None:
    known = translated(KIT.folder, "ja")
    for option in KIT.box.options:
        label = option.label if language == "en" else known[option.label]
        assert f"**{label}**" in paragraphs(language)["10"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_swap_that_meets_two_wards_shows_both(language: str) -> None:
    sentence = {
        "en": "cards of a swap are hidden and cannot be moved, both are turned up",
        "ja": "2枚とも公開します",
    }
    assert sentence[language] in paragraphs(language)["7.3"]
