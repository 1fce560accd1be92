"""Texts of the page's frame: tabs, buttons, and labels for screen readers.

The page looks these texts up by name and has no texts of its own. Texts of a game or a table are
part of its page.
"""

from tabletop import __version__
from tabletop.language import labels
from tabletop.language.words import Words
from tabletop.match.match import SYMBOLS
from tabletop.protocol import quick_words
from tabletop.text.phrases import phrase
from tabletop.text.symbol_names import SYMBOL_NAMES
from tabletop.web.wire import ShowWelcome

FRAME_TEXTS: dict[str, str] = {
    "connecting": phrase("Connecting…"),
    "connected": phrase("connected"),
    "lost": phrase(
        "The connection broke before an answer came. If nothing has changed, try again."
    ),
    "begin": phrase("Come back"),
    "reload": phrase("Load again"),
    "door": phrase("Come to a table"),
    "code": labels.CODE,
    "enter": phrase("Enter"),
    "trust": labels.CONTINUE_ANYWAY,
    "seats": labels.SEATS,
    "name": labels.NAME,
    "symbol": phrase("Symbol"),
    "sit": labels.SIT_DOWN,
    "seat_code": labels.CODE_OF_SEAT,
    "spectator": phrase("Spectator"),
    "tabs": phrase("Views"),
    "hand": phrase("Hand"),
    "table": labels.TABLE,
    "log": labels.LOG,
    "score": labels.SCORE,
    "rules": labels.RULES,
    "your_turn": phrase("your turn"),
    "more": phrase("More"),
    "picture": phrase("The table of {game}"),
    "whole": phrase("The whole table"),
    "enlarge": labels.ENLARGE,
    "prompt": phrase("What to do"),
    "odds": phrase("likely"),
    "rule": phrase("Rule {n}"),
    "chosen": phrase("{n} of {of} chosen"),
    "ask_place": phrase("Choose a place"),
    "ask_way": phrase("Choose how"),
    "ask_choice": labels.CHOOSE,
    "confirm": phrase("Confirm"),
    "cancel": labels.CANCEL,
    "laid": phrase("lies on its place"),
    "playable": labels.PLAYABLE,
    "unplayable": phrase("cannot be played now"),
    "empty": labels.EMPTY,
    "board": phrase("Your board"),
    "turn": labels.TURN,
    "take": phrase("Take back"),
    "players": labels.PLAYERS,
    "older": phrase("Earlier"),
    "chat": labels.CHAT,
    "muted": labels.MUTED,
    "phrases": phrase("Quick phrases"),
    "say": phrase("Say something"),
    "send": phrase("Send"),
    "note": labels.NOTE,
    "loading": labels.LOADING,
    "close": labels.CLOSE,
    "beside": phrase("{first} · {second}"),
    "listed": phrase("{first}, {second}"),
    "counted": phrase("{place} ({n})"),
    "numbered": phrase("{number}. {text}"),
    "hum": phrase("Vibrate when it is my turn"),
    "chime": phrase("Chime when it is my turn"),
    "notify": phrase("Notify me of my turn in other apps"),
    "no_storage": phrase(
        "This browser stores nothing, so reloading the page loses your seat. To return, choose "
        "your seat and enter its code."
    ),
    "packets_lost": phrase(
        "Small messages get through, but large ones are lost. A VPN often causes that: turn it "
        "off, or use another network."
    ),
    "screen_off": phrase(
        "If the screen goes dark during a match, set a longer time in the phone's settings."
    ),
}

QUICK_PHRASES = (*quick_words.PHRASES, *quick_words.EMOTES)
"""The names of the quick phrases and emotes, in the order of their buttons."""


def welcome(language: str) -> ShowWelcome:
    """Return the first message to a browser: the texts of its frame in `language`."""
    words = Words(language)
    return ShowWelcome(
        version=__version__,
        language=language,
        words={name: words(text) for name, text in FRAME_TEXTS.items()},
        symbols={symbol: words(SYMBOL_NAMES[symbol]) for symbol in SYMBOLS},
        phrases=tuple(quick_words.quick_text(name, words) for name in QUICK_PHRASES),
    )
