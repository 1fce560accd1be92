"""The list of numbers and absolute words that one language says alone."""

from collections import Counter

import pytest

from tabletop.catalogue import catalogue
from tests.language import compared as compared_module
from tests.language.compared import ACCEPTED, compared, differences


@pytest.mark.parametrize(
    ("english", "japanese", "told"),
    [
        ("Draw 2 cards.", "カードを3枚引きます。", ["not in ja: 2", "not in en: 3"]),
        ("Draw four cards.", "カードを4枚引きます。", []),
        ("It works once each.", "1度だけ使えます。", ['"only" in ja alone', '"all" in en alone']),
        ("You must use it.", "使ってもかまいません。", ['"must" in en alone']),
        ("It stays up.", "このバトルの間だけ性能を変えます。", ['"only" in ja alone']),
        ("Only one attack.", "攻撃は1回だけです。", ['"once" in ja alone']),
    ],
)
def test_what_one_language_says_alone_is_listed(
    english: str, japanese: str, told: list[str]
) -> None:
    assert list(differences(english, japanese)) == told


GAMES = [kit.id for kit in catalogue.shelf() if not kit.is_draft]


@pytest.mark.parametrize("game", GAMES)
def test_no_text_has_one_number_for_another(game: str) -> None:
    lines = [line.partition(": not in ") for line in compared(game)]
    lacking = Counter(text for text, found, _ in lines if found)
    assert lacking
    assert [text for text, times in lacking.items() if times > 1] == []


def test_a_reader_has_accepted_every_difference() -> None:
    accepted = ACCEPTED.read_text("utf-8").splitlines()
    found = [line for game in GAMES for line in compared(game)]
    assert Counter(found) - Counter(accepted) == Counter(), "read these, then add or mend them"
    assert Counter(accepted) - Counter(found) == Counter(), "these are there no more"


def test_a_planted_difference_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text that once said that gear changes values for this battle alone."""
    wrong = "道具は、このバトルの間だけ性能を変えます。"
    lesson = (
        "Gear changes your values in battle. Turn it face up now and it stays up. "
        "If you have none, pass."
    )
    known = dict(
        compared_module.translated_texts(compared_module.PROGRAM_FOLDER / "games" / "royale", "ja")
    )
    assert lesson in known
    monkeypatch.setattr(compared_module, "translated_texts", lambda *_: known | {lesson: wrong})
    accepted = ACCEPTED.read_text("utf-8").splitlines()
    assert [line for line in compared("royale") if line not in accepted]
