"""Safety against power cuts: new folders and names are synced, not only the files' contents."""

import os
from pathlib import Path

import pytest

from tabletop.catalogue import catalogue
from tabletop.files import folders
from tabletop.match.match import Player
from tabletop.storage import saved_matches, settings
from tabletop.storage.settings import Settings
from tests.storage.played_matches import play


class Synced:
    """The folders that were synced, in order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._real = os.fsync
        self._numbers: list[tuple[int, int]] = []
        monkeypatch.setattr(os, "fsync", self._sync)

    def _sync(self, file: int) -> None:
        self._real(file)
        found = os.fstat(file)
        self._numbers.append((found.st_dev, found.st_ino))

    def __contains__(self, folder: Path) -> bool:
        found = folder.stat()
        return (found.st_dev, found.st_ino) in self._numbers

    def forget(self) -> None:
        self._numbers.clear()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "a" / "home"))
    return tmp_path / "a" / "home"


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> Synced:
    if os.name != "posix":
        pytest.skip("folders cannot be opened here")
    return Synced(monkeypatch)


def left(moves: int) -> Path:
    """A match that was played so far and left."""
    match = saved_matches.begin(catalogue.load("sun"), (Player("Ann"), Player("Bea")), seed="1")
    play(match, moves)
    match.journal.close()
    return match.journal.path


def test_new_folders_are_synced_in_those_they_lie_in(
    home: Path, synced: Synced, tmp_path: Path
) -> None:
    settings.save(Settings())
    assert tmp_path in synced
    assert home.parent in synced
    assert home in synced
    synced.forget()
    left(1)
    assert home in synced
    assert folders.matches() in synced


@pytest.mark.parametrize("act", ["keep", "delete", "bring back"])
def test_a_match_that_moves_is_synced_at_both_ends(act: str, home: Path, synced: Synced) -> None:
    path = left(10_000 if act == "keep" else 3)
    if act == "bring back":
        path = saved_matches.move_to_trash(path)
    synced.forget()
    does = {
        "keep": saved_matches.move_to_replays,
        "delete": saved_matches.move_to_trash,
        "bring back": saved_matches.restore_match,
    }
    target = does[act](path)
    assert target.parent in synced
    assert path.parent in synced
    if act == "delete":
        assert folders.trash() in synced, "the day's folder is new in it"
