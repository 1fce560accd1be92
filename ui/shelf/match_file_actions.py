"""Actions on a stored match: rename, remove, restore."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QInputDialog, QLineEdit, QWidget

from tabletop.files.errors import BadFile, StorageError
from tabletop.storage import saved_matches
from tabletop.storage.record_lines import MAX_NAME_LENGTH
from ui.shelf.stored_matches import trouble
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator


def put_away(
    context: AppContext,
    navigator: Navigator,
    files: Sequence[Path],
    message: str,
    home: Path | None,
    gone: Callable[[Sequence[Path]], None],
    back: Callable[[Sequence[Path]], None],
) -> None:
    """Throw matches away, say so, and let a press on the banner bring them back to their home;
    `gone` and `back` show what there is now, and hear which files went or came."""
    trashed: list[Path] = []

    def bring_back() -> None:
        come: list[Path] = []
        with context.report_errors():
            for file in trashed:
                come.append(saved_matches.restore_match(file, home))
        back(come)

    refused = None
    for file in files:
        try:
            trashed.append(saved_matches.move_to_trash(file))
        except StorageError as error:  # go on with the other matches
            refused = trouble(context, error)
    if trashed:
        gone([file for file in files if not file.exists()])
        navigator.tell(message, "info", context.words("Undo"), bring_back)
    if refused is not None:
        context.tell(refused)


def ask_name(context: AppContext, parent: QWidget, file: Path, now: str = "") -> bool:
    """Ask what a match is to be called, and call it so; return whether it is."""
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
        saved_matches.rename(file, " ".join(name.split())[:MAX_NAME_LENGTH])
    except (BadFile, StorageError) as error:
        context.tell(trouble(context, error))
        return False
    return True
