"""Where the program's files are, as the environment says."""

from pathlib import Path

import pytest

from tabletop.catalogue import game_folders
from tabletop.files import folders
from tabletop.studio.workshop.new_game import DEFAULT_TEMPLATE, create_game


def test_a_tilde_that_no_shell_has_read_is_the_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("TABLETOP_HOME", "~/kept")
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "~/mine")
    assert folders.games() == tmp_path / "kept" / "games"
    create_game("Pond", tmp_path / "mine" / "pond", DEFAULT_TEMPLATE)
    assert tmp_path / "mine" / "pond" in [
        folder.path for folder in game_folders.folders_by_id().values()
    ]
