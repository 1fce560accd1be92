"""The two rulebooks of AWSSterra: their examples, options and credit."""

import pytest

from tabletop.catalogue import catalogue
from tabletop.studio.translation.translation_check import translated_texts
from tests.games.rulebook_text import LANGUAGES, Book

KIT = catalogue.load("awss")
paragraphs = Book("awss").paragraphs


@pytest.mark.parametrize("language", LANGUAGES)
def test_paragraph_10_names_every_option(language: str) -> None:
    known = translated_texts(KIT.folder, "ja")
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
