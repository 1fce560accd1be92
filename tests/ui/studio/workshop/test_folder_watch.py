"""A game's folder that is watched while others write there, and in ways of their own."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from tests.ui.window_driver import PATIENCE
from ui.studio.workshop.folder_watch import FolderWatch


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "games" / "pond"
    (made / "pictures").mkdir(parents=True)
    (made / "cards.csv").write_text("name")
    (made / "pictures" / "heron.svg").write_text("<svg/>")
    return made


def copy(folder: Path) -> Path:
    """Another folder with the same files, as a sync client makes it."""
    return Path(shutil.copytree(folder, folder.with_name("pond.partial")))


def deleted_and_put_back(folder: Path, qtbot: QtBot, watch: FolderWatch) -> None:
    again = copy(folder)
    with qtbot.waitSignal(watch.changed, timeout=PATIENCE):
        shutil.rmtree(folder)
    with qtbot.waitSignal(watch.changed, timeout=PATIENCE):
        again.rename(folder)


def swapped(folder: Path, qtbot: QtBot, watch: FolderWatch) -> None:
    again = copy(folder)
    with qtbot.waitSignal(watch.changed, timeout=PATIENCE):
        folder.rename(folder.with_name("pond.old"))
        again.rename(folder)


def inner_folder_swapped(folder: Path, qtbot: QtBot, watch: FolderWatch) -> None:
    inner = folder / "pictures"
    again = copy(inner)
    with qtbot.waitSignal(watch.changed, timeout=PATIENCE):
        inner.rename(folder.parent / "old")
        again.rename(inner)


def nothing(folder: Path, qtbot: QtBot, watch: FolderWatch) -> None: ...


@pytest.mark.parametrize("replace", [nothing, deleted_and_put_back, swapped, inner_folder_swapped])
@pytest.mark.parametrize("name", ["cards.csv", "pictures/heron.svg"])
def test_a_replaced_folder_is_watched_on(replace, name: str, folder: Path, qtbot: QtBot) -> None:
    owner = QObject()
    watch = FolderWatch(folder, owner)
    replace(folder, qtbot, watch)
    with qtbot.waitSignal(watch.changed, timeout=PATIENCE), open(folder / name, "a") as file:
        file.write("changed")
    watch.end()


def test_what_is_saved_beside_the_folder_changes_nothing(folder: Path, qtbot: QtBot) -> None:
    owner = QObject()
    watch = FolderWatch(folder, owner)
    heard: list[bool] = []
    watch.changed.connect(lambda: heard.append(True))
    (folder.parent / "letter.txt").write_text("x")
    with qtbot.waitSignal(watch.changed, timeout=PATIENCE):
        (folder / "words.toml").write_text("")
    assert heard == [True]
    watch.end()
