"""A window that is minimised draws nothing: what happens at its table is just there."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tabletop.engine.events import Rolled
from tests.ui.window_driver import Open, begin, hold

DRAWS = (QEvent.Type.Paint, QEvent.Type.UpdateRequest)


class Frames(QObject):
    """Counts what is drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() in DRAWS
        return False


ROLLED = Rolled("search", (6, 12), (4, 11))


def test_moves_at_a_minimised_table_ask_for_no_frame(opened: Open, qtbot: QtBot) -> None:
    window = opened(animation="slow")
    screen = begin(window)
    hold(qtbot, screen)
    animator = screen.scene.animator
    animator.play([ROLLED])
    assert animator.is_running
    window.showMinimized()
    qtbot.waitUntil(lambda: not animator.is_running)
    QApplication.processEvents()
    frames = Frames()
    for drawn in (window, screen.view.viewport()):
        drawn.installEventFilter(frames)
    for _ in range(3):
        animator.play([ROLLED])
        assert not animator.is_running, "it is there at once"
        screen.scene.stage.arrange()
    QApplication.processEvents()
    assert frames.count == 0
    window.showNormal()
    qtbot.waitUntil(lambda: frames.count > 0)
    animator.play([ROLLED])
    assert animator.is_running
