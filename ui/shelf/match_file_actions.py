"""Actions on stored matches: rename, move to the trash, restore."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    files: Sequence[Path],
    message: str,
    home: Path | None,
    gone: Callable[[Sequence[Path]], None],
    back: Callable[[Sequence[Path]], None],
) -> None:
    """Move `files` to the trash and show `message` with a button to undo that.

    `home`: the folder to restore files to. `gone` and `back` are called with the files that were
    removed
    or restored.
    """
    trashed: list[Path] = []

    def bring_back() -> None:
        come: list[Path] = []
        with context.report_errors():
            for file in trashed:
                come.append(saved_matches.bring_back(file, home))
        back(come)

    refused = None
    for file in files:
        try:
            trashed.append(saved_matches.delete(file))
        except StorageError as error:  # go on with the other matches
            refused = trouble(context, error)
    if trashed:
        gone([file for file in files if not file.exists()])
        navigator.show_message(message, "info", context.words("Undo"), bring_back)
    if refused is not None:
        context.show_error(refused)


def ask_name(context: AppContext, parent: QWidget, file: Path, now: str = "") -> bool:
    """Ask for the name of the match in `file` and save it; return whether it was saved."""
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
        context.show_error(trouble(context, error))
        return False
    return True
