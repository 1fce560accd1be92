"""No work before it is wanted: what a start of the program leaves for later."""

import os
import subprocess
import sys
from pathlib import Path

from tabletop.catalogue import game_folders

STARTED = """
import sys
from PySide6.QtCore import QPointF
from PySide6.QtGui import QEnterEvent
from tabletop.__main__ import main
import ui.program
from ui import app

def tell(when, *names):
    print(when, *(name for name in names if name in sys.modules), flush=True)

furnish = app.Window.furnish

def furnished(window):
    tell(
        "mapped:", "tabletop.catalogue.catalogue", "tabletop.match.match", "tabletop.engine.play",
        "tabletop.language.words", "ui.style.art", "typer", "asyncio",
    )
    furnish(window)
    app.QApplication.processEvents()
    tell(
        "drawn:", "asyncio", "babel", "jinja2", "typer", "rich", "websockets", "cryptography",
        "zeroconf", "multiprocessing.process", "miniaudio", "sqlite3", "PySide6.QtSvg",
        "tabletop.games.royale.rules", "tabletop.bots.bot_pool", "tabletop.net.protocol",
        "ui.table.scene", "ui.match.screen.table_screen", "ui.replay.replay_screen",
    )
    window.context.art.keep_shelf()
    over = QPointF(1, 1)
    app.QApplication.sendEvent(window.shelf.board, QEnterEvent(over, over, over))
    tell("pointed at:", "tabletop.bots.bot_pool", "ui.match.screen.table_screen")
    if SEATED:
        window.shelf.played.emit(next(box.kit for box in window.shelf.boxes if box.kit.id == "sun"))
        app.QApplication.processEvents()
    tell(
        "seated:", "tabletop.review.review", "tabletop.review.note_report",
        "multiprocessing.process", "tabletop.bots.worker", "ui.rulebook.reader",
        "ui.accessibility.interfaces", "ui.match.result.sharing",
    )
    window.close()
    sys.exit(0)

app.Window.furnish = furnished
sys.argv = ["tabletop"]
main()
"""


def started(home: Path, seated: bool = False) -> list[str]:
    """Modules loaded when the window is mapped, when the shelf is drawn, when the pointer is over
    a box, and at a first table."""
    environment = os.environ | {"TABLETOP_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    environment.pop(game_folders.VARIABLE, None)  # the tests' own games have no .mo
    finished = subprocess.run(
        [sys.executable, "-c", f"SEATED = {seated}\n{STARTED}"],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return finished.stdout.splitlines()


def test_shelf_and_first_table_load_nothing_early(tmp_path: Path) -> None:
    first = started(tmp_path)
    assert first[1] == "drawn: jinja2 PySide6.QtSvg", "once, and kept"
    started(tmp_path)  # at the size that the screen leaves of it
    assert started(tmp_path, seated=True) == [
        "mapped:",
        "drawn:",
        "pointed at: tabletop.bots.bot_pool ui.match.screen.table_screen",
        "seated:",
    ]
