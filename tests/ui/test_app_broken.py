"""One game that cannot be read does not stop the others."""

from importlib import import_module

import pytest
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tests.ui.window_driver import Open, begin, hold, play


def test_a_game_that_cannot_be_read_is_left_out_and_named(
    opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    def read(name: str) -> object:
        if "chains" in name:
            raise ImportError("its rules are torn")
        return import_module(name)

    monkeypatch.setattr(catalogue, "import_module", read)
    monkeypatch.setattr(catalogue, "loader", catalogue.GameLoader())
    window = opened()
    (box,) = [box for box in window.shelf.boxes if box.game.id == "chains"]
    for press in (box.clicked, box.play_button.clicked):
        window.banner.hide()
        press.emit()
        assert window.banner.text == "Couldn't be read: chains"
        assert window.stack.currentWidget() is window.shelf
    screen = begin(window)
    hold(qtbot, screen)
    play(screen, FastRng(1))
    assert screen.seated.match.state.ply == 1
