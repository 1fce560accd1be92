"""The real program with a screen reader on: through every screen, and away from its tables in every
way. It ends well each time."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.net.loopback import LONG
from tests.server.server_command import ROOT, environment
from tests.ui.accessibility.bus_session import in_session, needs_bus

pytest.importorskip("jeepney")
pytestmark = needs_bus
WALKER = "tests.ui.accessibility.bus_walker"
WENT_WELL = "the program ended with 0"


WALKS = ("screens", "tables", "quit")
FURTHER = ("ended", "under a dialog", "terminated")


@pytest.mark.parametrize("walk", (*WALKS, *FURTHER) if LONG else WALKS)
def test_a_heard_program_ends_well(walk: str, tmp_path: Path) -> None:
    out, err, ended = in_session(WALKER, walk, home=tmp_path)
    assert (out.splitlines()[-1:], ended) == ([WENT_WELL], 0), err


def test_a_heard_trial_ends_well(tmp_path: Path) -> None:
    game = ROOT / "tests" / "free_tables" / "lantern_fair"
    out, err, ended = in_session(WALKER, "a game in the making", "dev", str(game), home=tmp_path)
    assert (out.splitlines()[-1:], ended) == ([WENT_WELL], 0), err


@pytest.fixture
def link(tmp_path: Path) -> Iterator[str]:
    """The link of a table with a bot, at a host without a window."""
    command = ["host", "sun", "--bots", "1", "--port", "0", "--data", str(tmp_path / "tables")]
    with subprocess.Popen(
        [sys.executable, "-m", "tabletop", *command],
        env=environment(tmp_path / "host"),
        stdout=subprocess.PIPE,
        text=True,
    ) as host:
        line = next(line for line in host.stdout if line.startswith("link "))
        yield re.sub(r"//[^/]*:", "//127.0.0.1:", line.split()[1])
        host.terminate()


def test_a_heard_table_elsewhere_ends_well(link: str, tmp_path: Path) -> None:
    out, err, ended = in_session(WALKER, "online", link, home=tmp_path)
    assert (out.splitlines()[-1:], ended) == ([WENT_WELL], 0), err
