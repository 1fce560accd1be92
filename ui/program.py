"""Starts the program with its main window."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QApplication

from tabletop.background import faults
from tabletop.commands.window import is_link
from tabletop.files import background_writes, crash_log
from ui.app import Window
from ui.shell import app_log
from ui.shell.application import create_application
from ui.shell.input_method import reach_fcitx
from ui.shell.termination import TerminationHandler

log = logging.getLogger(__name__)


def run(
    files_or_link: Sequence[str] = (),
    move: int | None = None,
    viewer: int | str | None = "",
    public: bool = False,
    game: str = "",
    trial: tuple[Path, int, str] | None = None,
) -> int:
    """Open the window and run the event loop; return the process's exit code.

    `files_or_link`: files to open, or a single invitation link. `move`: the move at which the first
    file is shown as a replay. `viewer`: the replay's viewpoint; "" asks the user. `public`: whether
    to show every match in the public table window too. `game`: the ID of a game whose form for a
    new match is shown. `trial`: a game folder, a number of seats and a seed, opened in the workshop
    on start.
    """
    reach_fcitx()
    # the same style on every system: Windows' own ignores some colours
    program = QApplication.instance() or create_application([*sys.argv[:1], "-style", "fusion"])
    assert isinstance(program, QApplication)
    program.setApplicationName("Tabletop")
    program.setDesktopFileName(os.environ.get("FLATPAK_ID", "tabletop"))
    stopping = TerminationHandler(program)
    log_lines = app_log.install_app_log()
    crash_log.enable("window")
    window = Window(log_lines, with_contents=False)
    window.show()
    program.processEvents()  # the window is shown; its contents follow
    from ui.shell.finger_scrolling import install_touch_scrolling

    install_touch_scrolling(program)
    window.load_contents()
    faults.install_exception_hooks()
    if not getattr(sys, "frozen", False):
        log_missing_qt_parts()
    if public:
        window.public.enable_auto_open()
    if files_or_link and is_link(files_or_link[0]):
        window.online.join_by_link(files_or_link[0])
    elif files_or_link and move is not None:
        window.replays.open(Path(files_or_link[0]), move, viewer)
    elif files_or_link:
        window.open_files([*map(Path, files_or_link)])
    for box in window.shelf.boxes:
        if box.game.id == game:
            window.show_new_game(box.game)
    if trial is not None:
        window.workshop.open_trial(*trial)
    code = stopping.exec()
    background_writes.close()  # no other thread may use Qt while it is destroyed
    crash_log.disable()
    return code


def log_missing_qt_parts() -> None:
    """Log missing Qt plugins and features.

    This is only needed when running from source, since packages are checked when they are built.
    """
    from ui.style.qt_requirements import find_missing

    for sentence in find_missing():
        log.warning("%s", sentence)
