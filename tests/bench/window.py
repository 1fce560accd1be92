"""How soon the window stands beside a bare one of Qt's, and what memory the program takes.

Each start is a process of its own, with a home of its own that is warm after the first; wall time
from starting the interpreter. Memory is the proportional set size after five seconds on the shelf.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from statistics import median

import psutil

from tests.bench.figures import spread

ROUNDS = 9

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

MAPPED = """
import os
from ui import app, program
def furnish(window):
    while not window.windowHandle().isExposed():
        app.QApplication.processEvents()
    os._exit(0)
app.Window.furnish = furnish
program.run()
"""

FURNISHED = """
import os
from ui import app, program
furnish = app.Window.furnish
def furnished(window):
    furnish(window)
    app.QApplication.processEvents()
    os._exit(0)
app.Window.furnish = furnished
program.run()
"""


def milliseconds(program: str, environment: dict[str, str]) -> float:
    """From starting the interpreter to the end of this program."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    return (time.perf_counter() - begun) * 1000


def memory(environment: dict[str, str]) -> float:
    """Proportional set size of the program on the shelf, in MiB, five seconds after its start."""
    program = subprocess.Popen([sys.executable, "-m", "tabletop"], env=environment)
    try:
        time.sleep(5)
        return float(psutil.Process(program.pid).memory_full_info().pss) / 2**20
    finally:
        program.kill()
        program.wait()


def report() -> Iterator[str]:
    programs = {"bare window of Qt": BARE, "window mapped": MAPPED, "shelf drawn": FURNISHED}
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"TABLETOP_HOME": home}
        environment.setdefault("QT_QPA_PLATFORM", "offscreen")
        taken: dict[str, list[float]] = {name: [] for name in programs}
        for number in range(ROUNDS + 1):
            for name, program in programs.items():
                took = milliseconds(program, environment)
                if number:  # the first start warms the caches
                    taken[name].append(took)
        bare = taken["bare window of Qt"]
        for name, figures in taken.items():
            ratio = median(own / plain for own, plain in zip(figures, bare, strict=True))
            yield f"{name}: {spread(figures, '.0f')} ms, {ratio:.2f} x the bare window"
        used = [memory(environment) for _ in range(3)]
        yield f"memory on the shelf: {median(used):.0f} MiB ({min(used):.0f} to {max(used):.0f})"
