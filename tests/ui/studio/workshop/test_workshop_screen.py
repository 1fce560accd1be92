"""From the shelf to a game of one's own, and back."""

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tabletop.catalogue import agreements, catalogue, game_folders
from tabletop.files import folders
from tabletop.studio.workshop import new_game as beginning
from tests.game_folders import change, laid
from tests.ui.window_driver import answering, click, settle, table
from ui.app import Window
from ui.studio.workshop.workshop_screen import WorkshopScreen


def screen(window: Window) -> WorkshopScreen:
    """The workshop, by the shelf's button."""
    click(window.shelf.commands["workshop"])
    shown = window.workshop.screen
    assert shown is not None
    assert window.stack.currentWidget() is shown
    return shown


def choose(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """The folder that the person means in the next dialogs."""
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))


@pytest.fixture(autouse=True)
def no_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")


def test_without_games_of_ones_own_no_column_is_empty(window: Window, tmp_path: Path) -> None:
    shown = screen(window)
    assert not shown._left.isVisible()
    alone = shown._sheet.width()
    for way in (shown.other, shown.take):
        assert way.visibleRegion().boundingRect() == way.rect()
    shown.left.emit()
    laid(folders.games() / "pond", "Pond")
    shown = screen(window)
    assert shown._left.isVisible()
    assert shown._sheet.width() > alone


def test_from_the_shelf_to_a_saved_change_on_the_table_and_back(
    window: Window, home: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    first = screen(window)
    assert first.own == []
    assert first.template.name == beginning.DEFAULT_TEMPLATE
    assert not first.begin.isEnabled()
    first.name.setText("Moon Tide")
    first.min_seats.setValue(3)
    click(first.begin)
    trial = window.workshop.trial
    assert "cards.csv" in trial.strip.hint.text()
    assert table(window).kit.box.seats == (3, 4, 5, 6)
    outside: list[Path] = []

    def opened(url: QUrl) -> bool:
        outside.append(Path(url.toLocalFile()))
        return True

    monkeypatch.setattr("ui.widgets.file_dialogs.shutil.which", lambda name: None)
    monkeypatch.setattr(QDesktopServices, "openUrl", opened)
    folder = folders.games() / "moon_tide"
    trial.strip.cards.trigger()
    trial.strip.folder.trigger()
    assert outside == [folder / "cards.csv", folder]
    change(folder / "cards.csv", "Drop,", "Pearl,")
    qtbot.waitUntil(lambda: any(face["name"] == "Pearl" for face in table(window).kit.deck))
    assert trial.strip.hint.isHidden()
    window.run_command("new")
    settle()
    (box,) = [box for box in window.shelf.boxes if box.game.id == "moon_tide"]
    assert box.isVisible()
    again = screen(window)
    (row,) = again.own
    assert (row.game.title, row.game.folder) == ("Moon Tide", folder)
    again.name.setText("Moon Tide")
    assert again.fault.text().startswith("That folder already exists")
    assert not again.begin.isEnabled()
    click(row.open)
    assert table(window).kit.box.title == "Moon Tide"
    assert window.workshop.trial.strip.hint.isHidden()


def test_every_template_begins_a_game_elsewhere(
    window: Window, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, template in beginning.load_templates().items():
        shown = screen(window)
        choose(monkeypatch, tmp_path)
        click(shown.elsewhere)
        click(shown.templates[name])
        assert (shown.min_seats.value(), shown.max_seats.value()) == (
            min(template.seats),
            max(template.seats),
        )
        shown.name.setText(f"Game of {name}")
        click(shown.begin)
        assert table(window).kit.folder == tmp_path / f"game_of_{name}"
        window.run_command("new")


def test_what_is_no_game_is_said_in_a_sentence(
    window: Window, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = screen(window)
    choose(monkeypatch, tmp_path)
    click(shown.other)
    assert "isn't a game folder" in window.banner.text
    same = laid(tmp_path / "sun", "Another Sun")
    choose(monkeypatch, same)
    click(shown.other)
    assert "has the id “sun”" in window.banner.text
    assert window.stack.currentWidget() is shown
    assert not agreements.list_own_folders()


@pytest.mark.parametrize("agrees", [True, False])
def test_python_of_somebody_else_runs_only_once_it_was_agreed_to(
    window: Window, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agrees: bool
) -> None:
    folder = laid(tmp_path / "pond")
    asked = answering(monkeypatch, "I agree" if agrees else "Leave it closed")
    shown = screen(window)
    choose(monkeypatch, folder)
    click(shown.other)
    assert len(asked) == 1
    assert (folder.resolve() in agreements.list_own_folders()) is agrees
    assert (window.table is not None) is agrees
    catalogue.reread("pond")


def test_broken_foreign_python_is_named_and_never_runs(
    window: Window, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = laid(tmp_path / "pond")
    change(folder / "cards.toml", "minutes = ", "minutes = x")
    shown = screen(window)
    choose(monkeypatch, folder)
    click(shown.other)
    assert "cards.toml line " in window.banner.text
    assert window.workshop.trial is None
    assert folder.resolve() not in agreements.list_own_folders()
