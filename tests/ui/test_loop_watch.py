"""The watch over the event loop names who holds it up."""

from time import thread_time

from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from tests.ui.loop_watch import LoopWatch, culprit, watched

MOST = 50.0


def reckon(watch: LoopWatch) -> None:
    """The planted culprit: computes for too long, and until it was seen at it."""
    begun = thread_time()
    while (thread_time() - begun) * 1000 < 1.5 * MOST or watch.looks < 8:
        sum(range(100))


def test_whoever_computes_for_too_long_is_named(qtbot: QtBot) -> None:
    with watched(MOST) as watch:
        quiet: list[int] = []
        for number in range(20):
            QTimer.singleShot(number, lambda number=number: quiet.append(number))
        qtbot.waitUntil(lambda: len(quiet) == 20)
        done: list[int] = []

        def hold_up() -> None:
            reckon(watch)
            done.append(1)

        QTimer.singleShot(0, hold_up)
        qtbot.waitUntil(lambda: bool(done))
    stall = max(watch.stalls, key=lambda stall: stall.milliseconds)
    assert stall.milliseconds > MOST
    assert stall.milliseconds == watch.longest
    assert stall.culprit.startswith("tests/ui/test_loop_watch.py: reckon (")


def test_the_culprit_is_the_innermost_that_was_mostly_at_work() -> None:
    seen = [("a", "work", "main"), ("b", "work", "main"), ("work", "main"), ("main",)]
    assert culprit(seen) == "work (3 of 4 looks)"
    assert culprit([]) == culprit([(), ()]) == "nothing of this project"
