"""Modules of the program between the release of a carried card and the table that shows it.

A local match of Children of the Sun, without animations. Counted are the release and the news in
the window's thread, and the write in the disk's; not what the window does by itself afterwards.

    python -m tests.bench.release     the modules in the order in which they are entered
"""

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple
from unittest.mock import patch

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tabletop.catalogue import catalogue
from tabletop.match.match import Player
from tabletop.storage import saved_matches, settings
from tabletop.storage.settings import Settings
from tests.bench.figures import Figure, figure
from ui.app import Window
from ui.pictures.shot import ensure_application
from ui.shell.window_thread import _CallQueue
from ui.table.scene import TableScene
from ui.table.view import TableView

HOME = Path(__file__).parents[2]
LEFT = Qt.MouseButton.LeftButton
MAX_MODULES = (30, 65, 102)
"""Modules until each stage. A new one on the way is a step more for who reads it.

A local move takes the way of every move: a request of a client to its table."""
Profile = Callable[[FrameType, str, object], None]


class Call(NamedTuple):
    """A call of one of the program's own functions."""

    module: str
    function: str
    by: str
    """The module that called it; empty where that is none of the program's."""


class Way(NamedTuple):
    """The way of one released card."""

    release: list[Call]
    """In the window's thread, until the card is let go of."""
    write: list[Call]
    """In the disk's thread, until the journal is written."""
    news: list[Call]
    """In the window's thread, from the news of the move until the table shows it."""

    @property
    def stages(self) -> dict[str, list[Call]]:
        """The calls until the write begins, until it is done, and until the table shows the move;
        the window's thread is let go of meanwhile."""
        given = next(
            n for n, call in enumerate(self.release) if call.function == "DiskPool.enqueue"
        )
        begun = next(
            n for n, call in enumerate(self.write) if call.function == "JournalFile.write_unsynced"
        )
        return {
            "before the journal's write": [*self.release[: given + 1], *self.write[:begun]],
            "until the move is written": [*self.release, *self.write],
            "until the table shows it": [*self.release, *self.write, *self.news],
        }


def modules(calls: list[Call]) -> list[Call]:
    """The first call into each module."""
    entered: dict[str, Call] = {}
    for call in calls:
        entered.setdefault(call.module, call)
    return list(entered.values())


def follow() -> Way:
    """Carry a card to where it may go, let go of it, and follow it until the table shows it."""
    with tempfile.TemporaryDirectory() as home, opened_table(home) as (scene, view):
        target, moved = carry(scene, view), ply(scene)
        way = Way([], [], [])
        threading.setprofile(noting(way.write))
        with profiled(noting(way.release)):
            QTest.mouseRelease(view.viewport(), LEFT, pos=target)
        while not way.write:  # the disk's thread asks for the profile only once it runs
            time.sleep(0.001)
        threading.setprofile(None)

        def stop() -> None:
            if ply(scene) > moved:
                sys.setprofile(None)

        scene.settled.connect(stop)
        with profiled(noting(way.news, within=_CallQueue._deliver.__code__)):
            wait_until(lambda: sys.getprofile() is None)
    return way


@contextmanager
def opened_table(home: str) -> Iterator[tuple[TableScene, TableView]]:
    """A match that has just begun in the program's window, which keeps its files in `home`."""
    ensure_application()
    with patch.dict(os.environ, TABLETOP_HOME=home):
        settings.save(Settings(language="en", animation="off", bot_pause=0))
        kit = catalogue.load("sun")
        players = Player("Ann", "sun"), Player("Bea", "moon", "bot", "easy")
        options, languages = catalogue.options(kit), ("en", "en")
        match = saved_matches.begin(kit, players, options, "bench", languages)
        window = Window()
        window.resize(1280, 800)
        window.show()
        window.matches.show_match(match)
        assert window.table is not None
        scene = window.table.scene
        wait_until(lambda: bool(scene.choice.offers) and not scene.animator.is_running)
        yield scene, window.table.view
        window.close()
        QApplication.processEvents()


def ply(scene: TableScene) -> int:
    """The number of moves that the table has seen."""
    return scene.seat.view.ply if scene.seat is not None else 0


def carry(scene: TableScene, view: TableView) -> QPoint:
    """Press the mouse on a card and bring it over a target of it; return where it is then."""
    move = next(m for m in scene.choice.legal_moves() if len(m.cards) == 1 and m.target)
    item, rect = scene.stage.item_of(move.cards[0]), scene.stage.zone_rect(move.target)
    assert item is not None
    assert rect is not None
    start = view.mapFromScene(item.sceneBoundingRect().center())
    target = view.mapFromScene(rect.center())
    QTest.mousePress(view.viewport(), LEFT, pos=start)
    for step in range(1, 11):
        QTest.mouseMove(view.viewport(), start + (target - start) * step / 10)
        QApplication.processEvents()
    assert scene.choice.aimed_zone == move.target
    return target


def wait_until(done: Callable[[], bool]) -> None:
    """Let events come until this holds."""
    while not done():
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


def noting(calls: list[Call], within: CodeType | None = None) -> Profile:
    """A profile function that notes the calls of the program; only those made `within` a function,
    if one is given."""
    inside = within is None

    def note(frame: FrameType, event: str, _: object) -> None:
        nonlocal inside
        code = frame.f_code
        if event == "call" and inside and (module := module_of(code)):
            by = module_of(frame.f_back.f_code) if frame.f_back is not None else ""
            calls.append(Call(module, code.co_qualname, by))
        elif code is within and event in ("call", "return"):
            inside = event == "call"

    return note


@cache
def module_of(code: CodeType) -> str:
    """The name of the file of the program that has this code; empty where it is none's."""
    file = Path(code.co_filename)
    inside = file.is_relative_to(HOME) and file.relative_to(HOME).parts[0] in ("tabletop", "ui")
    return file.relative_to(HOME).as_posix() if inside else ""


@contextmanager
def profiled(profile: Profile) -> Iterator[None]:
    """Call this at each call of this thread."""
    sys.setprofile(profile)
    try:
        yield
    finally:
        sys.setprofile(None)


def report() -> Iterator[Figure]:
    for most, (stage, calls) in zip(MAX_MODULES, follow().stages.items(), strict=True):
        crossings = sum(bool(call.by) and call.by != call.module for call in calls)
        yield figure(f"modules {stage}", "", len(modules(calls)), most=most)
        yield figure(f"calls {stage}", "", len(calls), note=f"{crossings} into another module")


def main() -> None:
    for stage, calls in follow().stages.items():
        entered = modules(calls)
        print(f"{len(entered)} modules and {len(calls)} calls {stage}")
        for number, call in enumerate(entered, start=1):
            by = f", called by {call.by}" if call.by else ""
            print(f"{number:4} {call.module}: {call.function}{by}")


if __name__ == "__main__":
    main()
