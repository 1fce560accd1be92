"""Replays are listed while they are read; the window never waits for the disk."""

import os
import shutil
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tabletop.files import folders
from tabletop.storage import saved_matches
from tabletop.storage.record import read, save
from tests.storage.corpus import LATEST
from tests.ui.replay.listed_replays import rows, show_replays
from tests.ui.window_driver import Open, settle
from ui.replay import replay_loader
from ui.replay.replay_list import ReplayList
from ui.replay.replay_model import FILE_ROLE, MONTH_ROLE
from ui.shelf.thumbnails import Thumbnails
from ui.shell.background_call import run_in_background

MANY = 2000


class StalledDisk:
    """Gives the content of a few files, and of the others once `go` is set."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.waits = threading.Event()
        self.read: list[str] = []
        self.left = 0
        """The files that are read without waiting."""
        self._contents = saved_matches.read_content

    def contents(self, path: Path) -> bytes:
        if self.left == 0:
            self.waits.set()
            assert self.go.wait(300)
        else:
            self.left -= 1
        self.read.append(path.name)
        return self._contents(path)


@pytest.fixture
def disk(opened: Open, monkeypatch: pytest.MonkeyPatch) -> StalledDisk:
    """The disk of the replays, which are read in a thread as people have it."""
    monkeypatch.setattr(replay_loader, "run_in_background", run_in_background)
    monkeypatch.setattr(Thumbnails, "_read_next", lambda _: None)
    stalled = StalledDisk()
    monkeypatch.setattr(saved_matches, "read_content", stalled.contents)
    folders.replays().mkdir(parents=True)
    return stalled


def replays_of(days: dict[str, int]) -> None:
    """Replays by name, each of a day of October; the last written are those of the latest day."""
    record = read(LATEST / "sun-2.tabletop")
    for name, day in days.items():
        path = folders.replays() / f"{name}.tabletop"
        when = datetime(2026, 10, day, 12, tzinfo=UTC)
        save(replace(record, header=replace(record.header, created=when)), path)
        os.utime(path, (when.timestamp(), when.timestamp()))


def names(listed: ReplayList) -> list[str]:
    return [row.data(FILE_ROLE).stem for row in rows(listed) if not row.data(MONTH_ROLE)]


def threads_end(name: str = "replays") -> Callable[[], bool]:
    return lambda: all(thread.name != name for thread in threading.enumerate())


def test_two_thousand_replays_on_a_stalled_disk(
    opened: Open, qtbot: QtBot, disk: StalledDisk
) -> None:
    shutil.copy(LATEST / "sun-2.tabletop", folders.replays() / "0000.tabletop")
    for number in range(1, MANY):
        os.link(folders.replays() / "0000.tabletop", folders.replays() / f"{number:04}.tabletop")
    disk.left = 5
    window = opened()
    listed = show_replays(window)
    qtbot.waitUntil(lambda: len(rows(listed)) == 5)
    assert listed.loader.loading
    listed.filter.search.setText("nobody")
    assert rows(listed) == []
    listed.filter.search.clear()
    assert len(rows(listed)) == 5
    QTest.keyClick(listed.shown, Qt.Key.Key_Escape)
    assert window.stack.currentWidget() is window.shelf
    disk.go.set()
    qtbot.waitUntil(threads_end())
    assert len(disk.read) <= 6, "leaving stops the thread"
    settle()
    disk.read.clear()
    listed = show_replays(window)
    qtbot.waitUntil(lambda: not listed.loader.loading)
    assert len(disk.read) >= MANY - 6, "what was read before is in the index"
    assert len(disk.read) < MANY
    assert len(rows(listed)) < MANY, "the view gets more when it is scrolled"
    listed.shown.selectAll()
    assert len(listed.selected_files) == MANY
    disk.read.clear()
    listed = show_replays(window)
    qtbot.waitUntil(lambda: not listed.loader.loading)
    assert disk.read == []
    listed.shown.scrollToBottom()
    qtbot.waitUntil(lambda: len(rows(listed)) > 300)


def test_rows_come_to_their_places_and_the_choice_stays(
    opened: Open, qtbot: QtBot, disk: StalledDisk
) -> None:
    replays_of({"second": 20, "fourth": 10})
    disk.go.set()
    saved_matches.finished_matches()
    replays_of({"first": 25, "third": 15, "fifth": 5})
    disk.go.clear()
    listed = show_replays(opened())
    qtbot.waitUntil(lambda: names(listed) == ["second", "fourth"])
    assert [file.stem for file in listed.selected_files] == ["second"]
    qtbot.waitUntil(disk.waits.is_set)
    QTest.keyClick(listed.shown, Qt.Key.Key_Right)
    assert [file.stem for file in listed.selected_files] == ["fourth"]
    disk.go.set()
    qtbot.waitUntil(lambda: not listed.loader.loading)
    assert names(listed) == ["first", "second", "third", "fourth", "fifth"]
    assert [file.stem for file in listed.selected_files] == ["fourth"]


def test_while_nothing_is_chosen_the_newest_is(
    opened: Open, qtbot: QtBot, disk: StalledDisk
) -> None:
    replays_of({"second": 20})
    disk.go.set()
    saved_matches.finished_matches()
    replays_of({"first": 25})
    disk.go.clear()
    listed = show_replays(opened())
    qtbot.waitUntil(lambda: names(listed) == ["second"])
    disk.go.set()
    qtbot.waitUntil(lambda: not listed.loader.loading)
    assert [file.stem for file in listed.selected_files] == ["first"]


def test_what_goes_while_others_load_stays_away(
    opened: Open, qtbot: QtBot, disk: StalledDisk
) -> None:
    replays_of({"first": 25, "second": 20, "third": 15})
    disk.left = 1
    listed = show_replays(opened())
    qtbot.waitUntil(lambda: names(listed) == ["first"])
    listed.change([folders.replays() / "second.tabletop"], ())
    disk.go.set()
    qtbot.waitUntil(lambda: not listed.loader.loading)
    assert names(listed) == ["first", "third"]


def test_another_language_lists_all_again_with_the_choice(
    opened: Open, qtbot: QtBot, disk: StalledDisk
) -> None:
    replays_of({"first": 25, "second": 20})
    disk.go.set()
    window = opened()
    listed = show_replays(window)
    qtbot.waitUntil(lambda: not listed.loader.loading)
    QTest.keyClick(listed.shown, Qt.Key.Key_Right)
    month = listed.filter.choices["month"]
    month.setCurrentIndex(1)
    assert month.currentText() == "October 2026"
    window.context.change_settings(language="ja")
    qtbot.waitUntil(lambda: not listed.loader.loading)
    assert names(listed) == ["first", "second"]
    assert [file.stem for file in listed.selected_files] == ["second"]
    assert month.currentText() == "2026年10月"


def test_a_list_that_is_late_says_so(opened: Open, qtbot: QtBot, disk: StalledDisk) -> None:
    replays_of({"first": 25})
    listed = show_replays(opened())
    qtbot.waitUntil(listed._none.isVisible)
    assert listed._none.text() == "Loading…"
    assert listed.buttons["open_replay"].hasFocus()
    disk.go.set()
    qtbot.waitUntil(lambda: names(listed) == ["first"])
    assert not listed._none.isVisible()
    assert listed.shown.hasFocus()
