"""The two rulebooks of Planetary Sisters: their examples and formulas."""

import re

import pytest

from tabletop.catalogue import catalogue
from tabletop.games.sisters.deck import EXAMPLE_HOUSE
from tabletop.games.sisters.rules import Rules
from tests.games.rulebook_text import LANGUAGES, Book

BOOK = Book("sisters")
paragraphs = BOOK.paragraphs
tables = BOOK.tables
KINDS = {
    "食物": "food", "植物": "plant", "動物": "animal", "棒": "pole", "剣": "sword",
    "小姓": "page", "王": "king",
}  # fmt: skip

KIT = catalogue.load("sisters")
GAME = KIT.rules
assert isinstance(GAME, Rules)


def test_cells_of_numbers_are_the_same_in_both_languages() -> None:
    def counted(language: str) -> list[str]:
        return [
            found[1]
            for _, rows in tables(language)
            for row in rows
            for cell in row
            if (found := re.fullmatch(r"([\d.×−()=PH ]+)枚?", cell))
        ]

    assert counted("en") == counted("ja")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_house_is_that_of_the_deck(language: str) -> None:
    (rows,) = [rows for number, rows in tables(language) if number == "7.1" and len(rows) == 10]
    assert [int(rank) for rank, _ in rows[2:]] == list(EXAMPLE_HOUSE)
    for rank, written in rows[2:]:
        elements = {}
        for part in re.split("[,、] ?", written):
            word, count = re.fullmatch(r"(\D+?) ?(\d?)", part).groups()
            elements[KINDS.get(word, word)] = int(count or 1)
        assert elements == KIT.deck[int(rank) - 1]["elements"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_formulas_are_those_of_the_rules(language: str) -> None:
    rows = next(rows for number, rows in tables(language) if number == "7.1")
    written = [row[1] for row in rows[2:]]
    counted = [re.sub(r"0", "{}", score.formula, count=2) for score in GAME.home(())]
    assert written == [formula.format("P", "H") for formula in counted]
