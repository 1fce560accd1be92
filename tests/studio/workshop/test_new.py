"""`tabletop new`: everything it writes is a whole game at once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.catalogue import catalogue, game_folders
from tabletop.commands.command_line import main as run
from tabletop.language.words import Words
from tabletop.studio.workshop import new_game as beginning


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of its own, which knows no folder."""
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    yield tmp_path / "home"
    game_folders.clear_cache()


@pytest.mark.parametrize("template", beginning.load_templates())
def test_a_template_is_a_game_for_every_number_of_its_seats(
    template: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "f"
    assert run(["new", 'Pond "Night" \\o/', "--folder", str(folder), "--template", template]) == 0
    assert str(folder) in capsys.readouterr().out
    (known,) = game_folders.add(folder)
    kit = catalogue.load(known.id)  # nobody is asked: it is one's own
    assert (known.id, kit.box.title) == ("pond_night_o", 'Pond "Night" \\o/')
    assert kit.box.seats == beginning.load_templates()[template].seats
    for seats in kit.box.seats:
        assert run(["simulate", str(folder), "--games", "5", "--seats", str(seats)]) == 0
    assert not [file for file in folder.rglob("*") if "@TITLE@" in file.read_text("utf-8")]
    assert Words("ja", kit)("Created from a template") == "ひな型から作ったゲーム"
    assert "# Pond" in kit.read_text("rulebook.ja.md")


def test_a_title_without_latin_letters_stands_on_the_shelf(home: Path) -> None:
    assert run(["new", "金魚すくい", "--seats", "2-3"]) == 0
    kit = next(kit for kit in catalogue.shelf() if kit.box.title == "金魚すくい")
    assert kit.id.startswith("game_")
    assert kit.box.seats == (2, 3)
    assert kit.is_external


def test_a_title_keeps_its_emoji_and_loses_what_turns_writing(tmp_path: Path) -> None:
    family = "👨\u200d👩\u200d👧 Pond"
    assert run(["new", f"\u200f{family}\u200e", "--folder", str(tmp_path / "pond")]) == 0
    (known,) = game_folders.add(tmp_path / "pond")
    assert catalogue.load(known.id).box.title == family


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["x" * 61], "A title has 1 to 60 characters, on one line."),
        (["a\nb"], "A title has"),
        (["\u200d\u200f"], "A title has"),
        (["Pond", "--template", "chess"], 'no template "chess". The templates are: capture, cards'),
        (["Pond", "--seats", "2-12"], '"free" seats 2 to 6, not 7.'),
        (["Pond", "--seats", "4-2"], '--seats can\'t be "4-2"'),
        (["Pond", "--folder", "{full}"], "already exists; nothing in it was changed."),
    ],
)
def test_what_cannot_be_begun_is_one_sentence_and_leaves_nothing(
    words: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine.txt").write_text("kept")
    assert run(["new", *(word.format(full=full) for word in words)]) == 2
    assert told in capsys.readouterr().err
    assert [file.name for file in full.iterdir()] == ["mine.txt"]
    assert not (tmp_path / "home" / "games").exists()
