"""How long it takes to open a replay and to go to any moment of it, drawn: twelve at Sister Royale.

A leap may take 50 ms, the repaint of the window included. It is watched in a window of 1280 x 800,
where garbage is collected as it is in the program.
"""

import os
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from tabletop.engine.scratch import Luck
from tabletop.games import catalogue
from tabletop.laws.random_games import some_answer
from tabletop.match import Match, Player
from tabletop.storage.record import read, save_as
from tabletop.storage.settings import Settings
from tests.bench.figures import Figure, figure, percentile
from ui.replay.replay_screen import ReplayScreen
from ui.shell.app_context import AppContext
from ui.shell.garbage_collection import GarbageCollector, set_aside, take_back

LEAPS = 240
ALLOWED = 50
"""Milliseconds."""


def whole_game() -> Match:
    """Twelve at random, to the end."""
    kit = catalogue.load("royale")
    match = Match(kit.game, kit.backs, [Player(f"P{n}") for n in range(12)], None, "bench")
    luck = Luck("bench")
    while match.state.result is None:
        ask, move = some_answer(kit.game, match.state, luck)
        match.submit(ask.seat, move)
    return match


def summed_up(what: str, taken: list[float]) -> Iterator[Figure]:
    """How long leaps take, and how many of them too long."""
    yield figure(what, "ms", *taken)
    yield figure(f"{what}, 95 in 100", "ms", percentile(taken, 95))
    above = sum(each > ALLOWED for each in taken)
    beyond = f"{above} of {LEAPS} above {ALLOWED}"
    yield figure(f"{what}, the slowest", "ms", max(taken), note=beyond)


def report() -> Iterator[Figure]:
    program = QApplication.instance() or QApplication([])
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("TABLETOP_HOME", folder)
        file = Path(folder) / "bench.tabletop"
        save_as(whole_game(), file)
        begun = time.perf_counter()
        collector = GarbageCollector(program)
        screen = ReplayScreen(AppContext(Settings(animation="off")), read(file))
        screen.resize(1280, 776)
        screen.show()
        program.processEvents()
        set_aside()
        opened = time.perf_counter() - begun
        size = file.stat().st_size
    beats = screen.playback.last
    lengths = f"{len(screen.playback.plies)} moves, {beats} events, {size / 1e6:.1f} MB"
    yield figure("opened", "ms", opened * 1000, note=lengths)
    chance = random.Random(1)
    for viewer in (0, None):
        screen.look(viewer)
        begun = time.perf_counter()
        while screen.prerenderer.running:
            program.processEvents()
        ahead = time.perf_counter() - begun
        eyes = "all cards open" if viewer is None else "one seat"
        yield figure(f"{eyes}: what leaps will want is drawn ahead", "s", ahead)
        told, drawn, computed = [], [], []
        for _ in range(LEAPS):
            at = chance.randrange(beats)
            begun, worked = time.perf_counter(), time.process_time()
            screen.go(at)
            told.append(1000 * (time.perf_counter() - begun))
            program.processEvents()
            drawn.append(1000 * (time.perf_counter() - begun))
            computed.append(1000 * (time.process_time() - worked))
        yield figure(f"{eyes}: a leap", "ms", *told)
        yield from summed_up(f"{eyes}: a leap and drawn", drawn)
        yield from summed_up(f"{eyes}: of it computing", computed)
    screen.close_replay()
    take_back()
    collector.end()
