"""The two rulebooks of Chains and its Japanese texts: true to the rules."""

import re
from math import comb

import pytest

from tabletop.catalogue.catalogue import load
from tabletop.games.chains.places import NUMBERS, POINTS
from tabletop.games.chains.rules import cut_off
from tabletop.language import translation_check

KIT = load("chains")
LANGUAGES = ["en", "ja"]


def text(language: str) -> str:
    return KIT.text(f"rulebook.{language}.md")


def paragraphs(language: str) -> dict[str, str]:
    """The text under each numbered heading, by its number."""
    parts = re.split(r"^## (\d+(?:\.\d+)*) .*$", text(language), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def rows(body: str) -> list[list[str]]:
    """The tables of a paragraph, row by row, without the rulings between head and body."""
    found = re.findall(r"^\|(.*)\|$", body, re.MULTILINE)
    cells = [[cell.strip() for cell in row.split("|")] for row in found]
    return [row for row in cells if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tables_say_what_the_rules_do(language: str) -> None:
    body = paragraphs(language)
    deck = rows(body["2.1"])
    assert deck[0][1:] == deck[1][1:] == [str(n) for n in NUMBERS]
    cut = rows(body["6.2"])
    seats = [int(cell) for cell in cut[0][1:]]
    assert seats == list(range(2, 11))
    assert [int(cell) for cell in cut[1][1:]] == [cut_off(n) for n in seats]
    numbers, points = rows(body["9.2"])
    for cell, each in zip(numbers[1:], points[1:], strict=True):
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
    known = translation_check.translated(KIT.folder, "ja")
    body = paragraphs(language)["11"]
    for option in KIT.box.options:
        for text_of in (option.label, *(choice.label for choice in option.choices)):
            shown = text_of if language == "en" else known[text_of]
            words = re.sub(r"[:,.]", "", body).lower()
            assert re.sub(r"[:,.]", "", shown).lower() in words, shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_credit_names_origin_and_whose_wording_it_is(language: str) -> None:
    credit = paragraphs(language)["12"]
    assert "チェーンズ・多人数拡張" in credit
    assert {"en": "Pairs", "ja": "ペアーズ"}[language] in credit
    assert {"en": "wording of this rulebook is ours", "ja": "私たちが書いた"}[language] in credit
