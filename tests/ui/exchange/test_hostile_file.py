"""A file that takes for ever to read: the window goes on meanwhile, and the person can cancel."""

from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from tabletop.background import worker_process
from tabletop.background.worker_process import WorkerLimits
from tabletop.catalogue import receiving
from tabletop.engine.scratch import FastRng
from tabletop.exchange import guarded_reading
from tabletop.exchange.zip_archive import pack_zip
from tabletop.files import folders
from tabletop.games.folder_content import read_game_files
from tests.exchange.hostile_reading import NEVER_END, NEVER_END_KEEPING, STARTED
from tests.net.playtest.prototypes import prototype
from tests.ui.exchange.dropping import drop
from tests.ui.window_driver import Open, answering, begin, click, pass_on, settle
from ui.app import Window
from ui.exchange.file_reading import FileReading, ReadingNotice


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that is read for ever."""
    monkeypatch.setattr(guarded_reading, "_READ_TASK", NEVER_END)
    limit(monkeypatch, cpu=10_000.0)
    (tmp_path / "hostile.tabletop-game").write_bytes(b"PK")
    return tmp_path / "hostile.tabletop-game"


def limit(monkeypatch: pytest.MonkeyPatch, cpu: float) -> None:
    limits = WorkerLimits(memory=256 << 20, cpu=cpu, output=1 << 20, wall=20_000.0)
    monkeypatch.setattr(guarded_reading, "limits_for", lambda size: limits)


def notices(window: Window) -> list[ReadingNotice]:
    return [each for each in window.findChildren(ReadingNotice) if each.isVisible()]


def read(qtbot: QtBot, window: Window, file: Path) -> ReadingNotice:
    """Drop the file, and wait until its reader runs and the window says so."""
    drop(window, file)
    qtbot.waitUntil(lambda: bool(notices(window)))
    qtbot.waitUntil(file.with_suffix(f".{STARTED}").exists)
    assert len(worker_process._running_calls) == 1
    return notices(window)[0]


def all_ended(window: Window) -> bool:
    return not (
        worker_process._running_calls or notices(window) or window.findChildren(FileReading)
    )


def test_a_match_goes_on_while_a_file_is_read(hostile: Path, opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    ticks: list[int] = []
    clock = QTimer(window, interval=1)
    clock.timeout.connect(lambda: ticks.append(len(ticks)))
    clock.start()
    notice = read(qtbot, window, hostile)
    assert notice.text == "Reading “hostile.tabletop-game”…"
    before, moves = len(ticks), len(screen.switch.shown_seat.log) if screen.switch.shown_seat else 0
    pass_on(qtbot, screen, FastRng("hostile"), 4)
    qtbot.waitUntil(lambda: len(ticks) > before + 20)
    assert screen.switch.shown_seat is not None
    assert len(screen.switch.shown_seat.log) > moves
    assert worker_process._running_calls, "it is still being read"
    click(notice.cancel)
    qtbot.waitUntil(lambda: all_ended(window))
    assert window.banner.text == ""


def test_the_reader_is_ended_at_its_limit(
    hostile: Path, opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit(monkeypatch, cpu=0.5)
    window = opened()
    drop(window, hostile)
    qtbot.waitUntil(lambda: window.banner.text != "")
    assert window.banner.text == '"hostile.tabletop-game" takes longer to read than any game.'
    qtbot.waitUntil(lambda: all_ended(window))


def test_a_window_that_closes_ends_its_readers(hostile: Path, opened: Open, qtbot: QtBot) -> None:
    window = opened()
    read(qtbot, window, hostile)
    window.close()
    qtbot.waitUntil(lambda: not worker_process._running_calls)


def test_the_notice_stays_in_a_window_of_another_size(
    hostile: Path, opened: Open, qtbot: QtBot
) -> None:
    window = opened()
    notice = read(qtbot, window, hostile)
    window.resize(window.width() - 300, window.height())
    settle()
    assert abs(notice.geometry().center().x() - window.rect().center().x()) <= 1
    notice.cancel.click()
    qtbot.waitUntil(lambda: all_ended(window))


def test_a_file_read_soon_shows_no_notice(opened: Open, qtbot: QtBot, tmp_path: Path) -> None:
    window = opened()
    shown: list[str] = []
    (tmp_path / "deck.json").write_text("{}")
    drop(window, tmp_path / "deck.json")
    (reading,) = window.findChildren(FileReading)
    reading._delay.timeout.connect(lambda: shown.append("late"))
    reading._delay.setInterval(600_000)
    qtbot.waitUntil(lambda: window.banner.text != "")
    assert shown == []
    assert notices(window) == []


def test_keeping_a_game_is_cancelled_and_keeps_nothing(
    opened: Open, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between "Add to the shelf" and the game nothing was shown, and nothing could be cancelled."""
    with monkeypatch.context() as hostile:
        hostile.setattr(receiving, "_FIND_FAULT_TASK", NEVER_END_KEEPING)
        limits = WorkerLimits(memory=256 << 20, cpu=10_000.0, output=1 << 20, wall=20_000.0)
        hostile.setattr(receiving, "limits_for", lambda size: limits)
        file = tmp_path / "pond.tabletop-game"
        file.write_bytes(pack_zip(read_game_files(prototype(tmp_path / "pond"))))
        window = opened()
        asked = answering(monkeypatch, "Add to the shelf")
        drop(window, file)
        qtbot.waitUntil(lambda: len(asked) == 1 and bool(worker_process._running_calls))
        qtbot.waitUntil(lambda: bool(notices(window)))
        notice = notices(window)[0]
        assert notice.text == "Reading “pond.tabletop-game”…"
        click(notice.cancel)
        qtbot.waitUntil(lambda: all_ended(window))
        assert window.banner.text == ""
        assert window.new_game is None
        qtbot.waitUntil(lambda: not [*folders.received().iterdir()])
    drop(window, file)
    qtbot.waitUntil(lambda: window.new_game is not None)
    assert window.new_game.kit.received.giver == "pond.tabletop-game"


def test_a_window_that_closes_ends_the_keeping_of_a_game(
    opened: Open, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiving, "_FIND_FAULT_TASK", NEVER_END_KEEPING)
    file = tmp_path / "pond.tabletop-game"
    file.write_bytes(pack_zip(read_game_files(prototype(tmp_path / "pond"))))
    window = opened()
    answering(monkeypatch, "Add to the shelf")
    drop(window, file)
    qtbot.waitUntil(lambda: window.findChild(FileReading) is not None)
    qtbot.waitUntil(lambda: bool(worker_process._running_calls) and bool(notices(window)))
    window.close()
    qtbot.waitUntil(lambda: not worker_process._running_calls)
