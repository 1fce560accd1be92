"""`tabletop dev`: what is opened, and what cannot be."""

from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tabletop.catalogue import agreements, game_folders
from tabletop.commands.command_line import main as run
from tabletop.studio.commands import workshop
from tabletop.studio.workshop import new_game as beginning
from tests.game_folders import change, laid


def test_a_folder_is_opened_and_counts_as_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    opened: list[object] = []

    def open_window(_: list[str], trial: object) -> int:
        opened.append(trial)
        return 0

    monkeypatch.setattr(workshop, "open_window", open_window)
    folder = laid(tmp_path / "pond")
    assert run(["dev", str(folder)]) == 2  # nobody can be asked whether its Python may run
    assert "tabletop trust" in capsys.readouterr().err
    assert folder.resolve() not in agreements.list_own_folders()
    digest = game_folders.GameFolder("pond", folder).read_content().digest
    assert run(["trust", str(folder), "--digest", digest]) == 0
    assert run(["dev", str(folder), "--seed", "7"]) == 0
    assert opened == [(folder, 0, "7")]
    change(folder / "cards.toml", '"Pond Night"', '"Pond Day"')
    assert agreements.is_allowed(
        folder, game_folders.GameFolder("pond", folder).read_content().digest
    )
    assert run(["dev", "sun"]) == 2
    assert '"sun" is part of the program' in capsys.readouterr().err
    game_folders.clear_cache()


def test_all_tables_are_drawn_on_one_sheet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    folder, out = tmp_path / "tide", tmp_path / "tide.png"
    beginning.create_game("Moon Tide", folder, "cards", (2, 3))
    agreements.add_own_folder(folder)
    assert run(["dev", str(folder), "--sheet", str(out), "--ply", "2"]) == 0
    assert "12 tables of Moon Tide" in capsys.readouterr().out
    sheet = QImage(str(out))
    ground = sheet.pixel(1, 1)
    columns = [[sheet.pixel(x, y) for y in range(110, 400, 9)] for x in range(324, 3768, 624)]
    assert all(sum(each != ground for each in column) > 20 for column in columns)
    assert columns[0] != columns[3]  # the same table in the other language
    assert run(["dev", str(folder), "--sheet", str(out / "x.png")]) == 2
    game_folders.clear_cache()
