"""What leaps in a replay will want to see is drawn before anybody leaps."""

import gc
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QPixmap
from pytestqt.qtbot import QtBot

from tests.storage.corpus import LATEST
from tests.ui.window_driver import Open
from ui.replay.prerender import TABLES
from ui.replay.replay_screen import ReplayScreen
from ui.style.art import Art


def watch(opened: Open, tmp_path: Path) -> ReplayScreen:
    window = opened()
    window.open_file(Path(shutil.copy(LATEST / "royale-2.tabletop", tmp_path / "film.tabletop")))
    screen = window.replays.screen
    assert screen is not None
    return screen


def count_drawings(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What is drawn from now on, because no picture of it was there."""
    drawn: list[bytes] = []
    kept = Art._kept

    def drawing(self: Art, key: bytes, draw: Callable[[], QPixmap], *store: object) -> QPixmap:
        def told() -> QPixmap:
            drawn.append(key)
            return draw()

        return kept(self, key, told, *store)

    monkeypatch.setattr(Art, "_kept", drawing)
    return drawn


def test_a_leap_finds_its_pictures_drawn(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    screen = watch(opened, tmp_path)
    qtbot.waitUntil(lambda: not screen.prerenderer.running)
    assert screen.at == 0
    drawn = count_drawings(monkeypatch)
    last = screen.playback.last
    for n in range(TABLES):
        screen.go(last * n // (TABLES - 1))
    assert drawn == []
    screen.go(last // 2 + 1)  # between two tables laid ahead something is new
    screen.look(None)
    assert drawn


def test_nothing_is_drawn_ahead_once_the_replay_is_left(opened: Open, tmp_path: Path) -> None:
    screen = watch(opened, tmp_path)
    assert screen.prerenderer.running
    screen.do("leave")
    assert not screen.prerenderer.running


def test_garbage_of_a_replay_is_looked_through_once_it_is_left(
    opened: Open, tmp_path: Path
) -> None:
    before = gc.get_freeze_count()
    screen = watch(opened, tmp_path)
    assert gc.get_freeze_count() > before + len(screen.playback.plies)
    screen.do("leave")
    assert gc.get_freeze_count() == 0


def test_a_window_closed_over_a_replay_leaves_nothing_set_aside(
    opened: Open, tmp_path: Path
) -> None:
    screen = watch(opened, tmp_path)
    screen.window().close()
    assert gc.get_freeze_count() == 0
    assert not screen.prerenderer.running
