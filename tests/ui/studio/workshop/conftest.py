"""A game of one's own, and the window in which it is made."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.catalogue import agreements, game_folders
from tabletop.studio.workshop import new_game as beginning
from tests.ui.window_driver import Open
from ui.app import Window


@pytest.fixture
def folder(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A game created from a template."""
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    folder = tmp_path / "pond"
    beginning.create_game("Pond Night", folder, "cards")
    agreements.add_own_folder(folder)
    game_folders.add(folder)
    yield folder
    game_folders.clear_cache()


@pytest.fixture
def window(opened: Open) -> Window:
    return opened()
