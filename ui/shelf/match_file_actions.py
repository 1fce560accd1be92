"""Actions on stored matches: renaming, moving to the trash and restoring."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QLineEdit, QWidget

from tabletop.files.errors import BadFile, StorageError
from tabletop.storage import saved_matches
from tabletop.storage.record_lines import MAX_NAME_LENGTH
from ui.shelf.stored_matches import error_reason
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator
from ui.widgets.sheet_dialog import darkened


def move_to_trash(
    context: AppContext,
    navigator: Navigator,
    files: Sequence[Path],
    message: str,
    home: Path | None,
    on_removed: Callable[[Sequence[Path]], None],
    on_restored: Callable[[Sequence[Path]], None],
) -> None:
    """Move `files` to the trash, and show `message` with a button that undoes the move.

    `home`: the folder to which files are restored; by default the folder of unfinished matches.
    `on_removed`, `on_restored`: called with the files that were removed or restored.
    """
    trashed: list[Path] = []

    def restore() -> None:
        restored: list[Path] = []
        with context.report_errors():
            for file in trashed:
                restored.append(saved_matches.restore_match(file, home))
        on_restored(restored)

    refused = None
    for file in files:
        try:
            trashed.append(saved_matches.move_to_trash(file))
        except StorageError as error:  # go on with the other matches
            refused = error_reason(context, error)
    if trashed:
        on_removed([file for file in files if not file.exists()])
        navigator.show_message(message, "info", context.words("Undo"), restore)
    if refused is not None:
        context.show_error(refused)


def ask_match_name(context: AppContext, parent: QWidget, file: Path, current: str = "") -> bool:
    """Ask for the name of the match in `file`, and return whether a name was saved."""
    words = context.words
    with darkened(parent):
        name, accepted = QInputDialog.getText(
            parent,
            words("Name the match"),
            words("Name:"),
            QLineEdit.EchoMode.Normal,
            current,
            Qt.WindowType.FramelessWindowHint,
        )
    if not accepted:
        return False
    try:
        saved_matches.rename(file, " ".join(name.split())[:MAX_NAME_LENGTH])
    except (BadFile, StorageError) as error:
        context.show_error(error_reason(context, error))
        return False
    return True
