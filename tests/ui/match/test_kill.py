"""The program killed at any moment: what was acknowledged is there when it is continued.

A child process opens the real window and plays random legal actions through its scene, saying each
move only once the program has shown it as done; then it is killed without warning.
"""

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tabletop.files import folders
from tabletop.match.match import Match
from tabletop.storage import saved_matches
from tabletop.storage.record import read, replay
from tests.ui.child_home import with_templates

MODES = ("hot-seat", "bots", "hosting")
GAMES = ("sun", "sisters", "chains", "awss", "royale")
RUNS = 68 if os.environ.get("TABLETOP_LONG") else 1
"""Of each game in each mode; by default each mode has one game."""
MOST = 15
"""So many moves are waited for at the most, before the program is killed a blink later."""


def killed_game(home: Path, game: str, mode: str, chance: random.Random) -> int:
    """Start the program, let it play some moves, kill it; return the moves it reported."""
    environment = os.environ | {
        "TABLETOP_HOME": str(home),
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    with (
        subprocess.Popen(
            [sys.executable, "-m", "tests.ui.match.fast_player", game, mode],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        ) as player,
        ExitStack() as guests,
    ):
        while (line := player.stdout.readline()) != b"sat down\n":
            assert line, "the program has ended"
            guests.enter_context(guest(line.decode().strip(), environment))
        sure = chance.randint(1, MOST)
        for _ in range(sure):
            assert player.stdout.readline() == b"moved\n"
        time.sleep(chance.uniform(0, 0.05))
        player.kill()
        output = player.stdout.read()
    return sure + output.count(b"\n")


@contextmanager
def guest(seat: str, environment: dict[str, str]) -> Iterator[None]:
    """A bot at another computer, for the seat that is free."""
    command = [sys.executable, "-m", "tabletop", "join", seat, "--bot"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet, env=environment) as bot:
        yield
        bot.kill()


def brought_back(mode: str) -> Match:
    """The one match that this home holds, as the program would go on with it."""
    if mode != "hosting":
        (saved,) = saved_matches.unfinished_matches()[0]
        return saved_matches.resume(saved.path)
    (journal,) = folders.hosted().glob("*-1.tabletop")
    return replay(read(journal))


def pairs() -> list[tuple[str, str]]:
    """Return the games to kill and the modes."""
    if RUNS > 1:
        return [(game, mode) for mode in MODES for game in GAMES]
    return list(zip(GAMES, MODES, strict=False))


@pytest.mark.parametrize(("game", "mode"), pairs())
def test_the_last_acknowledged_move_comes_back(
    game: str, mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(f"{game} {mode}")
    for run in range(RUNS):
        home = tmp_path / str(run)
        with_templates(home)
        report = killed_game(home, game, mode, chance)
        with monkeypatch.context() as there:
            there.setenv("TABLETOP_HOME", str(home))
            match = brought_back(mode)
        assert match.state.ply >= report > 0, f"run {run}: a move is lost"
