"""Texts of a server's public page, under the names that its scripts use."""

from tabletop.language import labels
from tabletop.language.words import Words
from tabletop.text.phrases import phrase

PAGE_TEXTS: dict[str, str] = {
    "title": phrase("Tables of this server"),
    "running": phrase("Open now"),
    "finished": phrase("Finished matches"),
    "none_running": phrase("No open table is listed now."),
    "none_finished": phrase("No finished match is open to all yet."),
    "playing": phrase("being played"),
    "gathering": phrase("waits for players"),
    "free": labels.SEATS_FREE,
    "needs_code": phrase("needs its code"),
    "watch": labels.WATCH,
    "sit": labels.SIT_DOWN,
    "with_code": phrase("Come by its code"),
    "replay": labels.WATCH_AGAIN,
    "won": labels.WON,
    "nobody_won": phrase("Nobody won"),
    "bot": labels.BOT,
    "beside": phrase("{first} · {second}"),
    "listed": phrase("{first}, {second}"),
    "labelled": phrase("{label}: {text}"),
    "ended": phrase("{players} — {end}"),
    "back": phrase("All tables"),
    "first": labels.TO_BEGINNING,
    "former_turn": phrase("One turn back"),
    "former": phrase("One step back"),
    "play": phrase("Play it"),
    "pause": labels.PAUSE,
    "next": phrase("One step on"),
    "next_turn": phrase("One turn on"),
    "last": labels.TO_END,
    "step": phrase("Step {at} of {last}"),
    "where": phrase("Where in the match"),
    "eyes": phrase("Whose eyes"),
    "all": labels.ALL_OPEN,
    "audience": phrase("As the audience saw it"),
    "players": labels.PLAYERS,
    "log": phrase("What happened"),
    "words": labels.TABLE_IN_WORDS,
    "result": phrase("The result"),
    "save": phrase("Save the record"),
    "picture": phrase("The table, {heading}"),
    "keys": phrase("Keys: arrows step, with Ctrl by turns; Home and End; the space bar plays."),
    "unreachable": phrase("The server does not answer. This page tries again by itself."),
}


def page_texts(words: Words) -> dict[str, str]:
    """Return the texts of the page in the language of `words`, by name."""
    return {name: words(text) for name, text in PAGE_TEXTS.items()}
