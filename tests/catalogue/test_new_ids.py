"""Games of one title get ids of their own, however they come to be."""

from pathlib import Path

import pytest

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.commands.command_line import main
from tabletop.files import folders
from tabletop.studio.workshop import new_game


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    game_folders.clear_cache()


def imported(tmp_path: Path, card: str, *more: str) -> None:
    (tmp_path / "deck.csv").write_text(f"name\n{card}\n", "utf-8")
    assert main(["import", str(tmp_path / "deck.csv"), *more]) == 0
    game_folders.clear_cache()


def first_card(name: str) -> str:
    return str(catalogue.load(name).deck[0]["name"])


def test_a_second_file_of_a_title_is_a_game_of_its_own(tmp_path: Path) -> None:
    for card in ("Carp", "Heron", "Turtle"):
        imported(tmp_path, card, "--new")
    cards = {name: first_card(name) for name in ("deck", "deck_2", "deck_3")}
    assert cards == {"deck": "Carp", "deck_2": "Heron", "deck_3": "Turtle"}
    assert game_folders.hidden_folders() == ()


def test_a_folder_elsewhere_gets_an_id_of_its_own(tmp_path: Path) -> None:
    imported(tmp_path, "Carp")
    imported(tmp_path, "Heron", "--folder", str(tmp_path / "elsewhere"))
    assert game_folders.game_id_of(tmp_path / "elsewhere") == "deck_2"
    imported(tmp_path, "Turtle", "--new")
    assert first_card("deck_3") == "Turtle"


def test_a_new_game_gets_an_id_of_its_own(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        assert main(["new", "Pond Night", "--folder", str(tmp_path / folder)]) == 0
    ids = [game_folders.game_id_of(tmp_path / folder) for folder in ("one", "two")]
    assert ids == ["pond_night", "pond_night_2"]


def test_the_ids_of_the_program_are_never_given() -> None:
    assert "sun" in catalogue.names()
    assert game_folders.make_unused_id("Sun") == "sun_2"


def test_a_long_title_leaves_room_for_its_number(tmp_path: Path) -> None:
    title = "x" * 60
    new_game.create_game(title, tmp_path / "one", "free")
    agreements.add_own_folder(tmp_path / "one")
    assert game_folders.make_unused_id(title) == "x" * 38 + "_2"


def test_a_version_beside_another_one_goes_by_its_own_name() -> None:
    for name in ("pond", "pond-0123456789ab"):
        new_game.create_game("Pond", folders.games() / name, "free")
    game_folders.clear_cache()
    assert {*game_folders.folders_by_id()} == {"pond", "pond_0123456789ab"}
    assert catalogue.load("pond_0123456789ab").box.title == "Pond"
    assert game_folders.hidden_folders() == ()
