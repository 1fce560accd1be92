"""The program under Wayland: a game is begun, a card dragged, a menu opened, by a real pointer."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.server.server_command import ROOT
from tests.ui.desktops.desktop_player import WELL

NEEDED = ("weston", "xvfb-run", "xauth", "xdotool")
LONGEST = 300
"""Seconds after which what is on the desktop is stuck."""

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, NEEDED)), reason="a Wayland desktop, or a pointer for it, is missing"
)
DESKTOP = """
weston --backend=x11-backend.so --use-pixman --width=1280 --height=800 --no-config --idle-time=0 \
    --socket=wayland-test --log="$XDG_RUNTIME_DIR/weston.log" &
until [ -S "$XDG_RUNTIME_DIR/wayland-test" ]; do sleep 0.1; done
QT_QPA_PLATFORM=wayland WAYLAND_DISPLAY=wayland-test "$@"
ended=$?
kill %1
exit $ended
"""
"""A compositor in a window that fills a display, and a program in it."""


@contextmanager
def display(folder: Path, script: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Run a script with these words on a display of its own; it ends with all its children."""
    runtime = folder / "runtime"
    runtime.mkdir(mode=0o700)
    environment = os.environ | {
        "TABLETOP_HOME": str(folder / "home"),
        "XDG_RUNTIME_DIR": str(runtime),
        "LANG": "C.UTF-8",
        "LANGUAGE": "",
    }
    screen = ["xvfb-run", "-a", "-s", "-screen 0 1280x800x24"]
    with subprocess.Popen(
        [*screen, "bash", "-c", script, "desktop", *words],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as begun:
        try:
            yield begun
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(begun.pid, signal.SIGKILL)


def test_a_game_is_begun_and_played(tmp_path: Path) -> None:
    player = [sys.executable, "-m", "tests.ui.desktops.desktop_player"]
    with display(tmp_path, DESKTOP, *player) as desktop:
        out, err = desktop.communicate(timeout=LONGEST)
    assert out.splitlines()[-1:] == [WELL], err
