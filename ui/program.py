"""Runs the program with its window."""

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
    """Open the window and run the event loop; return the process exit code.

    `wanted`: files to open, or a single invitation link. `move`: watch the first file as a replay
    from this
    move, as seen by `viewer`; "" asks the user for a viewpoint. `public`: show every match in the
    public table window as well. `game`: the ID of a game whose new-match sheet is opened. `trial`:
    a
    game folder, a number of seats and a seed to open in the workshop.
    """
    reach_fcitx()
    # the same style on every system: Windows' own ignores some colours
    program = QApplication.instance() or made_application([*sys.argv[:1], "-style", "fusion"])
    assert isinstance(program, QApplication)
    program.setApplicationName("Tabletop")
    program.setDesktopFileName(os.environ.get("FLATPAK_ID", "tabletop"))
    stopping = Stopping(program)
    kept = app_log.keep()
    crash_log.keep("window")
    window = Window(kept, furnished=False)
    window.show()
    program.processEvents()  # the window is shown; its contents follow
    from ui.shell.finger_scrolling import scroll_by_finger

    scroll_by_finger(program)
    window.furnish()
    faults.report_uncaught()
    if not getattr(sys, "frozen", False):
        warn_of_lacking_parts()
    if public:
        window.public.show_always()
    if wanted and is_link(wanted[0]):
        window.online.join_by_link(wanted[0])
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
    crash_log.forget()
    return code


def warn_of_lacking_parts() -> None:
    """Log missing Qt plugins and features; only needed from source, since packages are checked when
    built.
    """
    from ui.style.qt_requirements import find_lacking

    for sentence in find_lacking():
        log.warning("%s", sentence)
