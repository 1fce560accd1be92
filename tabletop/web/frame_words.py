"""The texts of the browser's own frame: tabs, buttons, names for a screen reader.

The browser uses them by these names and has no texts of its own. The words of a game and of a table
come with its page.
"""

from tabletop.language.words import Words
from tabletop.net import quick_words
from tabletop.text.phrases import phrase

FRAME: dict[str, str] = {
    "connecting": phrase("Connecting…"),
    "connected": phrase("connected"),
    "begin": phrase("Come back"),
    "door": phrase("Come to a table"),
    "code": phrase("Code"),
    "enter": phrase("Enter"),
    "seats": phrase("Seats"),
    "name": phrase("Name"),
    "symbol": phrase("Symbol"),
    "sit": phrase("Sit down"),
    "seat_code": phrase("Code of this seat"),
    "spectator": phrase("Spectator"),
    "tabs": phrase("Views"),
    "hand": phrase("Hand"),
    "table": phrase("Table"),
    "log": phrase("Log"),
    "score": phrase("Score"),
    "rules": phrase("Rules"),
    "your_turn": phrase("your turn"),
    "more": phrase("More"),
    "picture": phrase("The table of {game}"),
    "whole": phrase("The whole table"),
    "enlarge": phrase("Enlarge"),
    "prompt": phrase("What to do"),
    "odds": phrase("likely"),
    "rule": phrase("Rule {n}"),
    "chosen": phrase("{n} of {of} chosen"),
    "ask_place": phrase("Choose a place"),
    "ask_way": phrase("Choose how"),
    "ask_choice": phrase("Choose"),
    "confirm": phrase("Confirm"),
    "cancel": phrase("Cancel"),
    "laid": phrase("lies on its place"),
    "playable": phrase("can be played"),
    "unplayable": phrase("cannot be played now"),
    "empty": phrase("empty"),
    "board": phrase("Your board"),
    "turn": phrase("Turn"),
    "take": phrase("Take back"),
    "players": phrase("Players"),
    "older": phrase("Earlier"),
    "chat": phrase("Chat"),
    "muted": phrase("The host muted you."),
    "phrases": phrase("Quick phrases"),
    "say": phrase("Say something"),
    "send": phrase("Send"),
    "note": phrase("Note"),
    "scored_later": phrase("Points are counted at the end."),
    "loading": phrase("Loading…"),
    "close": phrase("Close"),
    "beside": phrase("{first} · {second}"),
    "listed": phrase("{first}, {second}"),
    "hum": phrase("Vibrate when it is my turn"),
}

QUICK = (*quick_words.PHRASES, *quick_words.EMOTES)
"""The quick words that are said by one tap, by name."""


def frame(words: Words) -> dict[str, str]:
    """The texts of the frame in one language."""
    return {name: words(text) for name, text in FRAME.items()}


def phrases(words: Words) -> tuple[str, ...]:
    """The quick words in one language."""
    return tuple(quick_words.quick_text(name, words) for name in QUICK)
