"""A held key acts as fast as the program can follow, and no longer than it is held."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.ui.window_driver import Open, begin, settle
from ui.app import Window


def repeat(window: Window, repeated: bool = True) -> None:
    """Press Ctrl+Z, or let its key repeat, without handling other events."""
    QTest.simulateEvent(
        window, True, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier, "", repeated, -1
    )


def test_repeats_that_waited_during_the_work_are_dropped(opened: Open) -> None:
    window = opened()
    begin(window)
    window.menus.commands["undo"].setEnabled(True)
    requested: list[str] = []
    window.menus.command_requested.connect(requested.append)
    repeat(window, repeated=False)
    assert requested == ["undo"]
    for _ in range(5):
        repeat(window)
    assert requested == ["undo"]
    settle()
    repeat(window)
    assert requested == ["undo"] * 2, "a held key goes on"
    repeat(window, repeated=False)
    assert requested == ["undo"] * 3, "a key that is pressed anew acts at once"
