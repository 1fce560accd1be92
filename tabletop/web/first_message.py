"""The first message to a browser: the texts of its frame, and why it has no seat."""

from tabletop import __version__
from tabletop.engine.model import Reason
from tabletop.language.languages import LANGUAGES
from tabletop.language.words import Words
from tabletop.match.match import SYMBOLS
from tabletop.text.language_code import LANGUAGE_CODE
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


def language_of(wished: str, accepted: str) -> str:
    """Choose a browser's language: the one chosen there, which may be one that only a game has;
    else the first of the program's that the browser accepts (its header), else English."""
    if LANGUAGE_CODE.fullmatch(wished):
        return wished
    first = (part.split(";")[0].strip().lower()[:2] for part in accepted[:200].split(","))
    return next((each for each in first if each in LANGUAGES), "en")
