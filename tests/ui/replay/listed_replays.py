"""The list of replays as tests look at it."""

from PySide6.QtCore import QModelIndex, Qt

from tests.ui.window_driver import settle
from ui.app import Window
from ui.replay.replay_list import ReplayList

SPOKEN = Qt.ItemDataRole.AccessibleTextRole


def show_replays(window: Window) -> ReplayList:
    """Go to the list of replays, and have what was loaded shown."""
    window.run_command("replays")
    settle()
    assert window.replays.list_screen is not None
    return window.replays.list_screen


def rows(listed: ReplayList) -> list[QModelIndex]:
    """The rows from above: headings, replays, and files that can't be read."""
    model = listed.shown.model()
    return [model.index(row, 0) for row in range(model.rowCount())]


def texts(listed: ReplayList) -> list[str]:
    """What is written in each row."""
    return [row.data() for row in rows(listed)]
