"""A shared game: written from a box, opened and dropped at another home, asked about once."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QFileDialog, QMenu
from pytestqt.qtbot import QtBot

from tabletop.catalogue import game_folders
from tabletop.files import folders
from tests.game_folders import begun
from tests.ui.exchange.dropping import drop
from tests.ui.window_driver import Open, answering


@pytest.fixture
def file(home: Path, opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Pond Night, shared from its box by a designer."""
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    begun(tmp_path / "pond", "free", "Pond Night")
    window = opened()
    (box,) = (each for each in window.shelf.boxes if each.game.id == "pond_night")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "pond"), ""))
    box.contextMenuEvent(
        QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(5, 5), QPoint(5, 5))
    )
    (entry,) = (a for a in box.findChild(QMenu).actions() if a.text() == "Share…")
    entry.trigger()
    assert "pond.tabletop-game" in window.banner.text
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    game_folders.clear_cache()
    return tmp_path / "pond.tabletop-game"


def test_a_dropped_game_is_asked_about_and_played(
    file: Path, opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    refused = answering(monkeypatch, "Not now")
    drop(window, file)
    qtbot.waitUntil(lambda: len(refused) == 1)
    assert '"Pond Night"' in refused[0]
    assert not folders.received().exists()
    asked = answering(monkeypatch, "Add to the shelf")
    drop(window, file)
    qtbot.waitUntil(lambda: window.new_game is not None)
    kit = window.new_game.kit
    assert kit.received.giver == "pond.tabletop-game"
    window.show_shelf()
    assert any(box.game.id == kit.id for box in window.shelf.boxes)
    window.open_file(file)  # now it is here: nobody is asked
    qtbot.waitUntil(lambda: window.new_game is not None)
    assert len(asked) == 1


def test_a_damaged_file_is_one_sentence(file: Path, opened: Open, qtbot: QtBot) -> None:
    window = opened()
    file.write_bytes(file.read_bytes()[:-40])
    window.open_file(file)
    qtbot.waitUntil(lambda: window.banner.text != "")
    assert window.banner.text.startswith('"pond.tabletop-game" can\'t be read')
