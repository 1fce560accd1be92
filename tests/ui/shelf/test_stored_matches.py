"""Matches on the disk, as the shelf shows them: nothing is played through for a picture."""

import pytest
from pytestqt.qtbot import QtBot

from tabletop.engine.scratch import FastRng
from tabletop.files import folders
from tabletop.storage import save_summaries
from tests.ui.window_driver import Open, begin, pass_on


def fails(*_: object) -> None:
    raise AssertionError("played through")


def test_a_picture_is_redrawn_without_replaying(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    pass_on(qtbot, begin(window), FastRng(1), 5)
    window.run_command("leave")
    (picture,) = folders.matches().glob("*.png")
    drawn = picture.read_bytes()
    picture.unlink()
    monkeypatch.setattr(save_summaries, "plies", fails)
    window.show_shelf()
    qtbot.waitUntil(picture.is_file)
    qtbot.waitUntil(lambda: not window.shelf.thumbnails.is_busy)
    assert picture.read_bytes() == drawn
