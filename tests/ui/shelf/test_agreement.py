"""A box outside the package: its owner is asked at the first click; it cannot harm the shelf."""

from pathlib import Path

import pytest

from tabletop.catalogue import agreements, catalogue
from tabletop.files import folders
from tests.game_folders import laid
from tests.ui.window_driver import Open, answering, click
from ui.app import Window
from ui.widgets.game_box import GameBox


def pond(window: Window) -> GameBox:
    return next(box for box in window.shelf.boxes if box.game.id == "pond")


def test_the_first_click_asks_and_then_never_again(
    home: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid(folders.games() / "pond")
    window = opened()
    box = pond(window)
    assert box.status_line == "Asks before running"
    questions = answering(monkeypatch, "Leave it closed")
    click(box)
    assert "anything on this computer" in questions[0]
    assert window.new_game is None
    questions = answering(monkeypatch, "I agree")
    click(box)
    assert window.new_game.kit is catalogue.load("pond")
    window.show_shelf()
    click(pond(window))
    assert len(questions) == 1
    assert pond(window).status_line.startswith("Draft")


def test_a_box_whose_drawing_misbehaves_has_the_plain_one(home: Path, opened: Open) -> None:
    folder = laid(folders.games() / "pond")
    agreements.add_own_folder(folder)
    (folder / "assets").mkdir()
    (folder / "assets" / "box-front.svg").write_text(
        "<svg>{{ t.__class__.__base__.__subclasses__() }}</svg>"
    )
    (folder / "assets" / "box-spine.svg").write_text("{% nonsense %}")
    window = opened()
    assert pond(window).natural.height() > 100
    click(pond(window))
    assert window.new_game is not None


def test_a_folder_that_cannot_be_read_is_told_with_its_reason(home: Path, opened: Open) -> None:
    folder = laid(folders.games() / "pond")
    agreements.add_own_folder(folder)
    (folder / "rules.py").write_text("class Rules:\n    def __init__(self, deck): deck[0]['no']\n")
    window = opened()
    assert window.banner.text == "Couldn't be read: pond (KeyError: 'no')"
