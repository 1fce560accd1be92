"""The window fails at nothing that a host says: not in the lobby, not at the table.

The seeds are fixed. With TABLETOP_LONG=1 ten thousand bad messages come to each game's table.
"""

import random
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.home.known_hosts import RejoinableTable
from tabletop.net.guest.join_attempt import Ticket
from tabletop.protocol.codec import BadMessage, decode_host_message
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import FromGuest
from tabletop.table.connection_events import Connected
from tests.net.loopback import LONG
from tests.net.recorded_host import bad, heard
from tests.ui.window_driver import Open, settle
from ui.app import Window
from ui.online import online_session

GAMES = [kit.id for kit in catalogue.shelf()]
BAD = 10_000 if LONG else 150


class OneWay(QObject):
    """A line that carries nothing to anybody."""

    event_received = Signal(object)

    def send(self, message: FromGuest) -> None: ...

    def reconnect(self) -> None: ...

    def give_up(self, reason: object, shown: str) -> None: ...

    def close(self) -> None: ...


def come(window: Window) -> None:
    """To a table of a host that is about to say something."""
    place = Address(("192.0.2.1",), 4711, "ab" * 32)
    window.online.rejoin(RejoinableTable(place, Ticket("table"), "Table", "sun", datetime.now(UTC)))
    remote = window.online.remote
    remote.handle_event(Connected())


def say(window: Window, frame: bytes) -> None:
    try:
        message = decode_host_message(frame)
    except BadMessage:
        return
    if window.online.remote is None:
        come(window)
    window.online.remote.handle_event(message)
    settle()


@pytest.mark.parametrize("game", GAMES)
def test_the_window_fails_at_nothing_that_a_host_says(
    game: str, opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    frames = heard(game, tmp_path, monkeypatch)
    monkeypatch.setattr(online_session, "QtConnection", lambda *_: OneWay())
    window, chance = opened(), random.Random(game)
    wrong = bad(frames, chance)
    count = 0
    while count < BAD:
        come(window)
        for frame in frames:
            say(window, frame)
            if chance.random() < 0.5:
                say(window, next(wrong))
                count += 1
            if count == BAD:
                break
    window.show_shelf()
    assert window.shelf.isVisible()
