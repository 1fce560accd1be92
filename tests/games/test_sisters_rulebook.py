"""The two rulebooks of Planetary Sisters: complete, and paragraph for paragraph the same."""

import re
from importlib.resources import files

import pytest

from tabletop.catalogue import catalogue
from tabletop.games.sisters.deck import EXAMPLE_HOUSE
from tabletop.games.sisters.rules import Rules
from tabletop.language.translation_check import texts, translated
from tabletop.text.phrases import GAP, HOME
from tests.games.rulebook_text import LANGUAGES, Book

NUMBERS = (
    *("1", "2", "2.1", "2.2", "2.3", "2.4", "3", "4", "5", "5.1", "5.2", "5.3", "5.4", "5.5"),
    *("6", "6.1", "6.2", "6.3", "6.4", "6.5"),
    *("7", "7.1", "7.2", "7.3", "7.4", "7.5", "7.6", "8", "9", "10"),
)
RULINGS = [f"PS-{n:02}" for n in range(1, 15)]
STATED = {"PS-03", "PS-09", "PS-10", "PS-12", "PS-13"}  # in the original's own words
READING = {"en": "Our reading", "ja": "本ソフトでの解釈"}
NOTE = {"en": "Note", "ja": "補足"}

BOOK = Book("sisters")
text = BOOK.text
numbers = BOOK.numbers
paragraphs = BOOK.paragraphs
tables = BOOK.tables
KINDS = {
    "食物": "food", "植物": "plant", "動物": "animal", "棒": "pole", "剣": "sword",
    "小姓": "page", "王": "king",
}  # fmt: skip

KIT = catalogue.load("sisters")
GAME = KIT.game
assert isinstance(GAME, Rules)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_paragraph_has_its_heading(language: str) -> None:
    assert tuple(numbers(language)) == NUMBERS


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_paragraph_is_empty(language: str) -> None:
    assert all(body.strip() for body in paragraphs(language).values())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ruling", RULINGS)
def test_every_ruling_opens_one_line_that_says_whose_word_it_is(language: str, ruling: str) -> None:
    word = (NOTE if ruling in STATED else READING)[language]
    assert len(re.findall(rf"^{word} \({ruling}\): \S", text(language), re.MULTILINE)) == 1


def test_a_ruling_stands_in_the_same_paragraph_in_both_languages() -> None:
    def places(language: str) -> dict[str, list[str]]:
        return {n: re.findall(r"\((PS-\d\d)\):", body) for n, body in paragraphs(language).items()}

    assert places("en") == places("ja")


def test_tables_agree_and_each_row_fills_its_table() -> None:
    def shapes(language: str) -> list[tuple[str, list[int]]]:
        return [(number, [len(row) for row in rows]) for number, rows in tables(language)]

    assert shapes("en") == shapes("ja")
    assert all(len(set(rows)) == 1 for _, rows in shapes("en"))


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
def test_the_examples_come_out_as_the_rules_count(language: str) -> None:
    body = "\n".join(paragraphs(language)[f"7.{n}"] for n in range(2, 6))
    house = [rank - 1 for rank in EXAMPLE_HOUSE]
    for score in GAME.home(house):
        assert re.search(rf"{re.escape(score.formula)} ?[=＝] ?\*\*{score.points}\*\*", body)
    assert "**113**" in body
    field = paragraphs(language)["7.6"]
    for score in GAME.field(house, [4, 0, 1, 7]):
        if score.points:
            assert f"{score.formula} = {score.points}" in field
    assert "**54**" in field
    assert "**167**" in field


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_formulas_are_those_of_the_rules(language: str) -> None:
    rows = next(rows for number, rows in tables(language) if number == "7.1")
    written = [row[3] for row in rows[2:]]
    counted = [re.sub(r"0", "{}", score.formula, count=2) for score in GAME.home(())]
    assert written == [formula.format("P", "H") for formula in counted]


def test_every_paragraph_that_the_game_names_exists() -> None:
    named = {face["paragraph"] for face in KIT.deck}
    named |= {ask.paragraph for ask in KIT.words.asks.values()}
    source = (files("tabletop") / "games" / "sisters" / "rules.py").read_text("utf-8")
    named |= set(re.findall(r'"(\d\.\d)"', source))
    assert named <= set(NUMBERS)


def test_every_reading_is_named_where_the_rules_decide_it() -> None:
    folder = files("tabletop") / "games" / "sisters"
    source = "".join((folder / name).read_text("utf-8") for name in ("rules.py", "deck.py"))
    assert [ruling for ruling in RULINGS if ruling not in source] == []


def test_everything_the_game_says_is_there_in_japanese() -> None:
    folder = HOME / "games" / "sisters"
    known = translated(folder, "ja")
    assert set(known) == set(texts(folder))
    for text, translation in known.items():
        assert set(GAP.findall(text)) == set(GAP.findall(translation)), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_credit_names_author_and_testers(language: str) -> None:
    credit = paragraphs(language)["10"]
    assert all(
        name in credit for name in ("はくし", "空理計画", "2022", "和泉葛城", "いもぎん", "aki")
    )
