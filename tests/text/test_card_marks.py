"""Words for colours and icons, and the markup of card texts."""

import pytest

from tabletop.text.card_marks import (
    COLOURS,
    ICON_NAMES,
    ICON_WORDS,
    JAPANESE_COLOURS,
    find_colour,
    find_emoji_icon,
    find_icon,
    without_marks,
)


@pytest.mark.parametrize("word", ["赤", "あか", "レッド", "ﾚｯﾄﾞ", "Red", " red "])
def test_colours_are_found_in_both_languages(word: str) -> None:
    assert find_colour(word) == COLOURS["red"]


def test_a_colour_may_be_a_number() -> None:
    assert find_colour("#C4393B") == "#c4393b"
    assert find_colour("#c4393") == find_colour("rde") == find_colour("") == ""


def test_no_word_means_two_things() -> None:
    for words in (ICON_WORDS, JAPANESE_COLOURS):
        every = [word for several in words.values() for word in several.split()]
        assert len(every) == len(set(every))
    assert {*ICON_WORDS} == {*ICON_NAMES}


@pytest.mark.parametrize("word", ["star", "星", "ほし", "スター", "⭐", "⭐\ufe0f"])
def test_icons_are_found_by_word_and_emoji(word: str) -> None:
    assert find_icon(word) == "star"


def test_emoji_in_texts_are_icons() -> None:
    assert without_marks("**⚔\ufe0f 2** and 🔥 or :coin:") == "sword 2 and flame or coin"
    assert find_emoji_icon("🔥") == "flame"
    assert find_emoji_icon("火") == find_emoji_icon("🦊") == find_emoji_icon("") == ""
