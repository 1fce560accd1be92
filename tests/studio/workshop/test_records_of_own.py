"""Records of a game that is in any folder: found where its folder was opened, or is named."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.commands import command_line
from tabletop.studio.workshop import new_game as beginning


def forget() -> None:
    """Forget as a restart of the program does."""
    catalogue.reread("cup_evening")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A game with Python that was created here, and that no shelf holds; its record beside it."""
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    made = tmp_path / "cups"
    beginning.create_game("Cup Evening", made, "dice")
    agreements.add_own_folder(made)
    forget()
    assert command_line.main(["record", str(made), "--out", str(tmp_path / "a.tabletop")]) == 0
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    forget()
    yield made
    monkeypatch.undo()
    forget()


@pytest.mark.parametrize("command", ["verify", "show", "review --seconds 0.01"])
def test_a_record_finds_the_folder_that_was_opened_here(
    folder: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line.main([*command.split(), str(folder.parent / "a.tabletop")]) == 0
    assert "Cup Evening" in capsys.readouterr().out


def test_a_record_is_verified_where_its_folder_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy, record = folder.parent / "copy", str(folder.parent / "a.tabletop")
    shutil.copytree(folder, copy)
    monkeypatch.setenv("TABLETOP_HOME", str(folder.parent / "elsewhere"))
    forget()
    assert command_line.main(["verify", record]) != 0
    assert "isn't installed" in capsys.readouterr().err
    assert command_line.main(["verify", "--game", str(copy), record]) != 0
    assert f"tabletop trust {copy}" in capsys.readouterr().err
    assert command_line.main(["verify", record]) != 0
    assert f"tabletop trust {copy}" in capsys.readouterr().err
    agreements.add_own_folder(copy)
    forget()
    assert command_line.main(["verify", "--game", str(copy), record]) == 0


def test_an_unchanged_copy_of_ones_own_folder_is_ones_own(folder: Path) -> None:
    copy = folder.parent / "copy"
    shutil.copytree(folder, copy)
    (known,) = game_folders.add(copy)
    assert known.can_run()
    with (copy / "rules.py").open("a", encoding="utf-8") as file:
        file.write("\n# an edit of its owner\n")
    assert known.can_run(), "a copy is edited like the game it was copied from"


def test_a_changed_copy_asks_before_it_runs(folder: Path) -> None:
    copy = folder.parent / "copy"
    shutil.copytree(folder, copy)
    with (copy / "rules.py").open("a", encoding="utf-8") as file:
        file.write("\n# changed by somebody\n")
    (known,) = game_folders.add(copy)
    assert not known.can_run()


def test_a_name_beside_a_folder_of_that_name_says_which_is_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sun").mkdir()
    (tmp_path / "sun" / "cards.csv").write_text("name\nSun\n", "utf-8")
    assert command_line.main(["record", "sun", "--out", "a.tabletop", "--ply", "1"]) == 0
    told = capsys.readouterr().err
    assert '"sun" is the game of this program; for the folder of that name here, say ./sun' in told
    assert command_line.main(["record", "chains", "--out", "b.tabletop", "--ply", "1"]) == 0
    assert capsys.readouterr().err == ""
