"""The program with its window, from its start to its end."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QApplication

from tabletop.background import faults
from tabletop.commands.window import is_link
from tabletop.files import crash_log
from ui.app import Window
from ui.shell import app_log
from ui.shell.application import made_application
from ui.shell.input_method import reach_fcitx
from ui.shell.stopping import Stopping

log = logging.getLogger(__name__)


def run(
    wanted: Sequence[str] = (),
    move: int | None = None,
    viewer: int | str | None = "",
    public: bool = False,
    game: str = "",
    trial: tuple[Path, int, str] | None = None,
) -> int:
    """Open the window, with a save where one is named; return the number for the system to end
    with.

    `wanted` are paths, or one invitation to a table elsewhere. With a `move` the first is watched
    from there, with the eyes of `viewer`; with "" the person is asked whose. `public`
    shows every match to everybody in the room as well. A `game` is opened at its box, by its id; a
    `trial` (folder, seats, seed) in the workshop.
    """
    reach_fcitx()
    # the same style on every system: Windows' own ignores some colours
    program = QApplication.instance() or made_application([*sys.argv[:1], "-style", "fusion"])
    assert isinstance(program, QApplication)
    program.setApplicationName("Tabletop")
    program.setDesktopFileName(os.environ.get("FLATPAK_ID", "tabletop"))
    stopping = Stopping(program)
    kept = app_log.keep()
    crash_log.enable("window")
    window = Window(kept, furnished=False)
    window.show()
    program.processEvents()  # the window is shown; its contents follow
    from ui.shell.finger_scrolling import scroll_by_finger

    scroll_by_finger(program)
    window.furnish()
    faults.install_exception_hooks()
    if not getattr(sys, "frozen", False):
        warn_of_lacking_parts()
    if public:
        window.public.show_always()
    if wanted and is_link(wanted[0]):
        window.online.follow(wanted[0])
    elif wanted and move is not None:
        window.replays.open(Path(wanted[0]), move, viewer)
    elif wanted:
        window.open_files([*map(Path, wanted)])
    for box in window.shelf.boxes:
        if box.game.id == game:
            window.ask_new_game(box.game)
    if trial is not None:
        window.workshop.open_trial(*trial)
    code = stopping.exec()
    crash_log.disable()
    return code


def warn_of_lacking_parts() -> None:
    """Log what Qt lacks, where the program runs from its source; a package was checked before."""
    from ui.style.qt_requirements import find_lacking

    for sentence in find_lacking():
        log.warning("%s", sentence)
