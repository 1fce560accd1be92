"""A match survives the death of its process: every acknowledged move, and nothing half-played.

Every game in turn, among people (whose journal lies open) and with a bot (whose journal is sealed).
With TABLETOP_LONG=1 a thousand processes are killed. Hosts are killed in `tests/net`, the program
with its window in `tests/ui`.
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tabletop.bots.random import RandomBot
from tabletop.games import catalogue
from tabletop.match import Match, Player
from tabletop.storage import matches
from tabletop.storage.record import read
from tests.storage import play_on

KILLS = 1000 if os.environ.get("TABLETOP_LONG") else 30
GAMES = catalogue.names()


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path))


def begun(trial: int, seed: str) -> Match:
    """A new match with a journal: another game each time, every other time with a bot."""
    kit = catalogue.load(GAMES[trial % len(GAMES)])
    count = kit.box.seats[trial // len(GAMES) % len(kit.box.seats)]
    kind = "bot" if trial // len(GAMES) % 2 else "person"
    players = [Player(f"Player {seat}") for seat in range(count - 1)]
    return matches.begin(kit, (*players, Player("Last", kind=kind)), seed=seed)


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
def test_a_killed_process_loses_no_acknowledged_move(trial):
    chance = random.Random(trial)
    seed = f"crash/{trial}"
    here = begun(trial, seed)
    path = here.journal.path
    here.journal.close()
    here.journal = None
    acknowledged = killed(path, seed, chance.randrange(24), chance.random() * 0.004)

    record = read(path)
    assert acknowledged <= len(record.entries) <= acknowledged + 1
    links, bot = play_on.links_of(here), RandomBot(seed)
    for _ in record.entries:
        assert play_on.play(here, bot, links)
    again = matches.resume(path)
    assert again.state == here.state
    assert again.plies == here.plies

    links = play_on.links_of(again)
    for _ in range(5):  # and it goes on
        play_on.play(again, bot, links)
    assert read(path).entries == tuple(again.record)
