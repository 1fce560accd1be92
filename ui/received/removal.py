"""Removes a received game if the user confirms."""

from pathlib import Path

from PySide6.QtWidgets import QWidget

from tabletop.files.errors import write_error
from tabletop.games import received_games
from ui.shell.app_context import AppContext
from ui.widgets.confirm import ask_to_confirm


def confirm_and_remove_game(
    context: AppContext, parent: QWidget, folder: Path, called: str
) -> bool:
    """Ask the user to confirm removing the received game in `folder`, and remove it. Return whether
    it was removed.

    `called` is the game's title. Errors are shown to the user.
    """
    words = context.words
    text = words(
        "Remove “{title}”? You won't be able to open its saved matches. You can get it "
        "again from a table that plays it.",
        title=called,
    )
    if not ask_to_confirm(context, parent, "unshelve", text, words("Remove")):
        return False
    try:
        received_games.remove_game(folder)
    except OSError as error:
        context.show_error(write_error(error, called).reason)
        return False
    return True
