"""Matches on the disk, as the shelf shows them: nothing is played through for a picture."""

import pytest
from pytestqt.qtbot import QtBot

from tabletop.engine.scratch import Luck
from tabletop.storage import folders, glimpses
from tests.ui.window_driver import Open, begin, pass_on
from ui.shelf import stored_matches


def test_a_picture_is_drawn_anew_without_playing_the_match_through(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    pass_on(qtbot, begin(window), Luck(1), 5)
    window.do("leave")
    (picture,) = folders.matches().glob("*.png")
    drawn = picture.read_bytes()
    picture.unlink()

    def fails(*_: object) -> None:
        raise AssertionError("played through")

    monkeypatch.setattr(glimpses, "plies", fails)
    found, _ = stored_matches.waiting(window.context)
    assert stored_matches.draw_late(window.context, found)
    assert picture.read_bytes() == drawn
    assert not stored_matches.draw_late(window.context, stored_matches.waiting(window.context)[0])
