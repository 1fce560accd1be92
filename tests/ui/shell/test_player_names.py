"""The names of players."""

import pytest

from tabletop.language.words import Words
from ui.shell import player_names
from ui.shell.player_names import (
    MAX_LENGTH,
    MAX_PEOPLE,
    clean_name,
    names_match,
    propose_name,
    remember_people,
    unused_name,
)

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


def test_nobody_in_a_household_is_lost_or_doubled() -> None:
    people = remember_people((), ["Anna"])
    people = remember_people(people, ["Anna", "Ben", "Cleo"])
    people = remember_people(people, ["Cleo", "Ben"])
    assert people == ("Cleo", "Ben", "Anna")
    assert remember_people(people, ["ANNA"]) == ("ANNA", "Cleo", "Ben")
    assert remember_people(people, ["Dora"], 1) == ("Cleo", "Dora", "Ben", "Anna")
    assert remember_people(("Cleo", "Ben", "Cleo", ""), []) == ("Cleo", "Ben")
    many = [f"Guest of the house {number}" for number in range(MAX_PEOPLE)]
    assert remember_people(many, ["Anna"]) == ("Anna", *many[:-1])


def test_a_person_who_plays_already_is_not_proposed_again() -> None:
    words = Words("en")
    assert propose_name(words, 0, ["Shizuku", "Cleo"], ("Cleo", "Ben")) == "Ben"
    assert propose_name(words, 0, ["Cleo"], ("Cleo",)) == "Player 1"
    assert propose_name(words, 1, ["Cleo"], ("Cleo", "Ben"), ["Ben"]) == "Ben 2"
    assert propose_name(words, 1, ["Cleo"], ("Cleo", "Ben", "Anna"), ["Ben"]) == "Anna"
