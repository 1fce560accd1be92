"""The two rulebooks of Chains and its Japanese texts: complete, alike, and true to the rules."""

import re
from math import comb

import pytest

from tabletop.catalogue.catalogue import load
from tabletop.games.chains.places import NUMBERS, POINTS
from tabletop.games.chains.rules import cut_off
from tabletop.language import translation_check
from tabletop.text import phrases

KIT = load("chains")
LANGUAGES = ["en", "ja"]
PARAGRAPHS = re.findall(
    r"\S+", "1 2 2.1 2.2 3 4 5 5.1 5.2 5.3 5.4 5.5 5.6 6 6.1 6.2 7 8 9 9.1 9.2 9.3 10 11 12"
)
RULINGS = [f"CH-{n:02}" for n in range(1, 13)]
STATED = {"CH-01", "CH-04", "CH-07", "CH-11"}  # the original says so, or it follows
READING = {"en": "Our reading", "ja": "本ソフトでの解釈"}
NOTE = {"en": "Note", "ja": "補足"}


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
def test_every_paragraph_is_there_and_says_something(language: str) -> None:
    assert list(paragraphs(language)) == PARAGRAPHS
    assert all(body.strip() for body in paragraphs(language).values())


def test_both_have_the_same_headings_and_tables() -> None:
    for number in PARAGRAPHS:
        english, japanese = (rows(paragraphs(language)[number]) for language in LANGUAGES)
        assert [len(row) for row in english] == [len(row) for row in japanese], number


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ruling", RULINGS)
def test_every_ruling_stands_once_and_says_whose_word_it_is(language: str, ruling: str) -> None:
    word = (NOTE if ruling in STATED else READING)[language]
    assert len(re.findall(rf"^{word} \({ruling}\): \S", text(language), re.MULTILINE)) == 1


def test_a_ruling_stands_in_the_same_paragraph_in_both() -> None:
    places = [
        {n: re.findall(r"\((CH-\d\d)\):", body) for n, body in paragraphs(language).items()}
        for language in LANGUAGES
    ]
    assert places[0] == places[1]


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


def test_every_text_has_its_japanese_and_nothing_is_left_over() -> None:
    (folder,) = [part for part in translation_check.parts() if part.name == "chains"]
    said, known = translation_check.texts(folder), translation_check.translated(folder, "ja")
    assert set(said) == set(known)
    for english, japanese in known.items():
        assert set(phrases.GAP.findall(english)) == set(phrases.GAP.findall(japanese))
        assert re.search(r"[ぁ-んァ-ヶ一-龠]", japanese)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_credit_names_origin_and_whose_wording_it_is(language: str) -> None:
    credit = paragraphs(language)["12"]
    assert "チェーンズ・多人数拡張" in credit
    assert {"en": "Pairs", "ja": "ペアーズ"}[language] in credit
    assert {"en": "wording of this rulebook is ours", "ja": "私たちが書いた"}[language] in credit
