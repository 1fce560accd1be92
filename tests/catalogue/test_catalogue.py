"""Finding the games and reading their folders."""

import shutil
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from tabletop import games
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import BrokenGame, UnknownGame
from tabletop.games import game_parts

HOME = Path(games.__file__).parent
FREE = Path(__file__).parents[1] / "free_tables"
DESIGNED = Path(__file__).parents[1] / "designed_games"


def test_a_game_is_a_folder_with_rules_or_a_free_table():
    folders = {rules.parent.name for rules in HOME.glob("*/rules.py")}
    free = {file.parent.name for file in FREE.glob("*/free.toml")}
    designed = {rules.parent.name for rules in DESIGNED.glob("*/rules.py")}
    assert set(catalogue.names()) == folders | free | designed
    assert len(free) == 4
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
    assert "[box]" in sun.read_text("cards.toml")
    assert sun.read_text("nothing.md") == ""


def test_players_apart_may_have_another_default():
    kits = [catalogue.load(name) for name in catalogue.names()]
    own = [(kit, option) for kit in kits for option in kit.box.options if option.apart is not None]
    assert own
    for kit, option in own:
        assert option.apart in [choice.value for choice in option.choices]
        assert catalogue.options(kit)[option.key] != option.apart
        assert catalogue.options(kit, apart=True)[option.key] == option.apart


def test_an_option_that_hangs_on_others_names_choices_of_theirs():
    kits = [catalogue.load(name) for name in catalogue.names()]
    hanging = [(kit, option) for kit in kits for option in kit.box.options if option.only]
    assert hanging
    for kit, option in hanging:
        choices = {o.key: [c.value for c in o.choices] for o in kit.box.options if o is not option}
        assert all(value in choices[key] for key, value in option.only.items())
        assert option.applies(option.only)
        for key, value in option.only.items():
            assert not option.applies({key: next(v for v in choices[key] if v != value)})


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


@pytest.fixture
def spoilt(tmp_path, monkeypatch):
    """Spoils a copy of the game folders: gives the way to write into one of its files."""
    copy = tmp_path / "games"
    shutil.copytree(HOME, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for module in (catalogue, game_parts):
        monkeypatch.setattr(module, "files", lambda _: copy)
    monkeypatch.setattr(catalogue, "packaged_games", cache(catalogue.packaged_games.__wrapped__))
    monkeypatch.setattr(catalogue, "loader", catalogue.GameLoader())

    def spoil(file: str, content: str) -> None:
        (copy / file).write_text(content, "utf-8")

    return spoil


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("chains/cards.toml", "[box\n"),
        ("chains/cards.toml", "[box]\ntitle = 3\n"),
        ("chains/words.toml", "="),
        ("chains/meaning.toml", '[reactions]\nact = "maybe"\n'),
        ("chains/table.toml", "[table]\nsize = 3\n"),
    ],
)
def test_a_broken_game_leaves_the_others_on_the_shelf(spoilt, monkeypatch, file, content):
    before = [kit.id for kit in catalogue.shelf()]
    monkeypatch.setattr(catalogue, "loader", catalogue.GameLoader())
    spoilt(file, content)
    assert [kit.id for kit in catalogue.shelf()] == [name for name in before if name != "chains"]
    assert [error.name for error in catalogue.load_all().faults] == ["chains"]
    with pytest.raises(BrokenGame, match='The game "chains" cannot be read'):
        catalogue.load("chains")


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (
            "_blank/cards.toml",
            "minutes =",
            "minuts =",
            r'cards.toml line 10: "minuts" is not known; ',
        ),
        (
            "_blank/cards.toml",
            'back = "fish"',
            'back = "fihs"',
            r'"fihs" is not known; did you mean "fish"',
        ),
        ("_blank/cards.toml", "copies = 4", 'copies = "4"', '"copies" must be a whole number'),
        ("_blank/cards.toml", "seats = [2, 3, 4]", "seats = []", 'line 9: "seats" must be'),
        ("_blank/words.toml", '"bowl/{seat}"', '"bowl/{seat}/{seat}"', "occurs twice in a name"),
        ("_blank/words.toml", '"pond" =', '"pond/{1}" =', r"the gap \{1\} needs a single word"),
    ],
)
def test_a_mistake_is_told_with_its_file_and_line(spoilt, file, old, new, told):
    text = (HOME / file).read_text("utf-8")
    assert old in text
    spoilt(file, text.replace(old, new))
    with pytest.raises(BrokenGame, match=told):
        catalogue.load("_blank")


def test_a_folder_that_lacks_a_file_is_told_apart_from_no_folder(spoilt):
    (catalogue.files("") / "chains" / "words.toml").unlink()
    with pytest.raises(BrokenGame, match='"chains" cannot be read: its folder has no words'):
        catalogue.load("chains")
    with pytest.raises(UnknownGame, match='no game called "sisterz"; did you mean "sisters"'):
        catalogue.load("sisterz")


def test_entries_are_listed_before_any_rules_run(monkeypatch):
    monkeypatch.setattr(catalogue, "import_module", pytest.fail)
    monkeypatch.setattr(catalogue, "loader", catalogue.GameLoader())
    entries = {each.id: each for each in catalogue.list_entries().games}
    assert set(catalogue.packaged_games()) <= set(entries)
    for name in catalogue.packaged_games():
        assert not isinstance(entries[name], catalogue.GameKit)
        assert catalogue.entry_of(name) is entries[name]


def test_a_kit_says_of_its_box_what_its_entry_says():
    entries = {each.id: each for each in catalogue.list_entries().games}
    for kit in catalogue.load_all().games:
        assert (kit.id, kit.box, kit.folder) == (
            entries[kit.id].id,
            entries[kit.id].box,
            entries[kit.id].folder,
        )


def test_rules_that_raise_stop_their_own_game_alone(monkeypatch):
    monkeypatch.setattr(
        catalogue, "import_module", lambda name: 1 / 0 if "sun" in name else import_module(name)
    )
    monkeypatch.setattr(catalogue, "loader", catalogue.GameLoader())
    assert [error.name for error in catalogue.load_all().faults] == ["sun"]
    assert isinstance(catalogue.load_all().faults[0].__cause__, ZeroDivisionError)
    assert "sun" not in {kit.id for kit in catalogue.shelf()}
    assert "chains" in {kit.id for kit in catalogue.shelf()}
