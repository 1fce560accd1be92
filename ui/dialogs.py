"""The dialogs that open over whatever screen is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog

from tabletop.storage.trouble import StorageError
from ui import files
from ui.screens.about import About
from ui.screens.fair import Fair
from ui.screens.keys import Shortcuts
from ui.screens.report import write
from ui.screens.rulebook import Rules
from ui.screens.settings import SettingsDialog
from ui.screens.statistics import StatisticsDialog

if TYPE_CHECKING:
    from ui.app import Window

DIALOGS = {
    "settings": SettingsDialog,
    "statistics": StatisticsDialog,
    "shortcuts": Shortcuts,
    "fair": Fair,
    "about": About,
}
"""By the name of the command that opens each."""


def open_dialog(window: Window, name: str) -> None:
    """Open the dialog of a command."""
    _open(DIALOGS[name](window.room, window))


def open_rules(window: Window) -> None:
    """Open the rules of the game that is meant, beside its table where one is shown."""
    if window.table is not None:
        window.table.turn_to()
    else:
        _open(Rules(window.room, window, window.kit()))


def report_bug(window: Window, log: Sequence[str]) -> None:
    """Ask where the bug report is to lie, and write it."""
    words = window.room.words
    kinds = words("ZIP archives") + " (*.zip)"
    file = files.to_write(window, words("Report a bug"), "tabletop-report.zip", kinds)
    if file is None:
        return
    sitting = window.table.sitting if window.table else None
    try:
        write(file, window.room.settings, tuple(log), sitting)
    except StorageError as error:
        window.room.tell(error.reason)
        return
    window.banner.tell(
        words(
            "The report is in “{file}”: no names, no hidden cards. Send it with a few words "
            "on what happened.",
            file=file.name,
        ),
        "check",
    )


def _open(dialog: QDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
