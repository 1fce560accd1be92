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

SEATED = f"""{BEGIN}
from time import perf_counter, process_time
furnish = app.Window.furnish
def furnished(window):
    furnish(window)
    app.QApplication.processEvents()
    at = next(n for n, box in enumerate(window.shelf.boxes) if box.kit.id == GAME)
    now = window.shelf.board.now[at]
    begin, cpu = perf_counter(), process_time()
    now.click()
    app.QApplication.processEvents()
    print((perf_counter() - begin) * 1000, (process_time() - cpu) * 1000, flush=True)
    window.close()
    sys.exit()
app.Window.furnish = furnished
main()
"""


def seated(game: str, environment: dict[str, str]) -> tuple[float, float]:
    """Wall and CPU milliseconds until the first table is drawn."""
    program = [sys.executable, "-c", f"GAME = {game!r}\n{SEATED}"]
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
            wall, cpu = zip(*(seated(game, environment) for _ in range(ROUNDS)), strict=True)
            yield figure(f"{game}, at once", "ms", *wall, most=150)
            yield figure(f"{game}, at once, CPU", "ms", *cpu, most=150)
