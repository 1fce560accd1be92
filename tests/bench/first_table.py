"""Time from *Play now* to the first drawn table, in a new process each time."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator

from tests.bench.figures import Figure, figure
from tests.bench.programs import BEGIN, environment_at, run_shelf

ROUNDS = 9
GAMES = ("sun", "royale")
WARM_UP = 3
"""First tables not counted: a window that was closed keeps what it has drawn."""
RESTED = {0.0: "at once", 2.0: "rested"}
"""Seconds that the shelf is shown before the button is pressed: none; long enough for a table's
modules to be loaded."""

SEATED = f"""{BEGIN}
from time import perf_counter, process_time
furnish = app.Window.furnish
def furnished(window):
    furnish(window)
    app.QApplication.processEvents()
    at = next(n for n, box in enumerate(window.shelf.boxes) if box.kit.id == GAME)
    now = window.shelf.board.now[at]
    shown = perf_counter()
    while perf_counter() < shown + RESTED:
        app.QApplication.processEvents()
    begin, cpu = perf_counter(), process_time()
    now.click()
    app.QApplication.processEvents()
    print((perf_counter() - begin) * 1000, (process_time() - cpu) * 1000, flush=True)
    window.close()
    sys.exit()
app.Window.furnish = furnished
main()
"""


def seated(game: str, environment: dict[str, str], rested: float = 0) -> tuple[float, float]:
    """Wall and CPU milliseconds until the first table is drawn."""
    program = [sys.executable, "-c", f"GAME, RESTED = {game!r}, {rested}\n{SEATED}"]
    output = subprocess.run(program, env=environment, check=True, stdout=subprocess.PIPE).stdout
    wall, cpu = map(float, output.split())
    return wall, cpu


def report() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as home:
        environment = environment_at(home)
        run_shelf(environment)
        for game in GAMES:
            for _ in range(WARM_UP):
                seated(game, environment)
            for rested, how in RESTED.items():
                taken = [seated(game, environment, rested) for _ in range(ROUNDS)]
                wall, cpu = zip(*taken, strict=True)
                yield figure(f"{game}, {how}", "ms", *wall, most=150)
                yield figure(f"{game}, {how}, CPU", "ms", *cpu, most=150)
