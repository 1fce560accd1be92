"""親 is the start player in English, wherever a player reads it."""

import re

import pytest

from tabletop.catalogue import catalogue
from tabletop.language.words import Words
from tabletop.studio.translation.translation_check import texts_in_folder
from ui.style.asset_folder import assets_root

PARENT = re.compile(r"\bparents?\b", re.IGNORECASE)
GAMES = [kit.id for kit in catalogue.load_all().games]


@pytest.mark.parametrize("game", GAMES)
def test_no_text_says_parent(game: str) -> None:
    kit = catalogue.load(game)
    english = Words("en", kit)
    assert [text for text in texts_in_folder(kit.folder) if PARENT.search(english(text))] == []
    rulebook = (kit.folder / "rulebook.en.md").read_text("utf-8")
    assert PARENT.findall(rulebook) == []


@pytest.mark.parametrize("game", GAMES)
def test_no_drawing_prints_parent(game: str) -> None:
    printed = re.compile(r'["\'>]Parent\b')
    for drawing in (assets_root() / game).rglob("*.svg"):
        assert not printed.search(drawing.read_text("utf-8")), drawing.name


def test_the_start_player_stays_oya_in_japanese() -> None:
    for game in ("royale", "sisters"):
        words = Words("ja", catalogue.load(game))
        assert "親" in words("{player} is the start player.")
