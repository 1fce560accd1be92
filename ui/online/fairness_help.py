"""Help about the check after a shared match: what it proves, and what it doesn't."""

from PySide6.QtWidgets import QWidget

from ui.shell.app_context import AppContext
from ui.widgets.help_page import HelpPage


def fairness_help(context: AppContext, parent: QWidget) -> HelpPage:
    """The page on the fair shuffle, opened from the Help menu."""
    title = context.words("How shuffle and dice are kept fair")
    return HelpPage(context, parent, title, paragraphs(context))


def paragraphs(context: AppContext) -> tuple[str, ...]:
    """The paragraphs of the page."""
    words = context.words
    return (
        words(
            "When a shared match begins, every computer at the table adds a secret of its own to "
            "the shuffle. First all secrets are sealed, then all are opened: nobody, the host "
            "included, can fit theirs to those of the others."
        ),
        words(
            "After the last move the host opens everything. Your computer then checks the seals, "
            "plays the whole match again by itself, and compares it with what it saw at the time. "
            "If one card or one die was different, the move is named."
        ),
        words(
            "It proves that nobody chose the order of the cards or the dice, and that "
            "the rules were followed."
        ),
        words(
            "A start can fail after the secrets were opened, and the host alone knows that deal. "
            "Everybody is told then, and the check at the end says how often it was so."
        ),
        words(
            "It doesn't prove that the host didn't peek: the host's computer knows "
            "every card during the match. Play with people you trust, or on a server."
        ),
    )
