"""Matches on the disk, as the shelf shows them: nothing is played through for a picture."""

import pytest
from pytestqt.qtbot import QtBot

from tabletop.engine.scratch import Luck
from tabletop.files import folders
from tabletop.storage import save_summaries, snapshots
from tests.ui.window_driver import Open, begin, pass_on, settle


def fails(*_: object) -> None:
    raise AssertionError("played through")


def test_a_long_match_opens_without_its_early_moves(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "LONG", 5)
    monkeypatch.setattr(snapshots, "AT_HAND", 3)
    window = opened()
    pass_on(qtbot, begin(window), Luck(1), 9)
    assert window.table is not None
    left = window.table.seats_here.match
    assert left is not None
    window.do("leave")
    (file,) = folders.matches().glob("*.tabletop")
    with monkeypatch.context() as watched:
        watched.setattr(snapshots, "plies", fails)
        watched.setattr(snapshots, "replay", fails)
        window.continue_match(file)
        settle()
        assert window.table is not None
        again = window.table.seats_here.match
        assert again is not None
        assert again.state == left.state
    assert again.plies == left.plies


def test_a_picture_is_redrawn_without_replaying(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    pass_on(qtbot, begin(window), Luck(1), 5)
    window.do("leave")
    (picture,) = folders.matches().glob("*.png")
    drawn = picture.read_bytes()
    picture.unlink()
    monkeypatch.setattr(save_summaries, "plies", fails)
    window.show_shelf()
    qtbot.waitUntil(picture.is_file)
    qtbot.waitUntil(lambda: not window.shelf.thumbnails.waiting)
    assert picture.read_bytes() == drawn
