"""A guest takes any message of a host, or hangs up; it never fails.

A host's messages of a whole match are sent again, with damaged ones between any two. The seeds are
fixed. With TABLETOP_LONG=1 a million messages are bad.
"""

import random
from contextlib import suppress
from pathlib import Path

import pytest

from tabletop.catalogue import catalogue
from tabletop.engine.play import Illegal
from tabletop.engine.state_check import is_plausible
from tabletop.net.guest.session import Guest
from tabletop.protocol.codec import BadMessage, decode_host_message
from tabletop.protocol.messages import MAX_SEATS, FromGuest
from tests.net.loopback import LONG
from tests.net.recorded_host import bad, heard

GAMES = [kit.id for kit in catalogue.shelf()]
BAD = 1_000_000 // len(GAMES) if LONG else 3_000
BETWEEN = 10
"""The number of bad messages between two good ones."""


def taken(guest: Guest, frame: bytes) -> bool:
    """Let the guest hear it; whether it was a message."""
    try:
        message = decode_host_message(frame)
    except BadMessage:
        return False
    guest.receive(message)
    return True


def look(guest: Guest) -> None:
    """The calls of a window to its guest."""
    for seat in (*guest.own_seats.values(), *filter(None, (guest.audience,))):
        assert seat.view.viewer == seat.number
        assert is_plausible(seat.view)
        for ask in seat.view.asks:
            for card in seat.view.cards.get("hand/0", ()):
                seat.authority.explain_refusal(seat.number, ask.id, card)
    assert len(guest.players) <= MAX_SEATS


@pytest.mark.parametrize("game", GAMES)
def test_a_guest_fails_at_nothing_that_a_host_says(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = heard(game, tmp_path, monkeypatch)
    chance = random.Random(game)
    wrong = bad(frames, chance)
    said = messages = 0
    while said < BAD:
        outbox: list[FromGuest] = []
        guest = Guest(catalogue.load, outbox.append)
        guest.watch()
        guest.on_connected()
        for frame in frames:
            with suppress(Illegal):  # it would have hung up at a bad one, and said so
                taken(guest, frame)
            for _ in range(BETWEEN):
                messages += taken(guest, next(wrong))
            look(guest)
            said += BETWEEN
            del outbox[:]
    assert messages > said // 10, "most are read and taken in"
