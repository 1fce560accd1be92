"""How long it takes to open the shelf over 200 waiting matches, ten of them long, and to go on with
a match of 5,000 moves: with what was kept in the cache when they were left, and without it; and
until its table stands in the window, beside a match of the same game that has just begun.

To go on may take 0.3 s; to list the matches may not play them through.
"""

import gc
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

from tabletop.engine.scratch import Luck
from tabletop.games import catalogue
from tabletop.laws.random_games import some_answer
from tabletop.match import Match, Player
from tabletop.storage import folders, glimpses, saved_matches
from tabletop.storage.journal import JournalFile
from tabletop.storage.record import read, save_as
from tests.bench.figures import Figure, figure

WAITING, LONG = 200, 10
MOVES = 5_000
BACK = 40
"""Moves taken back where a game ends too early."""
ROUNDS = 5


def long_match(game: str, seats: int, moves: int) -> Match:
    """Bots and a person at random; the game is taken back a little whenever it ends."""
    kit = catalogue.load(game)
    bots = (Player(f"P{n}", kind="bot", level="easy") for n in range(1, seats))
    match = Match(kit.game, kit.backs, [Player("P0"), *bots], None, f"{game} {moves}")
    luck = Luck("bench")
    while len(match.record) < moves:
        ask, move = some_answer(kit.game, match.state, luck)
        match.submit(ask.seat, move)
        while match.state.result is not None:
            for _ in range(min(BACK, moves // 2)):
                match.undo(None)
    return match


def quickest(act: Callable[[], object]) -> float:
    """Seconds of computing, of some rounds the fewest: others work at this machine too."""
    taken = []
    for _ in range(ROUNDS):
        gc.collect()
        begun = process_time()
        act()
        taken.append(process_time() - begun)
    return min(taken)


def forget() -> None:
    """Nothing is kept any more."""
    shutil.rmtree(folders.seen(), ignore_errors=True)


def listed() -> None:
    saved_matches.tidy()
    assert len(saved_matches.waiting()[0]) == WAITING


def gone_on(path: Path) -> None:
    match = saved_matches.resume(path)
    assert len(match.record) >= MOVES
    assert isinstance(match.journal, JournalFile)
    match.journal.close()


def compared(what: str, kept: float, anew: float, most: float | None = None) -> Iterator[Figure]:
    yield figure(what, "s", kept, most=most)
    yield figure(f"{what}, with nothing kept", "s", anew)


def report() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as home:
        os.environ["TABLETOP_HOME"] = home
        folders.matches().mkdir(parents=True)
        long, short = folders.matches() / "long-0.tabletop", folders.matches() / "short-0.tabletop"
        save_as(long_match("royale", 12, 3_600), long)
        save_as(long_match("sun", 2, 20), short)
        for number in range(1, WAITING - LONG):
            shutil.copy(short, short.with_stem(f"short-{number}"))
        for number in range(1, LONG):
            shutil.copy(long, long.with_stem(f"long-{number}"))
        forget()
        begun = process_time()
        listed()
        anew = process_time() - begun
        yield from compared(
            f"{WAITING} matches listed, {LONG} of them long", quickest(listed), anew
        )
        path = folders.matches() / "endless.tabletop"
        save_as(long_match("royale", 12, MOVES), path)
        sealed = f"{len(read(path).entries)} moves, sealed"
        yield figure("a long match's file", "MB", path.stat().st_size / 1e6, note=sealed)
        begun = process_time()
        match = saved_matches.resume(path)
        anew = process_time() - begun
        assert isinstance(match.journal, JournalFile)
        match.journal.close()
        begun = process_time()
        glimpses.remember(match)
        yield figure("kept when it is left", "s", process_time() - begun)
        yield from compared("gone on with", quickest(lambda: gone_on(path)), anew, most=0.3)
        yield figure("its record read, line by line", "s", quickest(lambda: read(path)))
        begun_now = folders.matches() / "begun.tabletop"
        save_as(long_match("royale", 12, 20), begun_now)
        yield from stood(path, begun_now)


def stood(long: Path, short: Path) -> Iterator[Figure]:
    """Until a table stands in the window and is painted: the first one of the program, made ready
    while the pointer was at its button, and later ones."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QEventLoop
    from PySide6.QtWidgets import QApplication

    from ui.app import Window

    program = QApplication.instance() or QApplication([])
    window = Window()
    window.show()
    program.processEvents()

    def stand(path: Path) -> float:
        window.show_shelf()
        program.processEvents()
        gc.collect()
        begun = process_time()
        window.continue_match(path)
        window.repaint()
        program.processEvents()
        return process_time() - begun

    window.shelf.pointed.emit(catalogue.load("royale"))
    while window.preload.running:
        program.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    first = stand(long)
    later = {path: min(stand(path) for _ in range(ROUNDS)) for path in (long, short)}
    window.show_shelf()
    window.close()
    yield figure("until its table stands in the window, first, pointed at", "s", first, most=0.3)
    yield figure("until its table stands in the window, later", "s", later[long], most=0.3)
    yield figure("the same of a match of 20 moves", "s", later[short])
