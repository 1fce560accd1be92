"""Sentences of the lobby, such as what happens next at a table before its match."""

from collections.abc import Mapping

from tabletop.language.table_status import TablePeople
from tabletop.language.words import Words
from tabletop.text.phrases import phrase

SPECTATORS = {
    "none": phrase("no spectators"),
    "delayed": phrase("spectators with a delay"),
    "live": phrase("spectators welcome"),
}
"""The label of each setting for spectators."""


def next_step_text(people: TablePeople, words: Words, personal: bool = False) -> str:
    """Return a sentence about what happens next at a table before its match.

    `personal`: whether the screen belongs to one person (see `ScreenState`).
    """
    if people.phase == "shuffling":
        return words("Shuffling together…")
    if people.phase != "gathering":
        return _start_text(people, words)
    if people.hosts:
        return start_obstacle(people, words) or words("Everyone is ready. Start whenever you like.")
    if people.own and people.ready:
        if people.unattended:
            return words("You're ready. The match starts once everyone is.")
        return words("You're ready. The host starts once everyone is.")
    if people.own:
        text = words("Choose Ready when you are.")
        more = words("Playing with others here? They can take seats too.")
        return text if personal else words.sentences((text, more))
    if not people.free:
        return words("All seats are taken.")
    if people.watchable:
        return words("Choose a free seat, or watch.")
    return words("Choose a free seat.")


def seat_codes_sentence(codes: Mapping[int, str], words: Words) -> str:
    """Return a sentence with the codes that move seats from this screen to other devices, or ""."""
    known = {seat: code for seat, code in codes.items() if code}
    if len(known) > 1:
        listed = words.join_list(words.with_label(words.seat(n), code) for n, code in known.items())
        return words(
            "Codes of your seats: {codes}. They take a seat to another phone.", codes=listed
        )
    for code in known.values():
        return words(
            "Your seat's code: {code}. Use it to move your seat to another device.", code=code
        )
    return ""


def start_obstacle(people: TablePeople, words: Words) -> str:
    """Return why the match can't start yet, or "" if it can."""
    if people.free:
        return words("A seat is still free. Wait for a player, or give it to a bot (⋯).")
    return "" if people.all_ready else words("You can start once everyone is ready.")


def _start_text(people: TablePeople, words: Words) -> str:
    if people.freed:
        return words("The match has started. A seat is free: take it and play on.")
    text = words("The match has started.")
    if people.takes_over and not people.own:
        elsewhere = words(
            "Was your seat on another phone or computer? Choose it and enter its code."
        )
        text = words.sentences((text, elsewhere))
    return text
