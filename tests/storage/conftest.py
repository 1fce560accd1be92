"""A home of its own for each test, where all that is written comes to the disk."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.engine.model import Reason
from tabletop.files import small_file


@pytest.fixture(autouse=True)
def unsynced() -> None:
    """Nothing is left out."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of everything that the program keeps."""
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def told() -> Iterator[list[Reason]]:
    """The notices to the person."""
    reasons: list[Reason] = []
    small_file.set_notice_handler(reasons.append)
    yield reasons
    small_file.set_notice_handler(lambda _: None)
