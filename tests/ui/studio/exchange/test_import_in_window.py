"""Another program's game: chosen in the workshop, shown, made, on the table."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tabletop.catalogue import game_folders
from tabletop.exchange.file_kinds import IMPORT_SUFFIXES
from tabletop.files import folders
from tabletop.files.folders import SUFFIX
from tests.studio.exchange.other_programs import picture, udonarium
from tests.ui.exchange.dropping import drop
from tests.ui.window_driver import Open, click, table
from ui.studio.exchange.import_dialog import ImportDialog


def said(dialog: ImportDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def test_a_zip_is_shown_and_becomes_a_table(
    opened: Open, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    window = opened()
    click(window.shelf.commands["workshop"])
    (tmp_path / "池.zip").write_bytes(udonarium())
    chosen = lambda *_: (str(tmp_path / "池.zip"), "")  # noqa: E731
    monkeypatch.setattr(QFileDialog, "getOpenFileName", chosen)
    window.workshop.screen.take.menu().actions()[0].trigger()
    qtbot.waitUntil(lambda: window.exchange.imports.dialog is not None)
    dialog = window.exchange.imports.dialog
    told = said(dialog)
    assert "From Udonarium: decks 3, cards 6" in told
    assert "cards: 4 · different: 3 · backs: 1" in told
    assert "Pictures that aren't in it: 1" in told
    assert "Dice: 2, sides: 6" in told
    assert "Not imported: terrain (1)" in told
    dialog.title.setText("Pond")
    click(dialog.make)
    qtbot.waitUntil(lambda: window.table is not None)
    assert table(window).kit.box.title == "Pond"
    folder = folders.games() / "pond"
    assert Path(str(table(window).kit.folder)) == folder
    mine = (folder / "free.toml").read_text("utf-8") + "# mine\n"
    (folder / "free.toml").write_text(mine, "utf-8")
    window.exchange.open(tmp_path / "池.zip")
    qtbot.waitUntil(lambda: window.exchange.imports.dialog is not dialog)
    update = window.exchange.imports.dialog.update_button
    assert update.text() == "Update “Pond”"
    with qtbot.waitSignal(window.exchange.game_created):
        click(update)
    assert [each.name for each in folders.games().iterdir()] == ["pond"]
    assert (folder / "free.toml").read_text("utf-8") == mine


def test_a_folder_of_pictures_is_dropped_and_refused(
    opened: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    window = opened()
    (tmp_path / "empty").mkdir()
    window.open_file(tmp_path / "empty")
    qtbot.waitUntil(lambda: window.banner.text != "")
    assert window.banner.text == '"empty" holds no game that can be imported.'
    (tmp_path / "empty" / "a.png").write_bytes(picture("red"))
    window.open_file(tmp_path / "empty")
    qtbot.waitUntil(lambda: window.exchange.imports.dialog is not None)
    window.exchange.imports.dialog.reject()
    assert not folders.games().exists() or not list(folders.games().iterdir())


def test_the_dialog_shows_all_that_can_be_opened(
    opened: Open, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    file, kinds = tmp_path / "room.zip", list[str]()
    file.write_bytes(udonarium())

    def choose(parent: QWidget, title: str, where: str, filters: str) -> tuple[str, str]:
        kinds.append(filters)
        return str(file), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", choose)
    window.run_command("open")
    qtbot.waitUntil(lambda: window.exchange.imports.dialog is not None)
    window.exchange.imports.dialog.reject()
    first = kinds[0].partition(";;")[0]
    assert all(f"*{each}" in first for each in (SUFFIX, *IMPORT_SUFFIXES))


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("deck.xlsx", "deck.xlsx can't be read: it is no workbook"),
        ("カード.csv", "カード.csv row 1: no column is called"),
        ("deck.numbers", '"deck.numbers" can\'t be read as it is: save the sheet as CSV'),
        (
            "home.tar.gz",
            '"home.tar.gz" can\'t be read as it is. If `tabletop home export` made it, merge it '
            "with `tabletop home import`. Otherwise unpack it first.",
        ),
        ("deck.rar", '"deck.rar" can\'t be read as it is: unpack it first.'),
        ("carp.PNG", '"carp.PNG" is a single picture. Import the folder'),
        ("deck.json", '"deck.json" holds no game that can be imported.'),
        ("room.pcio", '"room.pcio" holds no game that can be imported.'),
        ("notes.txt", '"notes.txt" isn\'t a Tabletop save or replay.'),
        ("pond", '"pond" isn\'t a Tabletop save or replay.'),
    ],
)
def test_what_is_dropped_is_opened_or_named(
    name: str, sentence: str, opened: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    window = opened()
    (tmp_path / name).write_text("{}")
    drop(window, tmp_path / name)
    qtbot.waitUntil(lambda: window.banner.text != "")
    assert window.banner.text.startswith(sentence)
