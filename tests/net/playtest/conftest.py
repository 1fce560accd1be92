"""Where what is received at tables is kept."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.catalogue import game_folders


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of its own, at which nothing has been received."""
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    game_folders.look_again()
    yield tmp_path / "home"
    game_folders.look_again()
