"""Notes of a playtest: written at the table, found again and made a paper of in the
replay."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tabletop.engine.model import AUDIENCE
from tabletop.engine.scratch import FastRng
from tabletop.storage import playtest_notes
from tabletop.storage.playtest_notes import (
    MAX_NOTE_LENGTH,
    make_note,
    notes,
    notes_path,
    shared_notes_path,
)
from tabletop.storage.record import read, replay
from tests.storage.corpus import LATEST
from tests.ui.window_driver import Open, begin, click, hold, play, saving_to, settle
from ui.app import Window
from ui.match.note_sheet import NoteSheet
from ui.replay.replay_screen import ReplayScreen
from ui.replay.timeline import NOTE

CTRL = Qt.KeyboardModifier.ControlModifier


def sheet(screen: QWidget) -> NoteSheet:
    (found,) = [each for each in screen.findChildren(NoteSheet) if each.isVisible()]
    return found


def write(window: Window, screen: QWidget, text: str) -> None:
    """Write a note by the menu and the keyboard."""
    window.menus.commands["note"].trigger()
    settle()
    field = sheet(screen).field
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return, CTRL)
    settle()


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A finished match with two notes on it."""
    path = Path(shutil.copy(LATEST / "sun-2.tabletop", tmp_path / "film.tabletop"))
    playtest_notes.add(
        notes_path(path), make_note("Long wait", 9, 1, 9), make_note("What now?", 3, 0, 3)
    )
    return path


def watched(window: Window, film: Path) -> ReplayScreen:
    window.open_file(film)
    settle()
    assert window.replays.screen is not None
    return window.replays.screen


def test_a_note_is_pinned_to_its_moment_and_writer(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    assert not window.menus.commands["note"].isEnabled(), "nobody looks under the curtain"
    hold(qtbot, screen)
    looking = screen.switch.active_viewer
    play(screen, FastRng("note"))
    settle()
    match, file = screen.seated.match, screen.seated.record.file
    write(window, screen, "Did not see whose turn it is")
    (kept,) = notes(notes_path(file))
    assert (kept.text, kept.seat) == ("Did not see whose turn it is", looking)
    assert (kept.entries, kept.ply) == (len(match.record), match.view(looking).ply)
    assert "Note saved" in window.banner.text
    assert not screen.findChildren(NoteSheet)


def test_the_sheet_keeps_nothing_empty_and_nothing_endless(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window, 1)
    if screen.curtain.is_drawn:
        hold(qtbot, screen)
    window.menus.commands["note"].trigger()
    settle()
    paper = sheet(screen)
    assert not paper.save_button.isEnabled()
    paper.field.setPlainText("  \n ")
    assert not paper.save_button.isEnabled()
    paper.field.setPlainText("x" * (MAX_NOTE_LENGTH + 50))
    assert len(paper.text) == MAX_NOTE_LENGTH
    click(paper.cancel_button)
    assert notes(notes_path(screen.seated.record.file)) == ()


def test_a_replay_shows_notes_and_a_press_goes_there(opened: Open, film: Path) -> None:
    screen = watched(opened(), film)
    pins = [pin for pin in screen.timeline.marks if pin.kind == NOTE]
    assert [pin.text for pin in pins] == ["Player 1: What now?", "Player 2: Long wait"]
    click(screen.timeline, QPoint(round(screen.timeline.x_of_beat(pins[1].at)), 30))
    assert screen.playback.state(screen.at).ply == 9
    screen.dock.show_tab("notes")
    settle()
    first, second = screen.notes.panel.entries
    assert (first.property("marked"), second.property("marked")) == (False, True)
    click(first.show_it)
    assert screen.playback.state(screen.at).ply == 3
    assert first.property("marked")


def test_a_note_written_in_a_replay_appears_at_once(opened: Open, film: Path) -> None:
    window = opened()
    screen = watched(window, film)
    screen.go_to_move(5)
    write(window, screen, "Here it was decided")
    assert [line.text for line in screen.notes.panel.lines] == [
        "What now?",
        "Here it was decided",
        "Long wait",
    ]
    assert notes(notes_path(film))[1].seat == AUDIENCE


def test_without_notes_there_is_no_tab_and_nothing_to_export(opened: Open, tmp_path: Path) -> None:
    bare = Path(shutil.copy(LATEST / "sun-2.tabletop", tmp_path / "bare.tabletop"))
    screen = watched(opened(), bare)
    assert not screen.dock.tabs.isTabVisible(screen.dock.tabs.indexOf(screen.notes.panel))
    assert [action.isVisible() for action in screen.playback_bar._exports.actions()][-1] is False


def test_a_replay_writes_its_notes_with_pictures(
    opened: Open, film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    watched(window, film)
    out = tmp_path / "paper.md"
    saving_to(monkeypatch, out)
    window.run_command("notes")
    text = out.read_text("utf-8")
    assert text.index("What now?") < text.index("Long wait")
    for number in (1, 2):
        assert f"(<paper-{number}.png>)" in text
        assert not QImage(str(tmp_path / f"paper-{number}.png")).isNull()
        (tmp_path / f"paper-{number}.png").unlink()
    out.unlink()
    (tmp_path / "paper-1.png").mkdir()
    window.run_command("notes")
    assert "Can't write" in window.banner.text
    assert not out.exists(), "no text that names pictures which are not there"


def test_a_shared_tables_notes_join_its_record(opened: Open) -> None:
    window = opened()
    match = replay(read(LATEST / "sun-2.tabletop"))
    playtest_notes.add(shared_notes_path("table/1"), make_note("Line was slow", 4, 0))
    kept = window.matches._keep_shared(match, "table/1")
    assert kept is not None
    assert [each.text for each in notes(notes_path(kept))] == ["Line was slow"]
    assert not shared_notes_path("table/1").exists()
    window.replays.open(kept)
    assert [line.text for line in window.replays.screen.notes.lines] == ["Line was slow"]
