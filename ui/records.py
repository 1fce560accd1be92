"""What is done to a match that is kept: it is named, put away, brought back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QInputDialog, QLineEdit

from tabletop.storage import matches
from tabletop.storage.lines import LONGEST_NAME
from tabletop.storage.trouble import BadFile, StorageError

if TYPE_CHECKING:
    from ui.app import Window


def put_away(
    window: Window, file: Path, told: str, home: Path | None, then: Callable[[], None]
) -> None:
    """Throw a match away, say so, and let a press on the banner bring it back to its home; `then`
    shows what there is now."""

    def bring_back() -> None:
        try:
            matches.bring_back(trashed, home)
        except (BadFile, StorageError) as error:
            window.room.tell(error.reason)
        then()

    try:
        trashed = matches.delete(file)
    except StorageError as error:
        window.room.tell(error.reason)
        return
    then()
    window.banner.tell(told, "info", window.room.words("Bring it back"), bring_back)


def ask_name(window: Window, file: Path, now: str = "") -> bool:
    """Ask what a match is to be called, and call it so; whether it is."""
    words = window.room.words
    name, wanted = QInputDialog.getText(
        window,
        words("Name the match"),
        words("What shall it be called?"),
        QLineEdit.EchoMode.Normal,
        now,
    )
    if not wanted:
        return False
    try:
        matches.rename(file, " ".join(name.split())[:LONGEST_NAME])
    except (BadFile, StorageError) as error:
        window.room.tell(error.reason)
        return False
    return True
