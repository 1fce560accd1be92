"""Confirmation dialogs for actions that can't be undone, unless the user switched them off."""

from collections.abc import Sequence

from PySide6.QtWidgets import QCheckBox, QWidget

from tabletop.language import labels
from tabletop.text.phrases import phrase
from ui.shell.app_context import AppContext
from ui.widgets.question import ask_which

QUESTIONS = {
    "concede": phrase("Before conceding"),
    "end_match": phrase("Before ending a match for everyone"),
    "forget": phrase("Before deleting a player's statistics"),
    "forget_table": phrase("Before closing a table or giving up a seat on the shelf"),
    "free": phrase("Before freeing a player's seat in a match"),
    "leave": phrase("Before leaving an online table"),
    "remove": phrase("Before removing a player from your table"),
    "unshelve": phrase("Before removing a game you got at a table"),
    "restart": phrase("Before restarting a match"),
}
"""Label in the settings for each action that asks for confirmation, by name of the action."""


def needs_confirmation(context: AppContext, name: str) -> bool:
    """Return whether the action `name` asks for confirmation.

    If it doesn't, its menu entry has no "…".
    """
    return context.settings.confirmations.get(name, True)


def ask_to_confirm(context: AppContext, parent: QWidget, name: str, text: str, act: str) -> bool:
    """Ask the user to confirm the action with the label `act`. Return whether to do it.

    Returns True without a dialog if the user switched off the confirmation of `name`.
    """
    return choose_to_confirm(context, parent, name, text, (act,)) == 0


def choose_to_confirm(
    context: AppContext, parent: QWidget, name: str, text: str, acts: Sequence[str]
) -> int:
    """Ask the user which of the actions `acts` to do. Return its index, or -1 for none.

    Returns 0, the index of the first action, without a dialog if the user switched off the
    confirmation of `name`.
    """
    if not needs_confirmation(context, name):
        return 0
    words = context.words
    again = QCheckBox(words("Don't ask again"))
    chosen = ask_which(words, parent, text, acts, words(labels.CANCEL), check=again)
    if chosen == 0 and again.isChecked():
        context.store_settings(confirmations=context.settings.confirmations | {name: False})
    return chosen
