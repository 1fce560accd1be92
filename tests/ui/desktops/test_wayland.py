"""The program under Wayland: a game is begun, a menu opened, a card dragged, by a real pointer."""

import shutil
from pathlib import Path

import pytest

from tests.net.loopback import LONG
from tests.ui.desktops.desktop_display import NEEDED, WANTED, on_display
from tests.ui.desktops.desktop_player import WELL

pytestmark = pytest.mark.skipif(
    not (WANTED and LONG) or not all(map(shutil.which, ("weston", *NEEDED))),
    reason="a Wayland desktop, or a pointer for it, is missing",
)
DESKTOP = """
weston --backend=x11-backend.so --use-pixman --width=1280 --height=800 --no-config --idle-time=0 \\
    --socket=wayland-test --log="$XDG_RUNTIME_DIR/weston.log" &
until [ -S "$XDG_RUNTIME_DIR/wayland-test" ]; do sleep 0.1; done
QT_QPA_PLATFORM=wayland WAYLAND_DISPLAY=wayland-test "$@"
ended=$?
kill %1
exit $ended
"""
"""A compositor in a window that fills a display, and a program in it."""


@pytest.mark.parametrize("task", ["menu", "drag"])
def test_a_game_is_begun_and_played(tmp_path: Path, task: str) -> None:
    out, err = on_display(tmp_path, DESKTOP, task)
    assert out.splitlines()[-1:] == [WELL], err
