"""The names of players."""

import pytest

from tabletop.language.words import Words
from ui.shell import player_names
from ui.shell.player_names import MAX_LENGTH, clean_name, names_match, unused_name

LONG = "Wolfgang Amadeus of Salzburg"


@pytest.mark.parametrize(
    "wish", ["Hinata", LONG, LONG[:MAX_LENGTH], LONG[: MAX_LENGTH - 1], "名" * 30]
)
def test_a_taken_name_gets_a_number_however_long(wish: str) -> None:
    taken: list[str] = []
    for number in range(1, 12):
        name = unused_name(Words("en"), wish, taken)
        assert not any(names_match(name, other) for other in taken)
        assert name == wish if number == 1 else name.endswith(f" {number}")
        taken.append(clean_name(name))


def test_a_taken_japanese_name_has_no_space() -> None:
    assert unused_name(Words("ja"), "しずく", ["しずく"]) == "しずく（2）"


def test_other_languages_are_read_for_names_like_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def words(language: str) -> Words:
        read.append(language)
        return Words(language)

    monkeypatch.setattr(player_names, "Words", words)
    player_names._default_name_pattern.cache_clear()
    assert not player_names.is_default_name("Mio")
    assert read == []
    assert player_names.is_default_name("Player 12")
    assert read == ["en"]
    assert player_names.is_default_name(Words("ja")("Player {n}", n=3))
    assert read == ["en", "ja"]
