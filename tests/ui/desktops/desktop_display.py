"""A display of its own with a desktop on it, and the program there."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.server.server_command import ROOT

WANTED = bool(os.environ.get("TABLETOP_DESKTOPS"))
"""Whether desktops are played on: not beside other tests, which keep pointer and keys waiting."""
NEEDED = ("xvfb-run", "xauth", "xdotool")
LONGEST = 300
"""Seconds after which what is on the desktop is stuck."""


def on_display(
    folder: Path,
    desktop: str,
    task: str,
    *before: str,
    player: str = "desktop_player",
    longest: int = LONGEST,
) -> tuple[str, str]:
    """Run the program's player with this task on a desktop: a script that gets the player's command
    as its words. Return its output and its errors; it ends with all its children. `before` are
    words before the whole command."""
    runtime = folder / "runtime"
    runtime.mkdir(mode=0o700)
    environment = os.environ | {
        "HOME": str(folder),
        "TABLETOP_HOME": str(folder / "home"),
        "XDG_RUNTIME_DIR": str(runtime),
        "LANG": "C.UTF-8",
        "LANGUAGE": "",
    }
    command = [sys.executable, "-m", f"tests.ui.desktops.{player}"]
    screen = ["xvfb-run", "-a", "-s", "-screen 0 1280x800x24"]
    with subprocess.Popen(
        [*before, *screen, "bash", "-c", desktop, "desktop", *command, task],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as begun:
        try:
            return begun.communicate(timeout=longest)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(begun.pid, signal.SIGKILL)
