"""A whole game over the accessibility bus: the window in one process, a screen reader's side of it
in another, and Debian's own registry between them."""

import os
import shutil
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from tests.net.loopback import LONG

ROOT = Path(__file__).parents[3]
NEEDED = ("dbus-run-session", "xvfb-run", "xauth")
REGISTRY = Path("/usr/libexec/at-spi2-registryd")
LONGEST = 300
"""Seconds after which a game that takes ten is stuck."""

pytest.importorskip("jeepney")
pytestmark = pytest.mark.skipif(
    not (REGISTRY.exists() and all(map(shutil.which, NEEDED))),
    reason="the bus, its registry or a display cannot be had here",
)


@pytest.mark.parametrize("game", ["chains", "sun"] if LONG else ["chains"])
def test_a_whole_game_over_the_bus(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TABLETOP_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"):
        (tmp_path / name).mkdir(mode=0o700)
        monkeypatch.setenv(name, str(tmp_path / name))
    reader = [sys.executable, "-m", "tests.ui.accessibility.bus_reader", game]
    session = ["dbus-run-session", "--", "xvfb-run", "-a", *reader]
    out, err, ended = run(session)
    assert ended == 0, err
    lines = out.splitlines()
    assert lines[-1].endswith("the window ended with 0"), out + err
    announced = [line for line in lines if line.startswith("announced: ")]
    assert len(announced) > 5
    # a bot may do the same with two copies of a card, one after the other
    said_twice = [one for one, other in pairwise(lines) if one == other and not pressed(one)]
    assert len(said_twice) < len(announced) / 5, "nothing was pressed in between"
    assert any("turn: " in line for line in announced)
    assert any(" won" in line for line in announced[-3:])


def pressed(line: str) -> bool:
    """Whether the reader did something; what is asked then may have the words of the last."""
    return line.startswith("pressed: ")


def run(command: list[str]) -> tuple[str, str, int]:
    """The output and the end of a command; one that is stuck ends with all its children."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as begun:
        try:
            out, err = begun.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            os.killpg(begun.pid, signal.SIGKILL)
            raise
        return out, err, begun.returncode
