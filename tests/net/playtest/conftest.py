"""Where what is received at tables is kept."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.catalogue import game_folders, kept_games


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of its own, at which nothing has been received. It is the guests' as well as the
    host's, so nothing is kept there of the host's games."""
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(kept_games, "keep_version", lambda kit: None)
    game_folders.clear_cache()
    yield tmp_path / "home"
    game_folders.clear_cache()
