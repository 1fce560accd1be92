"""The two rulebooks of Sister Royale and its texts: true to the rules in both languages."""

import re

import pytest

from tabletop.catalogue import catalogue
from tabletop.games.royale.attack import count_hitting_rolls
from tabletop.games.royale.deck import printed_text
from tabletop.games.royale.rules import OFFERS_BY_QUESTION, Rules
from tabletop.studio.translation.translation_check import translated_texts
from tabletop.text.phrases import PROGRAM_FOLDER
from tests.games.rulebook_text import LANGUAGES, Book

BOOK = Book("royale")
text = BOOK.text
tables = BOOK.tables

KIT = catalogue.load("royale")
GAME = KIT.rules
assert isinstance(GAME, Rules)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_chances_are_those_of_the_dice(language: str) -> None:
    (rows,) = [rows for number, rows in tables(language) if number == "6.7"]
    cells = [cell for row in rows[2:] for cell in row]
    for need, chance in zip(cells[::2], cells[1::2], strict=True):
        percent = round(count_hitting_rolls(int(need)) / 36 * 100)
        assert chance == f"{percent}%"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_special_area_stands_in_the_table_of_searches(language: str) -> None:
    (rows,) = [rows for number, rows in tables(language) if number == "5.7"]
    named = {row[0] for row in rows[2:]}
    japanese = translated_texts(PROGRAM_FOLDER / "games" / "royale", "ja")
    areas = [face["name"] for face in KIT.deck if face["kind"] == "area" and "effect" in face]
    assert named == {name if language == "en" else japanese[name] for name in areas}


def test_every_question_has_its_prompt() -> None:
    assert set(KIT.words.asks) == set(OFFERS_BY_QUESTION)


def test_every_card_says_what_its_effect_does_in_both_languages() -> None:
    japanese = translated_texts(PROGRAM_FOLDER / "games" / "royale", "ja")
    for face, card in zip(KIT.deck, GAME.deck.cards, strict=True):
        if card.effect is None:
            assert "text" not in face
            continue
        ability = face.get("ability", "")
        assert face["text"] == printed_text(card, card.effect, "en", ability)
        said = japanese[face["text"]]
        named = said.split("：")[0] if ability else ""
        assert said == printed_text(card, card.effect, "ja", named)


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
