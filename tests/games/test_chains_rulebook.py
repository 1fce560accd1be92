"""The two rulebooks of Chains and its Japanese texts: true to the rules."""

import re
from math import comb

import pytest

from tabletop.catalogue.catalogue import load
from tabletop.games.chains.places import NUMBERS, POINTS
from tabletop.games.chains.rules import cut_off_limit
from tabletop.studio.translation import translation_check
from tests.games.rulebook_text import LANGUAGES, Book

KIT = load("chains")
BOOK = Book("chains")
paragraphs = BOOK.paragraphs


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tables_say_what_the_rules_do(language: str) -> None:
    rows = {number: (row[0], *row[2:]) for number, row in BOOK.tables(language)}
    deck, cut = rows["2.1"], rows["6.2"]
    assert deck[0][1:] == deck[1][1:] == [str(n) for n in NUMBERS]
    seats = [int(cell) for cell in cut[0][1:]]
    assert seats == list(range(2, 11))
    assert [int(cell) for cell in cut[1][1:]] == [cut_off_limit(n) for n in seats]
    for cell, each in rows["9.2"][1:]:
        for number in re.findall(r"\d+", cell):
            assert POINTS[int(number)] == int(each)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sums_are_right(language: str) -> None:
    body = paragraphs(language)
    assert str(comb(11, 2)) in body["2.1"] + body["2.2"]
    assert str(comb(10, 2)) in body["2.2"]
    assert str(sum(POINTS)) in body["9.2"]
    assert "10" in body["9.2"]
    assert sum(POINTS[n] for n in (1, 4, 8, 9)) == 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_is_explained(language: str) -> None:
    known = translation_check.translated_texts(KIT.folder, "ja")
    body = paragraphs(language)["11"]
    for option in KIT.box.options:
        for text_of in (option.label, *(choice.label for choice in option.choices)):
            shown = text_of if language == "en" else known[text_of]
            words = re.sub(r"[:,.]", "", body).lower()
            assert re.sub(r"[:,.]", "", shown).lower() in words, shown
