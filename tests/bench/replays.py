"""Opening the list of 10,000 replays: first without the index of records, then with it.

Thumbnails aren't drawn here: each is a table, which is drawn once for each replay that is seen.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench import old_home
from tests.bench.figures import Figure, figure
from tests.bench.programs import BEGIN, environment_at

MANY, FEW = 10_000, 50
ROUNDS = 5

OPENED = f"""{BEGIN}
import json
import time
from PySide6.QtCore import QTimer
from PySide6.QtGui import QPixmap
import psutil
from ui.shelf.thumbnails import Thumbnails
Thumbnails.thumbnail_of = lambda self, file: QPixmap()
furnish = app.Window.load_contents
def furnished(window):
    furnish(window)
    QTimer.singleShot(1000, lambda: open_replays(window))
def memory():
    return psutil.Process().memory_full_info().pss / 2**20
def open_replays(window):
    used = memory()
    begin = last = time.perf_counter()
    rows, longest = 0.0, 0.0
    window.run_command("replays")
    listed = window.replays.list_screen
    def beat():
        nonlocal rows, last, longest
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
        if not rows and listed.shown.model().rowCount():
            rows = now - begin
        if not listed.loader.loading:
            figures = [1000 * rows, 1000 * (now - begin), 1000 * longest, memory() / used]
            print(json.dumps(figures), flush=True)
            os._exit(0)
    window.bench = QTimer(window)
    window.bench.timeout.connect(beat)
    window.bench.start(5)
app.Window.load_contents = furnished
sys.exit(main())
"""


def opened(environment: dict[str, str]) -> list[float]:
    """Milliseconds until the first rows, until all, and of the longest wait of the window; and the
    memory with the list, in that of the shelf."""
    program = [sys.executable, "-c", OPENED]
    output = subprocess.run(program, env=environment, stdout=subprocess.PIPE, check=True).stdout
    figures: list[float] = json.loads(output)
    return figures


def report() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as few, tempfile.TemporaryDirectory() as many:
        homes = []
        for folder, replays in ((few, FEW), (many, MANY)):
            old_home.make(Path(folder), replays, 0, 0)
            homes.append(environment_at(folder))
        opened(homes[0])  # warms the caches
        first = opened(homes[1])
        taken: list[list[list[float]]] = [[], []]
        for _ in range(ROUNDS):
            for figures, environment in zip(taken, homes, strict=True):
                figures.append(opened(environment))
    small, large = ([list(each) for each in zip(*figures, strict=True)] for figures in taken)
    yield figure(f"first rows of {FEW}", "ms", *small[0])
    yield figure(f"first rows of {MANY:,}", "ms", *large[0])
    yield figure("first rows", f"x a list of {FEW}", *_ratios(large[0], small[0]), most=3)
    yield figure(f"all of {MANY:,}", "ms", *large[1])
    yield figure("longest wait of the window", "ms", *large[2])
    yield figure("memory", "x the shelf", *large[3], most=2)
    yield figure(f"first rows of {MANY:,} without an index", "ms", first[0])
    yield figure(f"all of {MANY:,} without an index", "ms", first[1])


def _ratios(ours: list[float], theirs: list[float]) -> list[float]:
    return [one / other for one, other in zip(ours, theirs, strict=True)]
