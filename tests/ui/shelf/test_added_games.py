"""Games that appear in the user's games folder, or leave it, while the shelf is visible."""

import shutil
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tabletop.commands.command_line import main
from tabletop.files import folders
from tests.ui.window_driver import Open, click
from ui.app import Window


def has_box(window: Window, game: str) -> bool:
    return game in [box.game.id for box in window.shelf.boxes if box.isVisible()]


@pytest.mark.parametrize("template", ["free", "cards"])
@pytest.mark.parametrize("exists", [True, False])
def test_a_game_made_by_a_command_appears_on_the_open_shelf(
    opened: Open, qtbot: QtBot, exists: bool, template: str
) -> None:
    if exists:
        folders.games().mkdir(parents=True)
    window = opened()
    window.show()
    assert main(["new", "Pond Night", "--template", template]) == 0
    qtbot.waitUntil(lambda: has_box(window, "pond_night"), timeout=60_000)
    box = next(box for box in window.shelf.boxes if box.game.id == "pond_night")
    click(box)
    assert window.new_game is not None
    assert window.new_game.kit.id == "pond_night"


def test_a_game_copied_file_by_file_appears(opened: Open, qtbot: QtBot, tmp_path: Path) -> None:
    made = tmp_path / "made"
    assert main(["new", "Pond Night", "--folder", str(made)]) == 0
    (target := folders.games() / "pond_night").mkdir(parents=True)
    window = opened()
    window.show()
    for file in sorted(made.iterdir()):
        with qtbot.waitSignal(window.shelf._games_watch.games_changed, timeout=60_000):
            shutil.copy(file, target)
    qtbot.waitUntil(lambda: has_box(window, "pond_night"), timeout=60_000)


def test_a_deleted_game_leaves_the_shelf(opened: Open, qtbot: QtBot) -> None:
    assert main(["new", "Pond Night"]) == 0
    window = opened()
    window.show()
    assert has_box(window, "pond_night")
    shutil.rmtree(folders.games() / "pond_night")
    qtbot.waitUntil(lambda: not has_box(window, "pond_night"), timeout=60_000)
    assert has_box(window, "sun")
