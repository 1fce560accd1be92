"""How soon the window stands beside a bare one of Qt's, and what memory the program takes.

Each start is a process of its own, by the command that people use, with a home of its own that is
warm after the first; from starting the interpreter. What it computes is told beside the wall time,
for a machine that is busy. A cold start, where the system lets caches be dropped, reads all from
the disk. Memory is the proportional set size of all processes together.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from tests.bench.figures import Figure, figure

ROUNDS = 9
COLD = 3
CACHES = Path("/proc/sys/vm/drop_caches")
SHELF = 5
"""Seconds after which the shelf rests."""
MATCH = 30
"""Seconds of a match against bots, in which a person answers at once: their processes have started
by then, on a busy machine too, and each has searched."""
FIRST = ("sun", "royale")
"""Games of which the first table is measured."""
WARM = 3
"""First tables that come before: a window that was closed keeps what they have drawn."""
RESTED = {0.0: "at once", 0.4: "pointed at", 2.0: "ready"}
"""How long the pointer has been on the button when it is pressed, in seconds: not at all; as long
as a person takes who knows what she wants; until all has been made ready that can be."""
FOUR = ("sisters", "royale", "awss")
"""Games for four."""

BARE = """
import os
from PySide6.QtWidgets import QApplication, QMainWindow
program = QApplication([])
window = QMainWindow()
window.resize(1280, 800)
window.show()
while not window.windowHandle().isExposed():
    program.processEvents()
os._exit(0)
"""

BEGUN = """
import os, sys
sys.argv = ["tabletop"]
from tabletop.__main__ import main
import ui.program
from ui import app
"""

MAPPED = f"""{BEGUN}
def furnish(window):
    while not window.windowHandle().isExposed():
        app.QApplication.processEvents()
    os._exit(0)
app.Window.furnish = furnish
main()
"""

DRAWN = f"""{BEGUN}
furnish = app.Window.furnish
def furnished(window):
    furnish(window)
    app.QApplication.processEvents()
    os._exit(0)
app.Window.furnish = furnished
main()
"""

SEATED = f"""{BEGUN}
from time import perf_counter, process_time
from PySide6.QtCore import QEvent
furnish = app.Window.furnish
def furnished(window):
    furnish(window)
    app.QApplication.processEvents()
    at = next(n for n, box in enumerate(window.shelf.boxes) if box.kit.id == GAME)
    now = window.shelf.board.now[at]
    app.QApplication.sendEvent(now, QEvent(QEvent.Type.Enter))
    came = perf_counter()
    while perf_counter() < came + RESTED:
        app.QApplication.processEvents()
    begun, worked = perf_counter(), process_time()
    now.click()
    app.QApplication.processEvents()
    print((perf_counter() - begun) * 1000, (process_time() - worked) * 1000, flush=True)
    window.close()
    sys.exit()
app.Window.furnish = furnished
main()
"""

PLAYED = f"""{BEGUN}
from PySide6.QtCore import QTimer
from tabletop.engine.scratch import Luck
from tabletop.games import catalogue
from tabletop.match import Match, Player
os.cpu_count = lambda: 8  # as many processes for bots as on a usual machine
furnish = app.Window.furnish
def furnished(window):
    furnish(window)
    kit = catalogue.load(GAME)
    players = [Player("Mio"), *(Player(each, kind="bot", level="hard") for each in "ABC")]
    match = Match(kit.game, kit.backs, players, catalogue.options(kit), "bench")
    window.matches.sit(kit, match)
    luck, timer = Luck("bench"), QTimer(window)
    def answer():
        ask = next((ask for ask in match.state.asks if ask.seat == 0), None)
        if ask is not None and not window.table.seats_here.moving:
            offers = match.offers(0)[ask.id]
            match.submit(0, offers[luck.below(len(offers))].sample(ask.id, luck))
    timer.timeout.connect(answer)
    timer.start(100)
app.Window.furnish = furnished
sys.exit(main())
"""


def at_home(home: str) -> dict[str, str]:
    """The environment of a program that has its home there, and its modules compiled."""
    environment = os.environ | {"TABLETOP_HOME": home, "PYTHONPYCACHEPREFIX": f"{home}/compiled"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    return environment


def started(program: str, environment: dict[str, str]) -> tuple[float, float]:
    """Milliseconds from starting the interpreter to the end of this program; and of computing."""
    begun = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", program], env=environment)
    _, status, used = os.wait4(process.pid, 0)
    taken = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, program
    return taken * 1000, (used.ru_utime + used.ru_stime) * 1000


def seated(game: str, environment: dict[str, str], rested: float = 0) -> tuple[float, float]:
    """Milliseconds from "Play now" until the first table is drawn; and of computing. The pointer
    has been on the button for so many seconds."""
    program = [sys.executable, "-c", f"GAME, RESTED = {game!r}, {rested}\n{SEATED}"]
    told = subprocess.run(program, env=environment, check=True, stdout=subprocess.PIPE).stdout
    wall, cpu = map(float, told.split())
    return wall, cpu


@contextmanager
def running(program: str, environment: dict[str, str]) -> Iterator[psutil.Process]:
    """This program until it is not wanted any more."""
    process = subprocess.Popen([sys.executable, "-c", program], env=environment)
    try:
        yield psutil.Process(process.pid)
    finally:
        process.kill()
        process.wait()


def memory(process: psutil.Process) -> float:
    """Proportional set size of a process and all that it has started, in MiB."""
    family = [process, *process.children(recursive=True)]
    return sum(float(each.memory_full_info().pss) for each in family) / 2**20


def on_the_shelf(environment: dict[str, str]) -> float:
    """MiB of the program on the shelf, once that rests."""
    with running(f"{BEGUN}\nsys.exit(main())", environment) as process:
        time.sleep(SHELF)
        return memory(process)


def with_bots(game: str, environment: dict[str, str]) -> float:
    """MiB at most of a match against three hard bots."""
    with running(f"GAME = {game!r}\n{PLAYED}", environment) as process:
        most = 0.0
        for _ in range(MATCH):
            time.sleep(1)
            most = max(most, memory(process))
        return most


def starts(environment: dict[str, str], rounds: int, cold: bool = False) -> Iterator[Figure]:
    """How soon the window stands; `cold`: with nothing of it in memory."""
    programs = {"bare window of Qt": BARE, "window mapped": MAPPED, "shelf drawn": DRAWN}
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in programs}
    for _ in range(rounds):
        for name, program in programs.items():
            if cold:
                os.sync()
                CACHES.write_text("3")
            taken[name].append(started(program, environment))
    how = " cold" if cold else ""
    for name, figures in taken.items():
        yield figure(f"{name}{how}", "ms", *(wall for wall, _ in figures))
        yield figure(f"{name}{how}, computing", "ms", *(cpu for _, cpu in figures))
    for name, most in {"window mapped": 1.5, "shelf drawn": 3.2}.items():
        for place, what in enumerate(("", ", computing")):
            pairs = zip(taken[name], taken["bare window of Qt"], strict=True)
            beside = [own[place] / bare[place] for own, bare in pairs]
            yield figure(f"{name}{how}{what}", "x the bare window", *beside, most=most)


def report() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as home:
        environment = at_home(home)
        list(starts(environment, 1))  # warms the caches
        on_the_shelf(environment)  # and what is kept once the shelf rests
        yield from starts(environment, ROUNDS)
        if os.access(CACHES, os.W_OK):
            yield from starts(environment, COLD, cold=True)
        used = [on_the_shelf(environment) for _ in range(3)]
        yield figure("memory on the shelf", "MiB", *used, most=95)
        for game in FIRST:
            for _ in range(WARM):
                seated(game, environment)
            for rested, how in RESTED.items():
                taken = [seated(game, environment, rested) for _ in range(ROUNDS)]
                wall, cpu = zip(*taken, strict=True)
                yield figure(f"first table of {game}, {how}", "ms", *wall, most=150)
                yield figure(f"first table of {game}, {how}, computing", "ms", *cpu, most=150)
        for game in FOUR:
            used = [with_bots(game, environment) for _ in range(2)]
            yield figure(f"memory with three hard bots, {game}", "MiB", *used, most=220)
