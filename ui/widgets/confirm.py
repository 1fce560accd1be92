"""Asks before something that cannot be undone, unless the person asked not to be asked."""

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
    "free": phrase("Before freeing a player's seat in a match"),
    "leave": phrase("Before leaving an online table"),
    "remove": phrase("Before removing a player from your table"),
    "unshelve": phrase("Before removing a game you got at a table"),
    "restart": phrase("Before restarting a match"),
}
"""The actions that ask first, by the names in the settings."""


def asks_first(context: AppContext, name: str) -> bool:
    """Whether the question of this name is asked; what isn't has no dots in a menu."""
    return context.settings.confirmations.get(name, True)


def ask_to_confirm(context: AppContext, parent: QWidget, name: str, text: str, act: str) -> bool:
    """Ask before `act`, unless the person switched this question off; True to go on."""
    return choose_to_confirm(context, parent, name, text, (act,)) == 0


def choose_to_confirm(
    context: AppContext, parent: QWidget, name: str, text: str, acts: Sequence[str]
) -> int:
    """Ask before the first of `acts`, which is done if the person switched this question off, and
    offer the others; return the number of the chosen one, -1 for none."""
    if not asks_first(context, name):
        return 0
    words = context.words
    again = QCheckBox(words("Don't ask again"))
    chosen = ask_which(words, parent, text, acts, words(labels.CANCEL), check=again)
    if chosen == 0 and again.isChecked():
        context.store_settings(confirmations=context.settings.confirmations | {name: False})
    return chosen
