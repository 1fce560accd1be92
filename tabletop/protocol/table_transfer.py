"""Messages by which a table moves to another computer, at its host's request."""

from typing import Annotated

from msgspec import Meta, Struct

from tabletop.protocol.field_types import SeatNumber, Secret, Short
from tabletop.protocol.message_tags import wire_tag

TABLE_TRANSFER_FEATURE = "moving"
"""The feature of a host to which tables of other computers may move, and from which its host may
take one back by a `NewHost` that was not asked for."""
GAME_TRANSFER_FEATURE = "moving_games"
"""The feature of a host that takes along a game without Python that it lacks, with its table."""
MAX_MOVED_GAME_BYTES = 8 * 1024 * 1024
"""The limit for all files of a game that moves along: a host holds them in memory for a moment."""


class HandOverHost(Struct, frozen=True, tag=wire_tag):
    """The host asks the player at a seat to host the table on."""

    seat: SeatNumber
    """The player's seat."""


class NewHost(Struct, frozen=True, tag=wire_tag):
    """The answer to `OfferHosting`. A host may send it unasked, about its own computer."""

    port: Annotated[int, Meta(ge=0, lt=65536)]
    """Where the table can move to, at the address the guest is connected from; 0: the guest is not
    willing."""
    fingerprint: Secret = ""
    """The fingerprint of the certificate there."""
    key: Secret = ""
    """The key that the table is let in by."""


class RequestTableMove(Struct, frozen=True, tag=wire_tag):
    """Request to move a table of another computer here."""

    key: Secret = ""
    """The server's key, as in `OpenTable`."""


class TableMoveAllowed(Struct, frozen=True, tag=wire_tag):
    """Permission to move a table here, once, within a few minutes."""

    key: Secret
    """The key that it is let in by."""


class DeliverTable(Struct, frozen=True, tag=wire_tag):
    """From one host to another: a piece of a table with its match and journal, in order."""

    key: Secret
    """The key that it is let in by."""
    piece: bytes
    """Some bytes."""
    last: bool
    """Whether all have been sent."""


class OfferHosting(Struct, frozen=True, tag=wire_tag):
    """The host wishes to hand the table over to this guest; it answers with `NewHost`."""

    seat: SeatNumber
    """The guest's seat."""


class TableDelivered(Struct, frozen=True, tag=wire_tag):
    """From one host to another: the table has arrived."""

    table: Short
    """The id of the table."""
    addresses: tuple[Short, ...] = ()
    """Where it can be reached."""


class TableMoved(Struct, frozen=True, tag=wire_tag):
    """The table is elsewhere now; the tokens are good there."""

    addresses: tuple[Short, ...]
    """The addresses of its new host."""
    port: int
    """The port at all of them."""
    fingerprint: Secret
    """The fingerprint of the new host's certificate."""
    table: Short
    """The id of the table there."""


TransferRequest = HandOverHost | NewHost | DeliverTable | RequestTableMove
TransferResponse = OfferHosting | TableDelivered | TableMoved | TableMoveAllowed
