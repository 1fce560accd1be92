"""Help about the fairness check after a shared match: what it proves, and what it doesn't."""

from functools import partial

from tabletop.text.phrases import phrase
from ui.shell.app_context import AppContext
from ui.widgets.help_page import HelpPage


def fairness_help(context: AppContext) -> HelpPage:
    """Return the page about the fair shuffle, opened from the Help menu."""
    heading = phrase("How the shuffle and dice are kept fair")
    return HelpPage(context, heading, partial(paragraphs, context), "common/sealed.svg")


def paragraphs(context: AppContext) -> tuple[str, ...]:
    """Return the paragraphs of the page."""
    words = context.words
    return (
        words(
            "When a shared match starts, every computer at the table adds a secret number to the "
            "shuffle. All the numbers are sealed first and opened afterwards, so nobody, not even "
            "the host, can adjust theirs to the others'."
        ),
        words(
            "After the last move, the host reveals everything. Your computer checks the seals, "
            "replays the match and compares it with what you saw. If a single card or die differs, "
            "it names the move."
        ),
        words(
            "This proves that nobody chose the order of the cards or the dice, and that the rules "
            "were followed."
        ),
        words(
            "A start can fail after the numbers were opened. Only the host knows that deal. "
            "Everyone is notified, and the check at the end says how often it happened."
        ),
        words(
            "It doesn't prove that the host didn't peek: the host's computer knows "
            "every card during the match. Play with people you trust, or on a server."
        ),
    )
