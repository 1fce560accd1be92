"""Removes a game that was received at a table, once the person is sure."""

from pathlib import Path

from PySide6.QtWidgets import QWidget

from tabletop.files.errors import write_error
from tabletop.games import received_games
from ui.shell.app_context import AppContext
from ui.widgets.confirm import ask_to_confirm


def ask_and_remove(context: AppContext, parent: QWidget, folder: Path, called: str) -> bool:
    """Ask, and remove the received game in `folder`, called by this title; return whether it is
    gone. A failure is reported."""
    words = context.words
    text = words(
        "Remove “{title}”? You won't be able to open its saved matches. You can get it "
        "again from a table that plays it.",
        title=called,
    )
    if not ask_to_confirm(context, parent, "unshelve", text, words("Remove")):
        return False
    try:
        received_games.remove(folder)
    except OSError as error:
        context.tell(write_error(error, called).reason)
        return False
    return True
