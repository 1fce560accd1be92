"""Finding the games and reading what lies in their folders."""

from pathlib import Path

import pytest

from tabletop.games import catalogue
from tabletop.games.catalogue import UnknownGame

HOME = Path(catalogue.__file__).parent


def test_a_game_is_a_folder_with_rules():
    folders = {rules.parent.name for rules in HOME.glob("*/rules.py")}
    assert set(catalogue.names()) == folders
    assert "sun" in catalogue.names()
    assert list(catalogue.names()) == sorted(catalogue.names())


def test_the_shelf_holds_all_that_is_not_hidden():
    shown = {kit.id for kit in catalogue.shelf()}
    assert shown == {n for n in catalogue.names() if not catalogue.load(n).box.hidden}


@pytest.mark.parametrize("name", catalogue.names())
def test_a_kit_is_whole(name):
    kit = catalogue.load(name)
    assert kit.id == name
    assert kit.box.title
    assert kit.box.seats == tuple(sorted(set(kit.box.seats)))
    assert len(kit.deck) == len(kit.backs) > 0
    assert set(kit.backs) <= set(range(len(kit.back_names)))
    assert all(card.get("name") for card in kit.deck)
    for option in kit.box.options:
        assert len({choice.value for choice in option.choices}) == len(option.choices) > 1


def test_a_kit_is_loaded_once():
    assert catalogue.load("sun") is catalogue.load("sun")


def test_an_unknown_game_is_named_with_those_there_are():
    with pytest.raises(UnknownGame, match=r'no game called "chess".*sun'):
        catalogue.load("chess")


def test_a_file_of_the_folder_is_read_as_text():
    sun = catalogue.load("sun")
    assert "[box]" in sun.text("cards.toml")
    assert sun.text("nothing.md") == ""


def test_options_are_the_first_choices_unless_chosen():
    kit = next(kit for kit in map(catalogue.load, catalogue.names()) if kit.box.options)
    first = kit.box.options[0]
    usual = {option.key: option.choices[0].value for option in kit.box.options}
    assert catalogue.options(kit) == usual
    other = first.choices[1].value
    assert catalogue.options(kit, {first.key: other}) == usual | {first.key: other}
    with pytest.raises(UnknownGame, match='no option "weather"'):
        catalogue.options(kit, {"weather": "fine"})
    with pytest.raises(UnknownGame, match=f'"{first.key}" cannot be "nonsense"'):
        catalogue.options(kit, {first.key: "nonsense"})
