"""The cost of a dragged card from the press of the mouse until both windows show the move.

Python calls are counted, not milliseconds: their number is the same on every machine. Pictures are
left out, since each is drawn once and kept.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from types import CodeType, FrameType

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.net.loopback import HANGS
from tests.ui.online.session_driver import host, lobby, remote, start
from tests.ui.window_driver import Open, click, middle, move_pressed, point_on, settle
from ui.app import Window
from ui.match.screen.table_screen import TableScreen

MOST = 12_000
LEFT = Qt.MouseButton.LeftButton
DRAWING = [
    str(Path("ui", "style", "")),
    str(Path("ui", "table", "items", "prints.py")),
]


class Calls:
    """Counts the Python calls of this thread, but for those that a drawing makes."""

    def __init__(self) -> None:
        self.count = 0
        self._drawing: list[CodeType] = []

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call":
            if self._drawing or any(part in code.co_filename for part in DRAWING):
                self._drawing.append(code)
            elif code.co_filename != __file__:
                self.count += 1
        elif event == "return" and self._drawing:
            self._drawing.pop()

    @contextmanager
    def counting(self) -> Iterator[None]:
        sys.setprofile(self)
        try:
            yield
        finally:
            sys.setprofile(None)

    def drag(self, screen: TableScreen, card: int, zone: str) -> None:
        """Drag a card with the mouse in eight steps."""
        port, here, there = screen.view.viewport(), point_on(screen, card), middle(screen, zone)
        lifted = here - QPoint(0, 2 * QApplication.startDragDistance())
        with self.counting():
            QTest.mousePress(port, LEFT, pos=here)
            move_pressed(port, lifted)
        there += lifted - screen.view.mapFromScene(screen.scene.gesture.carried.rect.center())
        with self.counting():
            for step in range(1, 9):
                move_pressed(port, lifted + (there - lifted) * step / 8)
            QTest.mouseRelease(port, LEFT, pos=there)

    def until(self, holds: Callable[[], bool]) -> None:
        """Count what happens until this holds, and all that follows at once."""
        ends = monotonic() + HANGS
        while not holds() and monotonic() < ends:
            with self.counting():
                QApplication.processEvents()
        assert holds()
        with self.counting():
            QApplication.processEvents()


def joined(qtbot: QtBot, window: Window, other: Window) -> None:
    """The other window joins by the code, sits down and is ready."""
    invitation = remote(window).guest.invitation
    other.do("join")
    screen = other.online.join
    screen.code.setText(lobby(window).invitation.code.text())
    screen.way.setText(f"127.0.0.1:{invitation.port}")
    click(screen.join)
    qtbot.waitUntil(lambda: bool(other.online.lobby and lobby(other).rows))
    row = lobby(other).rows[1]
    qtbot.waitUntil(row.sit.isVisible)
    click(row.sit)
    row.field.setText("Kaname")
    click(row.sit)
    qtbot.waitUntil(row.ready.isVisible)
    click(row.ready)


def asked(screens: tuple[TableScreen, ...]) -> TableScreen | None:
    """The table at which somebody may drag a card now."""
    return next((s for s in screens if s.seats_here.link and s.seats_here.link.offers), None)


@pytest.mark.usefixtures("nobody_near")
def test_a_drag_costs_both_windows_few_calls(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    host(qtbot, window, "sisters")
    other = opened()
    joined(qtbot, window, other)
    start(qtbot, window)
    qtbot.waitUntil(lambda: other.table is not None)
    assert window.table is not None
    assert other.table is not None
    screens = (window.table, other.table)
    costs = []
    for _ in range(3):
        qtbot.waitUntil(lambda: asked(screens) is not None)
        settle()
        mover = asked(screens)
        offer = next(iter(mover.seats_here.link.offers.values()))[0]
        before, calls = mover.seats_here.view.ply, Calls()
        calls.drag(mover, offer.cards[0], offer.targets[0])
        calls.until(
            lambda before=before: all(
                s.seats_here.view.ply > before and not s.seats_here.moving for s in screens
            )
        )
        costs.append(calls.count)
    assert max(costs) <= MOST, costs
