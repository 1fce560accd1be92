"""What a still window costs: how often its threads are woken, and how many system calls they make.

Each state is a program of its own that says when it is there; then nobody does anything. A thread
that goes back to sleep has given its processor away of its own accord, which the system counts;
processes of bots are counted with the window. A shared table has the pings of its line, one each
way in twenty seconds, and each passes some threads.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from tests.bench.figures import Figure, figure
from tests.bench.window import BEGUN, at_home

SECONDS = float(os.environ.get("TABLETOP_BENCH_SECONDS", "60"))
SETTLED = 35
"""Seconds until nothing is done any more that was begun with the state; threads of Qt that have
nothing more to do end after thirty."""
LONGEST = 120
"""Seconds after which a state does not come."""

BEFORE = f"""{BEGUN}
from time import monotonic
from tabletop.games import catalogue
from tabletop.match import Match, Player
furnish = app.Window.furnish

def until(true):
    begun = monotonic()
    while not true():
        assert monotonic() - begun < {LONGEST}, "it does not come"
        app.QApplication.processEvents()

def match(*others):
    kit = catalogue.load("sisters")
    players = [Player("Mio"), *others]
    return kit, Match(kit.game, kit.backs, players, catalogue.options(kit), "bench")

def furnished(window):
    furnish(window)
    app.QApplication.processEvents()
    state(window)
    print("there", flush=True)

app.Window.furnish = furnished
"""
AFTER = "\nsys.exit(main())\n"

STATES = {
    "shelf": """
def state(window):
    pass
""",
    "table": """
def state(window):
    window.matches.sit(*match(Player("Ren")))
""",
    "table, the window minimised": """
def state(window):
    window.matches.sit(*match(Player("Ren")))
    window.showMinimized()
""",
    "table with bots that wait": """
def state(window):
    from tabletop.engine.scratch import Luck
    window.matches.sit(*match(*(Player(name, kind="bot", level="easy") for name in "AB")))
    played = window.matches.table.seats_here
    until(lambda: played.match.state.asks and played.match.state.asks[0].seat == 0)
    ask = played.match.state.asks[0]
    offers = played.kit.game.offers(played.match.state, ask)
    played.match.submit(0, offers[0].sample(ask.id, Luck("bench")))
    ply = played.match.state.ply
    until(lambda: played.match.state.ply > ply and played.match.state.asks[0].seat == 0)
""",
    "public table": """
def state(window):
    window.matches.sit(*match(Player("Ren")))
    window.public.toggle()
""",
    "replay, paused": """
def state(window):
    from pathlib import Path
    from tabletop.engine.scratch import Luck
    from tabletop.laws.random_games import some_answer
    from tabletop.storage.record import save_as
    kit, played = match(Player("Ren"))
    luck = Luck("bench")
    while played.state.result is None:
        ask, move = some_answer(kit.game, played.state, luck)
        played.submit(ask.seat, move)
    file = Path(os.environ["TABLETOP_HOME"]) / "bench.tabletop"
    save_as(played, file)
    window.replays.open(file, 3, 0)
    until(lambda: not window.replays.screen.prerenderer.running)
""",
    "lobby of a shared table": """
def state(window):
    window.do("host")
    sheet = window.online.hosting.sheet
    sheet.boxes["sisters"].click()
    sheet.open.click()
    until(lambda: window.online.lobby and window.online.lobby.invitation.link)
""",
}


@contextmanager
def stilled(state: str) -> Iterator[psutil.Process]:
    """A program where nothing happens any more in this state."""
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-c", BEFORE + STATES[state] + AFTER]
        process = subprocess.Popen(command, env=at_home(home), stdout=subprocess.PIPE)
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"there\n", state
            time.sleep(SETTLED)
            yield psutil.Process(process.pid)
        finally:
            process.kill()
            process.wait()


def woken(process: psutil.Process) -> int:
    """How often the threads of a process and of all that it has started went to sleep so far."""
    count = 0
    for each in (process, *process.children(recursive=True)):
        for status in Path(f"/proc/{each.pid}/task").glob("*/status"):
            told = status.read_text().partition("voluntary_ctxt_switches:")[2]
            count += int(told.split()[0])
    return count


def called(process: psutil.Process) -> int | None:
    """How many system calls a process makes meanwhile; None where nothing can count them."""
    if shutil.which("strace") is None:
        return None
    with tempfile.NamedTemporaryFile("r") as told:
        command = ["timeout", "-s", "INT", f"{SECONDS}", "strace", "-c", "-f", "-o", told.name]
        traced = subprocess.run([*command, "-p", f"{process.pid}"], stderr=subprocess.PIPE)
        if b"attached" not in traced.stderr:
            return None
        total = [line.split() for line in told if line.strip().endswith("total")]
        return int(total[0][3]) if total and total[0][3].isdigit() else 0


def report() -> Iterator[Figure]:
    for state in STATES:
        with stilled(state) as process:
            before, begun = woken(process), time.monotonic()
            time.sleep(SECONDS)
            passed = time.monotonic() - begun
            yield figure(f"{state}: woken", "times a second", (woken(process) - before) / passed)
            if (calls := called(process)) is not None:
                made = calls * 60 / SECONDS
                yield figure(f"{state}: system calls", "in 60 s", made, most=20)
