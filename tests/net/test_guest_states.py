"""A guest's connection and aim: every event in every state."""

from collections.abc import Callable
from typing import get_args

import pytest

from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.session import ConnectionState, Guest
from tabletop.protocol.codec import tag_of
from tabletop.protocol.messages import (
    Farewell,
    FromGuest,
    JoinTable,
    Refused,
    SeatConfig,
    Seated,
    TableJoined,
    TablePlan,
    Welcome,
)
from tabletop.protocol.table_transfer import TableMoved
from tabletop.protocol.versions import PROTOCOL_VERSION
from tabletop.table.connection_events import Lost

RIGHT, WRONG = "right", "wrong"
TICKET = Ticket("t", "K7MPQ2", seats={0: "token"}, fingerprint=RIGHT)
PLAN = TablePlan("sun", (SeatConfig(), SeatConfig()))
CLOSED = Reason("The table is closed.")


class GuestRig:
    """A guest, and the names of the messages that it has sent."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.guest = Guest(lambda name: pytest.fail(name), self._note)

    def _note(self, message: FromGuest) -> None:
        back = isinstance(message, JoinTable) and message.back
        self.said.append("enter to come back" if back else tag_of(message))


# Situations


def away() -> GuestRig:
    """A new guest, who wants nothing yet."""
    return GuestRig()


def expected() -> GuestRig:
    """Not connected, and on the way to a table."""
    rig = away()
    rig.guest.join(TICKET)
    return rig


def greeting() -> GuestRig:
    rig = expected()
    rig.guest.on_connected(RIGHT)
    return rig


def outside() -> GuestRig:
    """Connected, and welcome; the guest wants nothing yet."""
    rig = away()
    rig.guest.on_connected(RIGHT)
    rig.guest.receive(Welcome(PROTOCOL_VERSION, "host"))
    return rig


def knocking() -> GuestRig:
    rig = greeting()
    rig.guest.receive(Welcome(PROTOCOL_VERSION, "host"))
    return rig


def opening() -> GuestRig:
    rig = outside()
    rig.guest.open_table(PLAN)
    return rig


def proving() -> GuestRig:
    """The host shows another certificate than the one that the ticket is for."""
    rig = expected()
    rig.guest.on_connected(WRONG)
    rig.guest.receive(Welcome(PROTOCOL_VERSION, "host"))
    return rig


def inside() -> GuestRig:
    rig = knocking()
    rig.guest.receive(TableJoined("t", (0,)))
    return rig


def cut_off() -> GuestRig:
    """The connection broke at the table."""
    rig = inside()
    rig.guest.on_connection_lost(Lost(CLOSED, 1.0))
    return rig


def departed() -> GuestRig:
    rig = inside()
    rig.guest.leave()
    return rig


SITUATIONS: dict[str, Callable[[], GuestRig]] = {
    each.__name__: each
    for each in (
        *(away, expected, greeting, outside, knocking),
        *(opening, proving, inside, cut_off, departed),
    )
}

# Events

EVENTS: dict[str, Callable[[Guest], object]] = {
    "open": lambda guest: guest.open_table(PLAN),
    "enter": lambda guest: guest.join(TICKET),
    "take a seat back": lambda guest: guest.join(TICKET, back=True),
    "leave": Guest.leave,
    "watch": Guest.watch,
    "say": lambda guest: guest.leave_seat(0),
    "connect": lambda guest: guest.on_connected(RIGHT),
    "lose": lambda guest: guest.on_connection_lost(Lost(CLOSED, 1.0)),
    "welcome": lambda guest: guest.receive(Welcome(PROTOCOL_VERSION, "host")),
    "entered": lambda guest: guest.receive(TableJoined("t", (0,))),
    "entered elsewhere": lambda guest: guest.receive(TableJoined("t", (0, 1))),
    "seated": lambda guest: guest.receive(Seated(1, "another")),
    "closed": lambda guest: guest.receive(Refused(CLOSED, "enter", closed=True)),
    "farewell": lambda guest: guest.receive(Farewell(CLOSED)),
    "moved": lambda guest: guest.receive(TableMoved(("192.0.2.1",), 1, "new", "t2")),
}
IGNORED = ""
"""Neither state nor ticket change, and nothing is sent."""

TABLE: dict[str, dict[str, str]] = {
    "away": {
        "enter": "for t, seats [0]",
        "take a seat back": "for t, seats [0]",
        "say": "refused",
        "connect": "greeting, says hello",
        "welcome": "outside",
        "entered": "inside, says rise, for t",
        "entered elsewhere": "inside, says rise, says rise, for t",
        "seated": "seats [1]",
        "farewell": "outside",
        "moved": "for t2",
    },
    "expected": {
        "leave": "for no table, seats []",
        "say": "refused",
        "connect": "greeting, says hello",
        "welcome": "outside, says ask_doors",
        "farewell": "outside",
    },
    "greeting": {
        "leave": "for no table, seats []",
        "say": "says rise",
        "connect": "says hello",
        "lose": "away",
        "welcome": "outside, says enter",
        "entered": "inside",
        "entered elsewhere": "inside, says rise",
        "seated": "seats [0, 1]",
        "closed": "for no table, seats []",
        "farewell": "outside",
        "moved": "for t2",
    },
    "outside": {
        "open": "says open",
        "enter": "says enter, for t, seats [0]",
        "take a seat back": "says enter to come back, for t, seats [0]",
        "say": "says rise",
        "connect": "greeting, says hello",
        "lose": "away",
        "entered": "inside, says rise, for t",
        "entered elsewhere": "inside, says rise, says rise, for t",
        "seated": "seats [1]",
        "moved": "for t2",
    },
    "knocking": {
        "open": "says enter",
        "enter": "says enter",
        "take a seat back": "says enter to come back",
        "leave": "for no table, seats []",
        "say": "says rise",
        "connect": "greeting, says hello",
        "lose": "away",
        "welcome": "says enter",
        "entered": "inside",
        "entered elsewhere": "inside, says rise",
        "seated": "seats [0, 1]",
        "closed": "for no table, seats []",
        "moved": "for t2",
    },
    "opening": {
        "open": "says open",
        "enter": "says enter, for t, seats [0]",
        "take a seat back": "says enter to come back, for t, seats [0]",
        "say": "says rise",
        "connect": "greeting, says hello",
        "lose": "away",
        "welcome": "says open",
        "entered": "inside, says rise, for t",
        "entered elsewhere": "inside, says rise, says rise, for t",
        "seated": "seats [1]",
        "moved": "for t2",
    },
    "proving": {
        "open": "says ask_doors",
        "enter": "says ask_doors",
        "take a seat back": "says ask_doors",
        "leave": "for no table, seats []",
        "say": "says rise",
        "connect": "greeting, says hello",
        "lose": "away",
        "welcome": "says ask_doors",
    },
    "inside": {
        "leave": "outside, says leave, for no table, seats []",
        "watch": "says watch",
        "say": "says rise",
        "connect": "greeting, says hello",
        "lose": "away",
        "welcome": "outside, says enter",
        "entered elsewhere": "says rise",
        "seated": "seats [0, 1]",
        "closed": "for no table, seats []",
        "farewell": "outside",
        "moved": "for t2",
    },
    "cut_off": {
        "leave": "for no table, seats []",
        "say": "refused",
        "connect": "greeting, says hello",
        "welcome": "outside, says enter",
        "entered": "inside",
        "entered elsewhere": "inside, says rise",
        "seated": "seats [0, 1]",
        "closed": "for no table, seats []",
        "farewell": "outside",
        "moved": "for t2",
    },
    "departed": {
        "open": "says open",
        "enter": "says enter, for t, seats [0]",
        "take a seat back": "says enter to come back, for t, seats [0]",
        "say": "says rise",
        "connect": "greeting, says hello",
        "lose": "away",
    },
}


def outcome(rig: GuestRig, event: str) -> str:
    """Return the new state, what is sent, and the ticket's secrets if they change."""
    guest = rig.guest
    state, ticket = guest.connection_state, guest.ticket
    rig.said.clear()
    try:
        EVENTS[event](guest)
    except Illegal:
        return "refused"
    parts = [guest.connection_state] if guest.connection_state != state else []
    parts += [f"says {name}" for name in rig.said]
    now = guest.ticket
    if (now.table, now.fingerprint) != (ticket.table, ticket.fingerprint):
        parts.append(f"for {now.table or 'no table'}")
    if now.seats != ticket.seats:
        parts.append(f"seats {sorted(now.seats)}")
    return ", ".join(parts)


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_event_in_every_state(situation: str, event: str) -> None:
    assert outcome(SITUATIONS[situation](), event) == TABLE[situation].get(event, IGNORED)


def test_the_table_has_every_state() -> None:
    states = {situation().guest.connection_state for situation in SITUATIONS.values()}
    assert states == set(get_args(ConnectionState))
    assert TABLE.keys() == SITUATIONS.keys()
