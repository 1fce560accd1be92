"""Memory of the program and its bots: the proportional set size of all its processes."""

import tempfile
import time
from collections.abc import Iterator

from tests.bench.figures import Figure, figure
from tests.bench.programs import BEGIN, environment_at, memory, run_shelf, running

MATCH = 30
"""Seconds of a match in which a player answers at once: by then the bots' processes have started,
on a busy machine too, and each has searched."""
GAMES = ("sisters", "royale", "awss")
"""Games for four."""

PLAYED = f"""{BEGIN}
from PySide6.QtCore import QTimer
from tabletop.engine.scratch import FastRng
from tabletop.catalogue import catalogue
from tabletop.match.match import Match, Player
os.cpu_count = lambda: 8  # as many bot processes as on a usual machine
furnish = app.Window.load_contents
def furnished(window):
    furnish(window)
    kit = catalogue.load(GAME)
    players = [Player("Mio"), *(Player(each, kind="bot", level="hard") for each in "ABC")]
    match = Match(kit, players, catalogue.options(kit), "bench")
    window.matches.show_match(match)
    luck, timer = FastRng("bench"), QTimer(window)
    def answer():
        ask = next((ask for ask in match.state.asks if ask.seat == 0), None)
        if ask is not None and not window.table.switch.is_animating:
            offers = match.offers(0)[ask.id]
            match.submit(0, offers[luck.below(len(offers))].sample(ask.id, luck))
    timer.timeout.connect(answer)
    timer.start(100)
app.Window.load_contents = furnished
sys.exit(main())
"""


def with_bots(game: str, environment: dict[str, str]) -> float:
    """Peak memory in MiB of a match against three hard bots."""
    with running(f"GAME = {game!r}\n{PLAYED}", environment) as process:
        peak = 0.0
        for _ in range(MATCH):
            time.sleep(1)
            peak = max(peak, memory(process))
        return peak


def report() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as home:
        environment = environment_at(home)
        run_shelf(environment)  # warms the caches
        yield figure("on the shelf", "MiB", *(run_shelf(environment) for _ in range(3)), most=95)
        for game in GAMES:
            used = [with_bots(game, environment) for _ in range(2)]
            yield figure(f"with three hard bots, {game}", "MiB", *used, most=220)
