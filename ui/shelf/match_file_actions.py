"""Actions on a stored match: rename, remove, restore."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QInputDialog, QLineEdit, QWidget

from tabletop.files.errors import BadFile, StorageError
from tabletop.storage import saved_matches
from tabletop.storage.record_lines import LONGEST_NAME
from ui.shelf.stored_matches import trouble
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator


def put_away(
    context: AppContext,
    navigator: Navigator,
    file: Path,
    message: str,
    home: Path | None,
    then: Callable[[], None],
) -> None:
    """Throw a match away, say so, and let a press on the banner bring it back to its home; `then`
    shows what there is now."""

    def bring_back() -> None:
        with context.report_errors():
            saved_matches.bring_back(trashed, home)
        then()

    try:
        trashed = saved_matches.delete(file)
    except StorageError as error:
        context.tell(trouble(context, error))
        return
    then()
    navigator.tell(message, "info", context.words("Undo"), bring_back)


def ask_name(context: AppContext, parent: QWidget, file: Path, now: str = "") -> bool:
    """Ask what a match is to be called, and call it so; whether it is."""
    words = context.words
    name, wanted = QInputDialog.getText(
        parent,
        words("Name the match"),
        words("Name:"),
        QLineEdit.EchoMode.Normal,
        now,
    )
    if not wanted:
        return False
    try:
        saved_matches.rename(file, " ".join(name.split())[:LONGEST_NAME])
    except (BadFile, StorageError) as error:
        context.tell(trouble(context, error))
        return False
    return True
