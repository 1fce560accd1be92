"""A window that was stopped holds the settings or the statistics: no other one waits for it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tabletop.engine.scratch import FastRng
from tabletop.files import background_writes, folders
from tabletop.storage import settings
from tabletop.storage.statistics import open_statistics as statistics
from tests.storage.processes import holding
from tests.ui.window_driver import Open, begin, hold, play

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGSTOP")


@contextmanager
def stopped(kind: str) -> Iterator[None]:
    """While this lasts, a process that was stopped holds these; it is killed then."""
    with subprocess.Popen(
        [sys.executable, "-m", holding.__name__, kind], stdout=subprocess.PIPE, cwd=ROOT
    ) as child:
        try:
            assert child.stdout.readline() == b"held\n"
            child.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, child.pid, os.WSTOPPED | os.WNOWAIT)
            yield
        finally:
            child.kill()


def test_settings_are_changed_while_another_window_is_stopped(opened: Open) -> None:
    window = opened()
    background_writes.finish()
    with stopped("settings"):
        window.context.change_settings(volume=7)
        window.context.change_settings(sounds=False)
        window.context.store_settings(players=("Mio",))
        assert not background_writes.finish(0.0), "nobody has waited for the lock"
        assert window.context.settings.volume == 7
        assert not window.banner.text
    found, _ = settings.load()
    assert (found.volume, found.sounds, found.players) == (7, False, ("Mio",))


def test_a_match_is_counted_though_another_window_is_stopped(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    with statistics() as kept:
        kept.to_csv()
    screen = begin(window)
    hold(qtbot, screen)
    play(screen, FastRng(1))
    with stopped("statistics"):
        screen.switch.shown_seat.concede()
        qtbot.waitUntil(lambda: screen.seated.is_over)
        qtbot.waitUntil(lambda: not background_writes.finish(0.0))  # the window doesn't wait
    background_writes.finish()
    with statistics() as kept:
        assert kept.list_people()


def test_what_the_disk_refuses_later_is_told(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    background_writes.finish()
    file = folders.settings()
    file.unlink()
    file.mkdir()
    window.context.change_settings(volume=7)
    qtbot.waitUntil(lambda: '"settings.json"' in window.banner.text)
    file.rmdir()
    window.context.store_settings(players=("Mio",))
    found, _ = settings.load()
    assert (found.volume, found.players) == (7, ("Mio",)), "and both are kept the next time"


def test_all_is_written_at_the_end(opened: Open) -> None:
    window = opened()
    window.context.change_settings(volume=8)
    window.close()
    assert b'"volume": 8' in folders.settings().read_bytes()
