"""The first message to a browser: the texts of its frame, and why it has no seat."""

from tabletop import __version__
from tabletop.engine.model import Reason
from tabletop.language.words import Words
from tabletop.match.match import SYMBOLS
from tabletop.text.symbol_names import SYMBOL_NAMES
from tabletop.web.frame_words import frame, phrases
from tabletop.web.wire import WelcomeToPage

OPENED_ELSEWHERE = Reason("Your seat was opened in another window or on another phone.")
COME_IN = Reason("Enter the table's code, which is on its screen.")
TOO_OFTEN = Reason("Too many wrong codes came from there. Wait some minutes.")
NOT_YOURS = Reason("Your seat has been taken.")


def welcome(language: str) -> WelcomeToPage:
    """The texts of the frame in a language."""
    words = Words(language)
    return WelcomeToPage(
        version=__version__,
        language=language,
        words=frame(words),
        symbols={symbol: words(SYMBOL_NAMES[symbol]) for symbol in SYMBOLS},
        phrases=phrases(words),
    )
