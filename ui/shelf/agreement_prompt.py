"""Asks before the Python of a game's folder runs for the first time, or after a change."""

from PySide6.QtWidgets import QWidget

from tabletop.catalogue import agreements, catalogue
from tabletop.catalogue.catalogue import BrokenGame, Kit, NotAgreed, UnknownGame
from tabletop.files.errors import StorageError
from ui.shell.app_context import AppContext
from ui.shell.language import title
from ui.widgets.question import ask_question


def agreed_kit(context: AppContext, parent: QWidget, kit: Kit) -> Kit | None:
    """The game that may run from now on; None where the person does not want it to, or where it
    cannot, which they are shown."""
    if not _agrees(context, parent, kit):
        return None
    try:
        agreements.agree(kit.waits_for, kit.box.title)
        catalogue.reread(kit.id)
        return catalogue.load(kit.id)
    except NotAgreed as error:  # the folder changed while the question was open
        return agreed_kit(context, parent, error.kit)
    except (BrokenGame, UnknownGame) as error:
        context.tell(error.reason)
    except StorageError as error:
        context.tell(error.reason)
    return None


def _agrees(context: AppContext, parent: QWidget, kit: Kit) -> bool:
    words = context.words
    text = words(agreements.MEANS, title=title(kit, words.language))
    digest = f"{kit.folder}\n{kit.waits_for[:32]}\n{kit.waits_for[32:]}"
    return ask_question(words, parent, text, words("I agree"), words("Leave it closed"), digest)
