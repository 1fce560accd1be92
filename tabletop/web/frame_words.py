"""The texts of the browser's own frame: tabs, buttons, what a screen reader calls things.

The browser asks for them by these names and has no texts of its own. What is said of a game and of
a table comes with its page.
"""

from tabletop.phrases import phrase
from tabletop.words import Words

FRAME: dict[str, str] = {
    "connecting": phrase("Connecting…"),
    "connected": phrase("connected"),
    "come_back": phrase("Come back"),
    "door": phrase("Come to a table"),
    "code": phrase("Code"),
    "enter": phrase("Enter"),
    "seats": phrase("Seats"),
    "seat": phrase("Seat {n}"),
    "free": phrase("free"),
    "ready": phrase("Ready"),
    "not_ready": phrase("Not ready"),
    "rise": phrase("Get up"),
    "watch": phrase("Watch"),
    "name": phrase("Name"),
    "symbol": phrase("Symbol"),
    "symbol_sun": phrase("Sun"),
    "symbol_moon": phrase("Moon"),
    "symbol_leaf": phrase("Leaf"),
    "symbol_flower": phrase("Flower"),
    "symbol_wave": phrase("Wave"),
    "symbol_bell": phrase("Bell"),
    "symbol_crane": phrase("Crane"),
    "symbol_gem": phrase("Gem"),
    "symbol_fan": phrase("Fan"),
    "symbol_key": phrase("Key"),
    "symbol_star": phrase("Star"),
    "symbol_cloud": phrase("Cloud"),
    "sit": phrase("Sit down"),
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
    "closer": phrase("Enlarge"),
    "prompt": phrase("What to do"),
    "waiting": phrase("Waiting for {names}"),
    "odds": phrase("likely"),
    "rule": phrase("Rule {n}"),
    "chosen": phrase("{n} of {of} chosen"),
    "ask_place": phrase("Choose a place"),
    "ask_way": phrase("Choose how"),
    "ask_choice": phrase("Choose"),
    "actions": phrase("What you can do"),
    "confirm": phrase("Confirm"),
    "cancel": phrase("Cancel"),
    "laid": phrase("lies on its place"),
    "playable": phrase("can be played"),
    "unplayable": phrase("cannot be played now"),
    "empty": phrase("empty"),
    "board": phrase("Your board"),
    "turn": phrase("Turn"),
    "take_back": phrase("Take back"),
    "players": phrase("Players"),
    "turn_of": phrase("has the turn"),
    "mark_thinking": phrase("thinking"),
    "mark_away": phrase("away"),
    "mark_bot": phrase("a bot plays"),
    "older": phrase("Earlier"),
    "chat": phrase("Chat"),
    "muted": phrase("The host has muted you."),
    "phrases": phrase("Quick phrases"),
    "say": phrase("Say something"),
    "send": phrase("Send"),
    "total": phrase("Total"),
    "scored_later": phrase("Points are counted at the end."),
    "again": phrase("Rematch"),
    "loading": phrase("Loading…"),
    "close": phrase("Close"),
    "sort": phrase("Sort hand"),
    "way": phrase("How you are asked to react"),
    "language": phrase("Language"),
    "vibrate": phrase("Vibrate when it is my turn"),
}

PHRASES: tuple[str, ...] = (
    phrase("Well played!"),
    phrase("Good luck!"),
    phrase("One moment, please."),
    phrase("Sorry!"),
    phrase("Thank you!"),
    phrase("Your turn!"),
    phrase("That was close!"),
    phrase("Another match?"),
)
"""What is said to everybody by one tap."""


def frame(words: Words) -> dict[str, str]:
    """The texts of the frame in one language."""
    return {name: words(text) for name, text in FRAME.items()}


def phrases(words: Words) -> tuple[str, ...]:
    """The quick phrases in one language."""
    return tuple(words(text) for text in PHRASES)
