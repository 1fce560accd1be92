"""Messages by which a table moves to another computer, at its host's request."""

from typing import Annotated

from msgspec import Meta, Struct

from tabletop.protocol.field_types import SeatNumber, Secret, Short

MOVING = "moving"
"""The feature of a host to which tables of other computers may move, and from which its host may
take one back by a `NewHost` that was not asked for."""


GAMES_MOVE = "moving_games"
"""The feature of a host that takes a game without Python, which it has not, with a table."""


class HandOverHost(Struct, frozen=True, tag="hand_over"):
    """The host asks the player at a seat to host the table on."""

    seat: SeatNumber


class NewHost(Struct, frozen=True, tag="berth"):
    """The answer: where the table can move to, and the key it is let in by; no port: not willing.
    A host may send it unasked, about the own computer.

    The address is the one the guest is connected from.
    """

    port: Annotated[int, Meta(ge=0, lt=65536)]
    fingerprint: Secret = ""
    key: Secret = ""


class RequestMove(Struct, frozen=True, tag="ask_berth"):
    """Request to move a table of another computer here. `key` as in `Open`."""

    key: Secret = ""


class MoveOffer(Struct, frozen=True, tag="berth_offer"):
    """Permission to move a table here, once, by this key, within a few minutes."""

    key: Secret


class Deliver(Struct, frozen=True, tag="deliver"):
    """From one host to another: a piece of a table with its match and journal, in order."""

    key: Secret
    piece: bytes
    last: bool


class WillYouHost(Struct, frozen=True, tag="will_you_host"):
    """The host wishes to hand the table over to this guest; it answers with `NewHost`."""

    seat: SeatNumber


class Delivered(Struct, frozen=True, tag="delivered"):
    """From one host to another: the table has arrived, and can be reached at these addresses."""

    table: Short
    addresses: tuple[Short, ...] = ()


class TableMoved(Struct, frozen=True, tag="moved"):
    """The table is elsewhere now; the tokens are good there."""

    addresses: tuple[Short, ...]
    port: int
    fingerprint: Secret
    table: Short


MovingQuestion = HandOverHost | NewHost | Deliver | RequestMove
MovingAnswer = WillYouHost | Delivered | TableMoved | MoveOffer
