"""Time from *Play now* to the first drawn table, in a new process each time."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator

from tests.bench.figures import Figure, figure
from tests.bench.programs import BEGIN, environment_at, run_shelf

ROUNDS = 9
GAMES = ("sun", "royale")
MOST = {"pointed at": 150, "at once": 250}
"""Milliseconds: after the pointer came over the boxes, as it does before a click, or by a key."""
WARM_UP = 3
"""First tables not counted: a window that was closed keeps what it has drawn."""

SEATED = f"""{BEGIN}
from time import perf_counter, process_time
from PySide6.QtCore import QPointF
from PySide6.QtGui import QEnterEvent
furnish = app.Window.load_contents
def furnished(window):
    furnish(window)
    app.QApplication.processEvents()
    now = next(box.play_button for box in window.shelf.boxes if box.game.id == GAME)
    if HOW == "pointed at":
        over = QPointF(1, 1)
        app.QApplication.sendEvent(window.shelf.board, QEnterEvent(over, over, over))
    begin, cpu = perf_counter(), process_time()
    now.click()
    app.QApplication.processEvents()
    print((perf_counter() - begin) * 1000, (process_time() - cpu) * 1000, flush=True)
    window.close()
    sys.exit()
app.Window.load_contents = furnished
main()
"""


def seated(game: str, how: str, environment: dict[str, str]) -> tuple[float, float]:
    """Wall and CPU milliseconds until the first table is drawn."""
    program = [sys.executable, "-c", f"GAME, HOW = {game!r}, {how!r}\n{SEATED}"]
    output = subprocess.run(program, env=environment, check=True, stdout=subprocess.PIPE).stdout
    wall, cpu = map(float, output.split())
    return wall, cpu


def report() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as home:
        environment = environment_at(home)
        run_shelf(environment)
        for game in GAMES:
            for how, most in MOST.items():
                for _ in range(WARM_UP):
                    seated(game, how, environment)
                taken = [seated(game, how, environment) for _ in range(ROUNDS)]
                wall, cpu = zip(*taken, strict=True)
                yield figure(f"{game}, {how}", "ms", *wall, most=most)
                yield figure(f"{game}, {how}, CPU", "ms", *cpu, most=most)
