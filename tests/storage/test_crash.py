"""A match survives the death of its process: every acknowledged move, and nothing half-played.

Every game in turn, among people (whose journal is open) and with a bot (whose journal is sealed).
With TABLETOP_LONG=1 a thousand processes are killed, and two processes take a match from each other
ten thousand times. Hosts are killed in `tests/net`, the program
with its window in `tests/ui`.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from contextlib import ExitStack
from pathlib import Path

import pytest

from tabletop.bots.random_bot import RandomBot
from tabletop.catalogue import catalogue
from tabletop.files import folders
from tabletop.match.match import Player
from tabletop.storage import saved_matches
from tabletop.storage.record import read, replay
from tabletop.storage.record_lines import encode_line, line_from_entry
from tests.storage.begun_matches import GAMES, ROOT, begun
from tests.storage.processes import contending as contend
from tests.storage.processes import playing as play_on

KILLS = 1000 if os.environ.get("TABLETOP_LONG") else 2 * len(GAMES)
KILLED = 1 if sys.platform == "win32" else -signal.SIGKILL
TAKEN = 10_000 if os.environ.get("TABLETOP_LONG") else 100
"""The least number of times that two processes take matches from each other."""


def killed(path: Path, seed: str, after: int, pause: float) -> int:
    """Play in another process, kill it so many moves and seconds on; how many it acknowledged."""
    child = subprocess.Popen(
        [sys.executable, "-m", play_on.__name__, str(path), seed], stdout=subprocess.PIPE, cwd=ROOT
    )
    assert child.stdout.readline().strip() == b"ready"
    told = b""
    for _ in range(after):
        told += child.stdout.readline()
    time.sleep(pause)
    child.kill()
    rest, _ = child.communicate()
    assert child.returncode in (KILLED, 0)  # 0: the game was over first
    told += rest
    return told.count(b"\n")


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
    seats, bot = play_on.links_of(here), RandomBot(seed)
    for _ in record.entries:
        assert play_on.play(here, bot, seats)
    again = saved_matches.resume(path)
    assert again.state == here.state
    assert again.plies == here.plies

    seats = play_on.links_of(again)
    for _ in range(5):  # and it goes on
        play_on.play(again, bot, seats)
    assert read(path).entries == tuple(again.record)


def test_two_processes_on_one_match_lose_nothing(tmp_path):
    kit, players = catalogue.load("sun"), (Player("Ann"), Player("Bea"))
    for number in range(TAKEN // 10):
        match = saved_matches.begin(kit, players, seed=str(number))
        match.journal.close()
    tellings = [tmp_path / name for name in ("one", "other")]
    with ExitStack() as children:
        both = [
            children.enter_context(
                subprocess.Popen(
                    [sys.executable, "-m", contend.__name__, str(folders.matches()), telling.name],
                    cwd=ROOT,
                    stdout=children.enter_context(telling.open("wb")),
                )
            )
            for telling in tellings
        ]
    assert [child.returncode for child in both] == [0, 0]

    acknowledged: dict[str, dict[int, bytes]] = defaultdict(dict)
    whose: dict[tuple[str, int], str] = {}
    taken = Counter()
    for telling in tellings:
        for line in telling.read_bytes().splitlines(keepends=True):
            if line.strip() == b"taken":
                taken[telling.name] += 1
                continue
            name, move, content = line.split(b" ", 2)
            assert int(move) not in acknowledged[name.decode()], "acknowledged twice"
            acknowledged[name.decode()][int(move)] = content
            whose[name.decode(), int(move)] = telling.name
    assert len(taken) == 2
    assert taken.total() >= TAKEN
    hands = sum(whose.get((name, at - 1), who) != who for (name, at), who in whose.items())
    assert hands >= TAKEN // 10
    for path in folders.matches().iterdir():
        record = read(path)
        lines = {
            at: encode_line(line_from_entry(entry))
            for at, entry in enumerate(record.entries, start=1)
        }
        assert lines == acknowledged[path.name]
        assert replay(record).state.result is not None
