"""The window's size at a start on screens of several sizes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QRect

from ui.shell.window_place import fitted

ROOT = Path(__file__).parents[3]
STARTED = """
import sys
from PySide6.QtWidgets import QApplication
from tabletop.storage import settings
from msgspec.structs import replace
from ui.app import Window

program = QApplication([])
if sys.argv[1:]:
    large = Window(furnished=False)
    large.setGeometry(*map(int, sys.argv[1:]))
    settings.save(replace(settings.load()[0], geometry=large.saveGeometry().data()))
window = Window(furnished=False)
window.show()
print(*window.geometry().getRect())
"""


def started(folder: Path, width: int, height: int, *saved: int) -> tuple[int, ...]:
    """Start the program on a screen of this size; gives the window's left, top, width, height.
    `saved`: where the window was when it was closed last."""
    screen = {"name": "screen", "x": 0, "y": 0, "width": width, "height": height}
    shape = {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    config = folder / "screens.json"
    config.write_text(json.dumps({"screens": [{**screen, **shape}]}))
    found = subprocess.run(
        [sys.executable, "-c", STARTED, *map(str, saved)],
        cwd=ROOT,
        env={
            "PATH": "",
            "HOME": str(folder),
            "PYTHONPATH": str(ROOT),
            "QT_QPA_PLATFORM": f"offscreen:configfile={config}",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return tuple(map(int, found.stdout.split()))


@pytest.mark.parametrize("screen", [(1024, 600), (1280, 800), (1366, 768)])
def test_the_first_window_fits_a_small_screen(screen: tuple[int, int], tmp_path: Path) -> None:
    left, top, width, height = started(tmp_path, *screen)
    assert left >= 0
    assert top >= 30  # under its title bar
    assert left + width <= screen[0]
    assert top + height <= screen[1]
    assert width >= 960
    assert height >= 540


def test_the_first_window_is_of_the_usual_size_where_it_fits(tmp_path: Path) -> None:
    assert started(tmp_path, 1920, 1080)[2:] == (1280, 800)


def test_a_window_left_on_a_larger_screen_is_brought_back(tmp_path: Path) -> None:
    left, top, width, height = started(tmp_path, 1280, 800, 900, 500, 1700, 1000)
    assert left >= 0
    assert top >= 30
    assert left + width <= 1280
    assert top + height <= 800


def test_a_place_that_fits_is_kept() -> None:
    room = QRect(8, 40, 1904, 1032)
    assert fitted(QRect(100, 100, 1280, 800), room) == QRect(100, 100, 1280, 800)
    assert fitted(QRect(1000, 600, 1280, 800), room) == QRect(632, 272, 1280, 800)
