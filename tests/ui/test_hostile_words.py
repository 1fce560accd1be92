"""What others have written stands in matches, replays and lists letter by letter, and opens no
file: names, titles, notes, comments, as markup."""

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from tabletop.files import folders
from tabletop.match.match import Player
from tabletop.storage import playtest_notes, record
from tests.storage.corpus import LATEST
from tests.ui.hostile_words import SAID, times_said
from tests.ui.late_matches import near_its_end
from tests.ui.window_driver import Open, answering, click, settle
from tests.watched_files import linux_only

pytestmark = [linux_only, pytest.mark.usefixtures("shut_file")]


def test_a_table_and_its_score_sheet(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, "Concede")
    window = opened()
    bot = Player(SAID, "moon", "bot")
    screen = near_its_end(window, players=(Player(SAID, "sun"), bot))
    for tab in ("now", "card", "log", "rules", "actions"):
        screen.dock.show_tab(tab)
        assert times_said(window)
    window.run_command("concede")
    settle()
    assert screen.ending.sheet.isVisible()
    assert times_said(window)


@pytest.fixture
def film(opened: Open, tmp_path: Path, home: Path) -> Path:
    """A finished match whose title, players, comments and notes are markup."""
    path = Path(shutil.copy(LATEST / "sun-2.tabletop", tmp_path / "film.tabletop"))
    saved = record.read(path)
    players = tuple(replace(each, name=SAID) for each in saved.header.players)
    header = replace(saved.header, players=players)
    record.save(replace(saved, header=header, comments={2: SAID}, name=SAID), path)
    noted = playtest_notes.make_note(SAID, 2, 1, 2, name=SAID)
    playtest_notes.add(playtest_notes.notes_path(path), noted)
    return path


def test_a_replay_its_notes_and_its_review(opened: Open, qtbot: QtBot, film: Path) -> None:
    window = opened()
    window.open_file(film)
    settle()
    screen = window.replays.screen
    assert screen is not None
    assert times_said(window) >= 2
    screen.go_to_beat(2)
    assert screen.comment_bar.comment == SAID
    assert times_said(window) >= 3
    for tab in ("notes", "card", "log"):
        screen.dock.show_tab(tab)
        assert times_said(window)
    screen.set_viewer(1)
    click(screen.playback_bar.buttons["review"])
    qtbot.waitUntil(lambda: bool(screen.reviewer.findings))
    assert times_said(window) >= 2


def test_lists_of_matches(opened: Open, film: Path) -> None:
    window = opened()
    near_its_end(window, players=(Player(SAID, "sun"), Player(SAID, "moon")))
    window.show_shelf()
    assert times_said(window)  # it can be continued
    folders.replays().mkdir(parents=True, exist_ok=True)
    shutil.copy(film, folders.replays())
    window.run_command("replays")
    settle()
    assert times_said(window)
