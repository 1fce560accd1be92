"""A session with an accessibility bus and a display of its own, for a test."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
NEEDED = ("dbus-run-session", "xvfb-run", "xauth")
REGISTRY = Path("/usr/libexec/at-spi2-registryd")
LONGEST = 600
"""Seconds after which what takes one of them is stuck."""

needs_bus = pytest.mark.skipif(
    not (REGISTRY.exists() and all(map(shutil.which, NEEDED))),
    reason="the bus, its registry or a display cannot be had here",
)


def in_session(module: str, *words: str, home: Path) -> tuple[str, str, int]:
    """The output, the errors and the end of a module in such a session; one that is stuck ends with
    all its children."""
    folders = {}
    for name in ("TABLETOP_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"):
        folders[name] = str(home / name)
        (home / name).mkdir(mode=0o700)
    session = ["dbus-run-session", "--", "xvfb-run", "-a", sys.executable, "-m", module, *words]
    pipe, environment = subprocess.PIPE, os.environ | folders | {"LANG": "C.UTF-8", "LANGUAGE": ""}
    with subprocess.Popen(
        session,
        cwd=ROOT,
        env=environment,
        stdout=pipe,
        stderr=pipe,
        text=True,
        start_new_session=True,
    ) as begun:
        try:
            out, err = begun.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            os.killpg(begun.pid, signal.SIGKILL)
            raise
        return out, err, begun.returncode
