"""A match survives the death of its process: every acknowledged move, and nothing half-played."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tabletop.bots.random import RandomBot
from tabletop.games import catalogue
from tabletop.link import Local
from tabletop.match import Match, Player
from tabletop.storage.record import Journal, header, read, replay, write_header
from tests.storage import play_on

KILLS = 50


def begun(path: Path, seed: str) -> Match:
    """A new journal of a game of Children of the Sun, and the match in this process."""
    kit = catalogue.load("sun")
    head = header(kit, (Player("Ann"), Player("Bea")), seed=seed)
    write_header(path, head)
    return Match(kit.game, kit.backs, head.players, head.options, head.seed)


def killed(path: Path, seed: str, after: int, pause: float) -> int:
    """Play in another process, kill it so many moves and seconds on; how many it acknowledged."""
    child = subprocess.Popen(
        [sys.executable, play_on.__file__, str(path), seed], stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"ready\n"
    told = b""
    for _ in range(after):
        told += child.stdout.readline()
    time.sleep(pause)
    child.send_signal(signal.SIGKILL)
    rest, _ = child.communicate()
    assert child.returncode in (-signal.SIGKILL, 0)  # 0: the game was over first
    told += rest
    return told.count(b"\n")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("trial", range(KILLS))
def test_a_killed_process_loses_no_acknowledged_move(tmp_path, trial):
    chance = random.Random(trial)
    path, seed = tmp_path / "match.tabletop", f"crash/{trial}"
    here = begun(path, seed)
    acknowledged = killed(path, seed, chance.randrange(24), chance.random() * 0.004)

    record = read(path)
    assert acknowledged <= len(record.entries) <= acknowledged + 1
    again = replay(record)
    links, bot = [Local(here, 0), Local(here, 1)], RandomBot(seed)
    for _ in record.entries:
        assert play_on.play(here, bot, links)
    assert again.state == here.state
    assert again.plies == here.plies

    again.journal = Journal(path)
    links = [Local(again, 0), Local(again, 1)]
    while play_on.play(again, bot, links):
        pass
    assert again.state.result is not None
    assert replay(read(path)).state == again.state
