"""Start-up time of the window, beside a bare window of Qt.

Each start is a new process of the command that people use, with its own home, warm after the first
start; measured from starting the interpreter, as wall time and as CPU time. A cold start, where the
system lets caches be dropped, reads everything from the disk.

    python -m tests.bench.start 3     the CPU times of three rounds beside the bare window
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.figures import Figure, figure
from tests.bench.programs import BEGIN, environment_at, run_shelf

ROUNDS = 9
COLD_ROUNDS = 3
CACHES = Path("/proc/sys/vm/drop_caches")
MAX_RATIOS = {"window mapped": 1.4, "shelf drawn": 3.0}
"""Of each program, the time beside that of the bare window."""

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
app.Window.load_contents = furnish
main()
"""

DRAWN = f"""{BEGIN}
furnish = app.Window.load_contents
def furnished(window):
    furnish(window)
    app.QApplication.processEvents()
    os._exit(0)
app.Window.load_contents = furnished
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
    for name, most in MAX_RATIOS.items():
        for clock, what in enumerate(("", ", CPU")):
            pairs = zip(taken[name], taken["bare window of Qt"], strict=True)
            ratios = [own[clock] / bare[clock] for own, bare in pairs]
            yield figure(f"{name}{suffix}{what}", "x the bare window", *ratios, most=most)


@contextmanager
def warm_environment() -> Iterator[dict[str, str]]:
    """The environment of a program that has been started before, with an empty home."""
    with tempfile.TemporaryDirectory() as home:
        environment = environment_at(home)
        list(starts(environment, 1))
        run_shelf(environment)
        yield environment


def report() -> Iterator[Figure]:
    with warm_environment() as environment:
        yield from starts(environment, ROUNDS)
        if os.access(CACHES, os.W_OK):
            yield from starts(environment, COLD_ROUNDS, cold=True)


def main() -> None:
    with warm_environment() as environment:
        for each in starts(environment, int(sys.argv[1])):
            if each.name.endswith(", CPU"):
                print(f"  {each}", flush=True)


if __name__ == "__main__":
    main()
