"""A language that only a game has: German, in a column of a spreadsheet and in a de.po."""

import shutil
from pathlib import Path

import pytest

from tabletop.catalogue import catalogue, game_folders
from tabletop.catalogue.catalogue import GameKit
from tabletop.games.data_game import is_game_file
from tabletop.language import rare_actions
from tabletop.language.languages import languages_of
from tabletop.language.words import Words
from tabletop.storage import settings
from tabletop.web import prompt
from tabletop.web.browser_requests import choose_language
from tabletop.web.rulebook import rulebook_json
from tests.ui.settings.settings_driver import choose, dialog
from tests.ui.window_driver import Open
from ui.shell.language import other_language_title

FERRY = Path(__file__).parents[2] / "free_tables" / "night_ferry"


@pytest.fixture
def ferry(tmp_path: Path) -> GameKit:
    folder = shutil.copytree(FERRY, tmp_path / "german_ferry")
    head, baker, *others = (folder / "cards.csv").read_text("utf-8").splitlines()
    lines = [f"{head},name.de", f"{baker},Bäcker", *(f"{other}," for other in others)]
    (folder / "cards.csv").write_text("\n".join(lines), "utf-8")
    box = (folder / "cards.toml").read_text("utf-8")
    (folder / "cards.toml").write_text(box.replace("hidden = true", ""), "utf-8")
    (folder / "de.po").write_text('msgid "Night Ferry"\nmsgstr "Nachtfähre"\n', "utf-8")
    (known,) = game_folders.add(folder)
    return catalogue.load(known.id)


def test_the_game_is_read_in_it_and_the_rest_in_english(ferry: GameKit) -> None:
    assert languages_of(ferry) == ("en", "ja", "de")
    words = Words("de", ferry)
    cards = {str(face["name"]): words.card(card) for card, face in enumerate(ferry.deck)}
    assert (cards["Baker"], cards["Miller"]) == ("Bäcker", "Miller")
    assert words(ferry.box.title) == "Nachtfähre"
    assert words("Settings") == "Settings"
    assert other_language_title(ferry, "de") == "Night Ferry"


def test_the_window_offers_it_and_keeps_the_choice(opened: Open, ferry: GameKit) -> None:
    window = opened()
    menu = window.menus.submenus["language"]
    menu.aboutToShow.emit()
    offered = {action.text(): action for action in menu.actions()}
    assert list(offered) == ["English", "日本語", "Deutsch"]
    offered["Deutsch"].trigger()
    assert window.context.game_words(ferry)(ferry.box.title) == "Nachtfähre"
    assert settings.load()[0].language == "de"
    shown = dialog(window)
    assert shown.choices["language"].currentText() == "Deutsch"
    choose(shown.choices["language"], "en")
    assert settings.load()[0].language == "en"


def test_phones_offer_it_at_a_table_of_the_game(ferry: GameKit) -> None:
    def offered(words: Words) -> list[str]:
        return [
            each.does.language
            for each in prompt.choice_buttons(rare_actions.language_choices(words))
        ]

    assert offered(Words("en", ferry)) == ["en", "ja", "de"]
    assert offered(Words("en")) == ["en", "ja"]
    assert choose_language("de", "ja") == "de"
    assert choose_language("../x", "de,ja") == "ja"
    assert rulebook_json(ferry, "de") == rulebook_json(ferry, "en")


@pytest.mark.parametrize("name", ["de.po", "pt-br.po", "rulebook.de.md"])
def test_its_files_go_to_whoever_takes_the_game(name: str) -> None:
    assert is_game_file(name)
    assert not is_game_file(f"more_{name}")
