"""The program killed at any moment: what was acknowledged is there when it is continued.

A child process opens the real window and plays random legal actions through its scene, saying each
move only once the program has shown it as done; then it is killed without warning.
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tabletop.storage import matches

RUNS = 200 if os.environ.get("TABLETOP_LONG") else 8
MOST = 12
"""Fewer moves than this are waited for, before the moment in which the program dies."""
PLAYER = Path(__file__).with_name("fast_player.py")


def killed_game(home: Path, chance: random.Random) -> int:
    """Start the program, let it play some moves, kill it in the next; gives those it told of."""
    environment = os.environ | {
        "TABLETOP_HOME": str(home),
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    with subprocess.Popen(
        [sys.executable, str(PLAYER)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    ) as player:
        assert player.stdout is not None
        assert player.stdout.readline() == b"sat down\n"
        told = [player.stdout.readline() for _ in range(chance.randrange(MOST))]
        time.sleep(chance.uniform(0, 0.1))
        player.send_signal(signal.SIGKILL)
        rest = player.stdout.read()
    return len(told) + rest.count(b"\n")


@pytest.mark.skipif(os.name != "posix", reason="there is no SIGKILL")
def test_continue_brings_back_the_last_acknowledged_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, lost, moves = random.Random(20), 0, 0
    for run in range(RUNS):
        home = tmp_path / str(run)
        told = killed_game(home, chance)
        monkeypatch.setenv("TABLETOP_HOME", str(home))
        saved = matches.unfinished()
        assert len(saved) == 1, f"run {run}: the match is gone"
        match = matches.resume(saved[0].path)
        moves += told
        lost += len(match.record) < told
        assert len(match.record) <= told + 1, "at most the move under way is more than was told"
    assert lost == 0
    assert moves > RUNS
