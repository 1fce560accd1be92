"""Check for parts of the window that fail with a game: the table, panels, score sheet and replay.

The check covers the part of law 16 that a game can break, except for law 13.
"""

from __future__ import annotations

import logging
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QApplication

from tabletop.background import faults
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.language.languages import LANGUAGES
from tabletop.match.match import Match
from tabletop.storage.record import SUFFIX, save_as
from tabletop.studio.workshop.mistake import describe_mistake
from tabletop.table.random_match import random_match
from ui.app import Window
from ui.match.local_match import trial_table
from ui.match.screen.table_screen import TableScreen
from ui.pictures.window_shot import seat_one_person, staged_window
from ui.style.broken_drawing import BrokenDrawing

PANELS = ("now", "card", "log", "rules", "actions")
SEED = "1"
MOVES = 8
"""How many moves are made before the panels are shown."""


def find_window_failures(kit: GameKit) -> Iterator[str]:
    """Yield a message for each part of the window that fails, at the smallest and the largest
    player count.
    """
    heard: list[str] = []
    stop = faults.add_listener(heard.append)
    log = logging.getLogger("tabletop")
    level = log.level
    log.setLevel(logging.CRITICAL)  # the finding says it, so the log needn't
    hook = sys.excepthook
    sys.excepthook = lambda kind, error, trace: heard.append(f"{kind.__name__}: {error}")
    try:
        with staged_window(kit, LANGUAGES[0], "light") as window:
            for seats in dict.fromkeys((min(kit.box.seats), max(kit.box.seats))):
                for part, show in _parts(window, kit, seats):
                    heard.clear()
                    if problem := _problem(show, heard, Path(str(kit.folder))):
                        yield f"{problem} ({part} of the window, {seats} players)"
    except BrokenDrawing:
        return  # the other steps say whose drawing it is
    finally:
        stop()
        log.setLevel(level)
        sys.excepthook = hook


def _problem(show: Callable[[], object], heard: list[str], folder: Path) -> str:
    """Call `show` and return a message about its error, or "" if there was none."""
    try:
        show()
        QApplication.processEvents()
    except BrokenDrawing:
        raise
    except Exception as error:  # a game's files may cause any error
        return describe_mistake(error, folder)
    return heard[0].strip().splitlines()[-1] if heard else ""


def _parts(window: Window, kit: GameKit, seats: int) -> Iterator[tuple[str, Callable[[], object]]]:
    options = catalogue.options(kit)
    match = random_match(kit, seats, SEED, options, MOVES)
    over = random_match(kit, seats, SEED, options)
    yield "the table", lambda: _sit(window, match)
    screen = window.table
    if screen is not None:
        for panel in PANELS:
            yield f'the panel "{panel}"', partial(screen.dock.show_tab, panel)
    yield "the score sheet", lambda: _sit(window, over).ending.show()
    yield "the replay", lambda: _watch(window, over)


def _sit(window: Window, match: Match) -> TableScreen:
    seat_one_person(match, 0, window.context.words)
    screen = window.matches.show_table(trial_table(window.context, match, bots_play=False))
    screen.start()
    return screen


def _watch(window: Window, over: Match) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"over{SUFFIX}"
        save_as(over, file)
        window.replays.open(file)
        screen = window.replays.screen
        if screen is not None:
            screen.go_to_move(len(screen.playback.plies) - 1)
        QApplication.processEvents()
