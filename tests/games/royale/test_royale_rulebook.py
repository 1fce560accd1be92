"""The two rulebooks of Sister Royale and its texts: complete, and the same in both languages."""

import re
from importlib.resources import files

import pytest

from tabletop.catalogue import catalogue
from tabletop.games.royale.attack import chance_of
from tabletop.games.royale.deck import printed
from tabletop.games.royale.rules import ASKED, Rules
from tabletop.language.translation_check import texts, translated
from tabletop.text.phrases import GAP, HOME
from tests.games.rulebook_text import LANGUAGES, Book

FOLDER = files("tabletop") / "games" / "royale"
NUMBERS = (
    *("1", "2", "2.1", "2.2", "2.3", "2.4", "2.5", "3"),
    *("4", "4.1", "4.2", "4.3", "4.4", "4.5", "4.6"),
    *("5", "5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7", "5.8", "5.9"),
    *("6", "6.1", "6.2", "6.3", "6.4", "6.5", "6.6", "6.7", "6.8", "6.9", "6.10"),
    *("7", "7.1", "7.2", "8", "9", "10", "11", "12"),
)
RULINGS = [f"S{n}" for n in range(1, 31)] + ["S18b", "S18c"]
STATED = {"S30"}  # a fact, no reading
READING = {"en": "Our reading ({}): ", "ja": "本ソフトでの解釈 ({})："}
NOTE = {"en": "Note ({}): ", "ja": "補足 ({})："}

BOOK = Book("royale")
text = BOOK.text
headings = BOOK.headings
numbers = BOOK.numbers
paragraphs = BOOK.paragraphs
tables = BOOK.tables

KIT = catalogue.load("royale")
GAME = KIT.game
assert isinstance(GAME, Rules)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_paragraph_has_its_heading(language: str) -> None:
    assert tuple(numbers(language)) == NUMBERS
    assert all(body.strip() for body in paragraphs(language).values())
    assert len(headings(language)) == len(NUMBERS) + 2  # the title, and the game in a minute


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ruling", RULINGS)
def test_every_ruling_opens_one_line_that_says_whose_word_it_is(language: str, ruling: str) -> None:
    word = (NOTE if ruling in STATED else READING)[language].format(ruling)
    assert text(language).count(f"\n{word}") == 1


def test_a_ruling_stands_in_the_same_paragraph_in_both_languages() -> None:
    def places(language: str) -> dict[str, list[str]]:
        return {n: re.findall(r"\((S\d+\w?)\)[:：]", b) for n, b in paragraphs(language).items()}

    assert places("en") == places("ja")


def test_every_ruling_is_named_where_the_rules_decide_it() -> None:
    source = "".join(
        file.read_text("utf-8") for file in FOLDER.iterdir() if file.name.endswith(".py")
    )
    decided = [ruling for ruling in RULINGS if ruling not in STATED]
    assert [ruling for ruling in decided if not re.search(rf"\b{ruling}\b", source)] == []


def test_tables_agree_and_each_row_fills_its_table() -> None:
    def shapes(language: str) -> list[tuple[str, list[int]]]:
        return [(number, [len(row) for row in rows]) for number, rows in tables(language)]

    assert shapes("en") == shapes("ja")
    assert all(len(set(rows)) == 1 for _, rows in shapes("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_chances_are_those_of_the_dice(language: str) -> None:
    (rows,) = [rows for number, rows in tables(language) if number == "6.7"]
    cells = [cell for row in rows[2:] for cell in row]
    for need, chance in zip(cells[::2], cells[1::2], strict=True):
        assert f"{round(chance_of(int(need)) / 36 * 100)} %" == chance


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_special_area_stands_in_the_table_of_searches(language: str) -> None:
    (rows,) = [rows for number, rows in tables(language) if number == "5.7"]
    named = {row[0] for row in rows[2:]}
    japanese = translated(HOME / "games" / "royale", "ja")
    areas = [face["name"] for face in KIT.deck if face["kind"] == "area" and "effect" in face]
    assert named == {name if language == "en" else japanese[name] for name in areas}


def test_every_paragraph_that_the_game_names_exists() -> None:
    named = {face["paragraph"] for face in KIT.deck}
    named |= {ask.paragraph for ask in KIT.words.asks.values()}
    for name in ("refusals.py", "preview.py"):
        source = (FOLDER / name).read_text("utf-8")
        named |= set(re.findall(r'"(\d+(?:\.\d+)?)"\)', source))
    assert named <= set(NUMBERS)


def test_every_question_has_its_prompt() -> None:
    assert set(KIT.words.asks) == set(ASKED)


def test_everything_the_game_says_is_there_in_japanese() -> None:
    folder = HOME / "games" / "royale"
    known = translated(folder, "ja")
    common = translated(HOME, "ja")
    said = texts(folder)
    assert [phrase for phrase in said if phrase not in known and phrase not in common] == []
    assert set(known) <= set(said)
    for phrase, translation in known.items():
        assert set(GAP.findall(phrase)) == set(GAP.findall(translation)), phrase


def test_every_card_says_what_its_effect_does_in_both_languages() -> None:
    japanese = translated(HOME / "games" / "royale", "ja")
    for face, card in zip(KIT.deck, GAME.deck.cards, strict=True):
        if card.effect is None:
            assert "text" not in face
            continue
        ability = face.get("ability", "")
        assert face["text"] == printed(card, card.effect, "en", ability)
        said = japanese[face["text"]]
        named = said.split("：")[0] if ability else ""
        assert said == printed(card, card.effect, "ja", named)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_deck_cannot_produce_is_not_explained(language: str) -> None:
    """6.4: there is one After Me!, so two of them never meet."""
    assert [face["name"] for face in KIT.deck].count("After Me!") == 1
    assert not re.search("cancel|打ち消", text(language))


def test_nobody_is_hurt() -> None:
    words = re.compile(r"\b(kill(ed|s)? (her|him|them)|dead|dies|blood|wounded)\b|死|殺")
    for language in LANGUAGES:
        assert not words.search(text(language))
    for face in KIT.deck:
        assert not words.search(face.get("text", "") + face.get("flavour", ""))
