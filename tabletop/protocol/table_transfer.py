"""Messages by which a table moves to another computer at its host's request."""

from typing import Annotated

from msgspec import Meta, Struct

from tabletop.protocol.field_types import SeatNumber, Secret, Short
from tabletop.protocol.message_tags import wire_tag

TABLE_TRANSFER_FEATURE = "moving"
"""A feature of hosts: they accept tables from other computers. The host of a moved table may take
it back by an unsolicited `NewHost`.
"""
GAME_TRANSFER_FEATURE = "moving_games"
"""A feature of hosts: they also accept a moved table's game if the game has no program code."""
MAX_MOVED_GAME_BYTES = 8 * 1024 * 1024
"""The maximum total size of the files of a moved game. The receiving host holds them in memory."""


class HandOverHost(Struct, frozen=True, tag=wire_tag):
    """The host's request that another player become the host."""

    seat: SeatNumber
    """The seat of the player who becomes the host."""


class NewHost(Struct, frozen=True, tag=wire_tag):
    """A guest's answer to `OfferHosting`. The table's host may also send it unsolicited, to move
    the table to its own computer.
    """

    port: Annotated[int, Meta(ge=0, lt=65536)]
    """The port to move the table to, at the guest's address; 0 to decline."""
    fingerprint: Secret = ""
    """The fingerprint of the new host's certificate."""
    key: Secret = ""
    """The key that admits the table."""


class RequestTableMove(Struct, frozen=True, tag=wire_tag):
    """A request to the server for permission to move a table to it."""

    key: Secret = ""
    """The server's key, as in `OpenTable`."""


class TableMoveAllowed(Struct, frozen=True, tag=wire_tag):
    """Permission to move one table to this host within a few minutes."""

    key: Secret
    """The key that admits the table."""


class DeliverTable(Struct, frozen=True, tag=wire_tag):
    """A chunk of a table with its match and journal, sent in order from the
    former host to the new one.
    """

    key: Secret
    """The key that admits the table."""
    piece: bytes
    """The bytes of the chunk."""
    last: bool
    """Whether this is the last chunk."""


class OfferHosting(Struct, frozen=True, tag=wire_tag):
    """The host's offer to hand the table over to the guest, which answers with `NewHost`."""

    seat: SeatNumber
    """The guest's seat."""


class TableDelivered(Struct, frozen=True, tag=wire_tag):
    """Confirmation that the table has arrived at the new host."""

    table: Short
    """The ID of the table."""
    addresses: tuple[Short, ...] = ()
    """The addresses of the new host."""


class TableMoved(Struct, frozen=True, tag=wire_tag):
    """A notice that the table has moved. The guest's tokens are valid at the new host."""

    addresses: tuple[Short, ...]
    """The addresses of the new host."""
    port: int
    """The new host's port, the same at all addresses."""
    fingerprint: Secret
    """The fingerprint of the new host's certificate."""
    table: Short
    """The ID of the table at the new host."""


TransferRequest = HandOverHost | NewHost | DeliverTable | RequestTableMove
TransferResponse = OfferHosting | TableDelivered | TableMoved | TableMoveAllowed
