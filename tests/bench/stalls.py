"""How long the window's thread computes before it looks for input again: at most 50 ms, while a
person plays against bots as fast as she can, from the first look at the table on.

The table is sat down at before; what the first table takes stands in `window`.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator

import msgspec

from tests.bench.figures import Figure, figure
from tests.bench.window import at_home
from tests.ui.loop_watch import MOST, Stall

SECONDS = 60
"""After which a game is left, if it has not ended."""
GAMES = ("sun", "chains", "sisters", "awss", "royale")

PLAYED = f"""
import sys
from time import monotonic
import msgspec
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from tabletop.storage import settings
from tabletop.storage.settings import Settings
from tests.ui.loop_watch import watched
from tests.ui.match import fast_player

fast_player.tell = lambda text: None
settings.save(Settings(language="en", animation="fast", bot_pause=0))
program = QApplication([])
player = fast_player.FastPlayer(GAME, "bots")
player.begin()
program.processEvents()
ends = monotonic() + {SECONDS}
look = QTimer()

def end_if_over():
    if player.window.table.seats_here.over or monotonic() > ends:
        program.exit()

look.timeout.connect(end_if_over)
look.start(500)
with watched() as watch:
    program.exec()
player.timer.stop()
told = watch.longest, player.window.table.seats_here.match.state.ply, watch.stalls
sys.stdout.buffer.write(msgspec.msgpack.encode(told))
sys.stdout.flush()
player.window.close()
"""


def played(game: str, home: str) -> tuple[float, int, list[Stall]]:
    """The longest round of the loop, the moves, and all that took too long."""
    command = [sys.executable, "-c", f"GAME = {game!r}\n{PLAYED}"]
    told = subprocess.run(command, env=at_home(home), check=True, stdout=subprocess.PIPE).stdout
    return msgspec.msgpack.decode(told, type=tuple[float, int, list[Stall]])


def report() -> Iterator[Figure]:
    for game in GAMES:
        with tempfile.TemporaryDirectory() as home:
            longest, moves, stalls = played(game, home)
        worst = max(stalls, key=lambda stall: stall.milliseconds, default=None)
        note = f"{moves} moves" + (f"; {worst.culprit}" if worst is not None else "")
        yield figure(f"{game}: longest in the window's thread", "ms", longest, most=MOST, note=note)
        yield figure(f"{game}: stalls above {MOST:.0f} ms", "", len(stalls), most=0)
        for stall in sorted(stalls, key=lambda stall: -stall.milliseconds)[1:4]:
            yield figure(f"{game}: also", "ms", stall.milliseconds, note=stall.culprit)
