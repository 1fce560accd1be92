"""The window's size at a start on screens of several sizes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.ui.window_driver import Open, begin

ROOT = Path(__file__).parents[3]
STARTED = """
import sys
from PySide6.QtWidgets import QApplication
from tabletop.storage import settings
from msgspec.structs import replace
from ui.app import Window

program = QApplication([])
if sys.argv[1:]:
    large = Window(with_contents=False)
    large.setGeometry(*map(int, sys.argv[1:]))
    settings.save(replace(settings.load()[0], geometry=large.saveGeometry().data()))
window = Window(with_contents=False)
window.show()
print(*window.geometry().getRect())
"""


@pytest.mark.parametrize(
    ("screen", "saved", "size"),
    [
        ((1024, 600), (), (1008, 552)),
        ((1366, 768), (), (1280, 720)),
        ((1920, 1080), (), (1536, 864)),
        ((2560, 1440), (), (2048, 1152)),
        ((3840, 2160), (), (3072, 1728)),
        ((1920, 1080), (100, 100, 1400, 900), (1400, 900)),
        ((1280, 800), (900, 500, 1700, 1000), None),
    ],
)
def test_the_window_fits_the_screen(
    screen: tuple[int, int],
    saved: tuple[int, ...],
    size: tuple[int, int] | None,
    tmp_path: Path,
) -> None:
    """`saved`: the geometry at the last close; `size`: the expected one, where it is exact."""
    shape = {"x": 0, "y": 0, "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    described = {"name": "screen", "width": screen[0], "height": screen[1], **shape}
    (tmp_path / "screens.json").write_text(json.dumps({"screens": [described]}))
    finished = subprocess.run(
        [sys.executable, "-c", STARTED, *map(str, saved)],
        cwd=tmp_path,
        env=os.environ
        | {
            "TABLETOP_HOME": str(tmp_path),
            "PYTHONPATH": str(ROOT),
            "QT_QPA_PLATFORM": "offscreen:configfile=screens.json",  # no colon of a drive
        },
        capture_output=True,
        text=True,
        check=True,
    )
    left, top, width, height = map(int, finished.stdout.split())
    assert left >= 0
    assert top >= 0
    assert left + width <= screen[0]
    assert top + height <= screen[1]
    assert size is None or (width, height) == size


@pytest.mark.parametrize("public", [False, True])
def test_the_window_stays_in_view_on_a_smaller_screen(
    public: bool, opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the resolution changes, or another screen is unplugged."""
    window = opened((1900, 1000))
    if public:
        begin(window)
        window.run_command("public_table")
        shown: QWidget = window.public.table
        shown.showNormal()
    else:
        shown = window
    shown.setGeometry(1600, 900, 1900, 1000)
    room = QRect(0, 0, 1024, 600)
    monkeypatch.setattr(shown, "screen", lambda: SimpleNamespace(availableGeometry=lambda: room))
    window.windowHandle().screen().availableGeometryChanged.emit(room)
    qtbot.waitUntil(lambda: room.contains(shown.frameGeometry()))
    assert shown.frameGeometry().width() == room.width()
    shown.setGeometry(5, 60, 990, 541)  # it has room
    window.windowHandle().screen().availableGeometryChanged.emit(room)
    qtbot.waitUntil(lambda: room.contains(shown.frameGeometry()))
    assert shown.size() == QSize(990, 541)
