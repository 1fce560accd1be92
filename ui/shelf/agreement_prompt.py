"""Asks the user before a new or changed game folder's Python code runs."""

from PySide6.QtWidgets import QWidget

from tabletop.catalogue import agreements, catalogue
from tabletop.catalogue.catalogue import BrokenGame, CodeNotAllowed, GameKit, UnknownGame
from tabletop.files.errors import StorageError
from tabletop.games.game_kit import CatalogueEntry
from ui.shell.app_context import AppContext
from ui.shell.language import game_title
from ui.widgets.question import ask_question


def ask_to_run_game(context: AppContext, parent: QWidget, game: CatalogueEntry) -> GameKit | None:
    """Return the game once the user has agreed to run its code.

    Returns None if the user declines. If the game can't be loaded, the reason is shown first.
    """
    if not _agrees(context, parent, game):
        return None
    try:
        agreements.allow_digest(game.waits_for, game.box.title)
        catalogue.reread(game.id)
        return catalogue.load(game.id)
    except CodeNotAllowed as error:  # the folder changed while the question was open
        return ask_to_run_game(context, parent, error.entry)
    except (BrokenGame, UnknownGame) as error:
        context.show_error(error.reason)
    except StorageError as error:
        context.show_error(error.reason)
    return None


def _agrees(context: AppContext, parent: QWidget, game: CatalogueEntry) -> bool:
    words = context.words
    text = words(agreements.AGREEMENT_WARNING, title=game_title(game, words.language))
    digest = f"{game.folder}\n{game.waits_for[:32]}\n{game.waits_for[32:]}"
    return ask_question(words, parent, text, words("I agree"), words("Leave it closed"), digest)
