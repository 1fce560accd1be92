"""Game files of strangers, looked into in a worker process: one sentence each, and no harm here."""

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.background.worker_process import (
    FailureCause,
    WorkerCall,
    WorkerCancelled,
    WorkerFailed,
)
from tabletop.exchange import game_file
from tabletop.exchange.game_file import GameFile
from tabletop.exchange.guarded_reading import (
    FAILURE_SENTENCES,
    is_game_file,
    read_game_file_guarded,
)
from tabletop.exchange.zip_archive import pack_zip
from tabletop.files.errors import BadFile
from tabletop.games.folder_content import read_game_files
from tests.net.playtest.prototypes import prototype

HOME = Path(__file__).parents[2]
ENTRIES = {"reading.look", "game_file.read_game_file", "game_file.read_game_archive"}
"""Functions that decode a stranger's file in the process that calls them."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))


def game_file_at(folder: Path) -> Path:
    file = folder / "pond.tabletop-game"
    file.write_bytes(pack_zip(read_game_files(prototype(folder / "pond"))))
    return file


def test_a_worker_finds_the_game_of_a_file(tmp_path: Path) -> None:
    file = game_file_at(tmp_path)
    assert is_game_file(file)
    assert read_game_file_guarded(file).run() == game_file.read_game_file(file)


def test_a_file_that_holds_no_game_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "pond.tabletop-game").write_text("{}")
    with pytest.raises(BadFile, match="it is no zip archive, or is damaged"):
        read_game_file_guarded(tmp_path / "pond.tabletop-game").run()
    with pytest.raises(BadFile, match="Can't read"):
        read_game_file_guarded(tmp_path / "gone.tabletop-game").run()


@pytest.mark.parametrize("cause", FAILURE_SENTENCES)
def test_each_cause_is_one_sentence(
    cause: FailureCause, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise WorkerFailed(cause)

    monkeypatch.setattr(WorkerCall, "run", fail)
    (tmp_path / "a.tabletop-game").touch()
    with pytest.raises(BadFile, match=r'"a\.tabletop-game"'):
        read_game_file_guarded(tmp_path / "a.tabletop-game").run()


def test_a_cancelled_reading_is_told_apart(tmp_path: Path) -> None:
    look = read_game_file_guarded(game_file_at(tmp_path))
    look.cancel()
    with pytest.raises(WorkerCancelled):
        look.run()


def returning(monkeypatch: pytest.MonkeyPatch, found: GameFile) -> None:
    """Have the worker return this, as one that a stranger has taken over could."""
    monkeypatch.setattr(WorkerCall, "run", lambda _: found)


@pytest.mark.parametrize(
    "change",
    [
        lambda game: replace(game, digest="0" * 64),
        lambda game: replace(game, id="../pond"),
        lambda game: replace(game, files=game.files | {"rules.py": b""}),
        lambda game: replace(game, files=game.files | {"heron.png": b"<svg/>"}),
    ],
)
def test_a_game_file_that_no_reader_returns_is_refused(
    change: Callable[[GameFile], GameFile], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = game_file.read_game_file(game_file_at(tmp_path))
    assert isinstance(sound, GameFile)
    returning(monkeypatch, change(sound))
    with pytest.raises(BadFile, match="it is damaged"):
        read_game_file_guarded(tmp_path / "pond.tabletop-game").run()


def test_only_workers_look_into_files_of_strangers() -> None:
    found = set()
    for part in ("tabletop", "ui"):
        for file in (HOME / part).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Attribute) and ast.unparse(node) in ENTRIES:
                    found.add(file.relative_to(HOME).as_posix())
    studio = "tabletop/studio/exchange"
    assert found == {
        "tabletop/exchange/guarded_reading.py",
        f"{studio}/guarded_import.py",
        f"{studio}/reading.py",
    }
