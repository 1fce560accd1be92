"""What leaps in a replay will want to see is drawn before anybody leaps."""

import gc
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from at_window import Open, home, opened
from patience import until
from PySide6.QtGui import QPixmap

from ui.art import Art
from ui.screens.rehearsal import TABLES
from ui.screens.replay import ReplayScreen

__all__ = ["home", "opened"]

CORPUS = Path(__file__).parents[1] / "storage" / "corpus" / "format-2"


def watch(opened: Open, tmp_path: Path) -> ReplayScreen:
    window = opened()
    window.open_file(Path(shutil.copy(CORPUS / "royale-2.tabletop", tmp_path / "film.tabletop")))
    screen = window.watching.screen
    assert screen is not None
    return screen


def count_drawings(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What is drawn from now on, because no picture of it was there."""
    drawn: list[bytes] = []
    kept = Art._kept

    def drawing(self: Art, key: bytes, draw: Callable[[], QPixmap]) -> QPixmap:
        def told() -> QPixmap:
            drawn.append(key)
            return draw()

        return kept(self, key, told)

    monkeypatch.setattr(Art, "_kept", drawing)
    return drawn


def test_a_leap_finds_its_pictures_drawn(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = watch(opened, tmp_path)
    until(lambda: not screen.rehearsal.running)
    assert screen.at == 0
    drawn = count_drawings(monkeypatch)
    last = screen.reel.last
    for n in range(TABLES):
        screen.go(last * n // (TABLES - 1))
    assert drawn == []
    screen.go(last // 2 + 1)  # between two tables laid ahead something is new
    screen.look(None)
    assert drawn


def test_nothing_is_drawn_ahead_once_the_replay_is_left(opened: Open, tmp_path: Path) -> None:
    screen = watch(opened, tmp_path)
    assert screen.rehearsal.running
    screen.do("leave")
    assert not screen.rehearsal.running


def test_garbage_of_a_replay_is_looked_through_once_it_is_left(
    opened: Open, tmp_path: Path
) -> None:
    before = gc.get_freeze_count()
    screen = watch(opened, tmp_path)
    assert gc.get_freeze_count() > before + len(screen.reel.frames)
    screen.do("leave")
    assert gc.get_freeze_count() == 0


def test_a_window_closed_over_a_replay_leaves_nothing_set_aside(
    opened: Open, tmp_path: Path
) -> None:
    screen = watch(opened, tmp_path)
    screen.window().close()
    assert gc.get_freeze_count() == 0
    assert not screen.rehearsal.running
