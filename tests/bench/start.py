"""Start-up time of the window, beside a bare window of Qt.

Each start is a new process of the command that people use, with its own home, warm after the first
start; measured from starting the interpreter, as wall time and as CPU time. A cold start, where the
system lets caches be dropped, reads everything from the disk.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figures import Figure, figure
from tests.bench.programs import BEGIN, environment_at, run_shelf

ROUNDS = 9
COLD_ROUNDS = 3
CACHES = Path("/proc/sys/vm/drop_caches")

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

MAPPED = f"""{BEGIN}
def furnish(window):
    while not window.windowHandle().isExposed():
        app.QApplication.processEvents()
    os._exit(0)
app.Window.furnish = furnish
main()
"""

DRAWN = f"""{BEGIN}
furnish = app.Window.furnish
def furnished(window):
    furnish(window)
    app.QApplication.processEvents()
    os._exit(0)
app.Window.furnish = furnished
main()
"""


def started(program: str, environment: dict[str, str]) -> tuple[float, float]:
    """Wall and CPU milliseconds from starting the interpreter to the end of a program."""
    begin = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", program], env=environment)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, program
    return wall * 1000, (used.ru_utime + used.ru_stime) * 1000


def starts(environment: dict[str, str], rounds: int, cold: bool = False) -> Iterator[Figure]:
    """Figures of so many starts; `cold`: with nothing of the program in memory."""
    programs = {"bare window of Qt": BARE, "window mapped": MAPPED, "shelf drawn": DRAWN}
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in programs}
    for _ in range(rounds):
        for name, program in programs.items():
            if cold:
                os.sync()
                CACHES.write_text("3")
            taken[name].append(started(program, environment))
    suffix = " cold" if cold else ""
    for name, figures in taken.items():
        yield figure(f"{name}{suffix}", "ms", *(wall for wall, _ in figures))
        yield figure(f"{name}{suffix}, CPU", "ms", *(cpu for _, cpu in figures))
    for name, most in {"window mapped": 1.5, "shelf drawn": 3.2}.items():
        for clock, what in enumerate(("", ", CPU")):
            pairs = zip(taken[name], taken["bare window of Qt"], strict=True)
            ratios = [own[clock] / bare[clock] for own, bare in pairs]
            yield figure(f"{name}{suffix}{what}", "x the bare window", *ratios, most=most)


def report() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as home:
        environment = environment_at(home)
        list(starts(environment, 1))  # warms the caches
        run_shelf(environment)
        yield from starts(environment, ROUNDS)
        if os.access(CACHES, os.W_OK):
            yield from starts(environment, COLD_ROUNDS, cold=True)
