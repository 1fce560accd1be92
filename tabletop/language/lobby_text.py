"""The next step at a table before its match, in a sentence."""

from collections.abc import Mapping

from msgspec import Struct

from tabletop.language.words import Words
from tabletop.text.phrases import phrase

SPECTATORS = {
    "none": phrase("no spectators"),
    "delayed": phrase("spectators with a delay"),
    "live": phrase("spectators welcome"),
}
"""The text for each choice of who may watch a table."""


class LobbyStatus(Struct, frozen=True, kw_only=True):
    """A table before its match, as one screen sees it; a missing field has its usual value."""

    phase: str
    seated: bool = False
    """Whether somebody here has a seat."""
    ready: bool = False
    """Whether all who have one here are ready."""
    all_ready: bool = False
    """Whether everybody is."""
    free: bool = False
    """Whether a seat is free."""
    freed: bool = False
    """Whether the host has freed a seat of the match that goes on."""
    hosts: bool = False
    unattended: bool = False
    """Whether the match starts by itself, without a host."""
    watchable: bool = False
    takes_over: bool = False
    """Whether a seat can be taken over by its code."""
    personal: bool = False
    """Whether the screen is one person's alone, as a phone's."""


def next_step(status: LobbyStatus, words: Words) -> str:
    """The next thing to happen, or to be done here."""
    if status.phase == "shuffling":
        return words("Shuffling together…")
    if status.phase != "gathering":
        return _start_text(status, words)
    if status.hosts:
        return why_not_yet(status, words) or words("Everyone is ready. Start whenever you like.")
    if status.seated and status.ready:
        if status.unattended:
            return words("You're ready. The match starts once everyone is.")
        return words("You're ready. The host starts once everyone is.")
    if status.seated:
        text = words("Choose Ready when you are.")
        more = words("Playing with others here? They can take seats too.")
        return text if status.personal else words.sentences((text, more))
    if not status.free:
        return words("All seats are taken.")
    if status.watchable:
        return words("Choose a free seat, or watch.")
    return words("Choose a free seat.")


def codes_of_seats(codes: Mapping[int, str], words: Words) -> str:
    """The sentence with the codes of the seats here, by which others take them over; "" without
    any."""
    known = {seat: code for seat, code in codes.items() if code}
    if len(known) > 1:
        listed = words.join_list(words.with_label(words.seat(n), code) for n, code in known.items())
        return words(
            "Codes of your seats: {codes}. They take a seat to another phone.", codes=listed
        )
    for code in known.values():
        return words("Your seat's code: {code}. It takes your seat to another phone.", code=code)
    return ""


def why_not_yet(status: LobbyStatus, words: Words) -> str:
    """Why the match cannot start yet; empty where it can."""
    if status.free:
        return words("A seat is still free. Wait for a player, or give it to a bot (⋯).")
    return "" if status.all_ready else words("You can start once everyone is ready.")


def _start_text(status: LobbyStatus, words: Words) -> str:
    if status.freed:
        return words("The match has started. A seat is free: take it and play on.")
    text = words("The match has started.")
    if status.takes_over and not status.seated:
        elsewhere = words(
            "Was your seat on another phone or computer? Choose it and enter its code."
        )
        text = words.sentences((text, elsewhere))
    return text
