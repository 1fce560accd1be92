"""Messages by which a seat moves to a device without its token.

The device needs the seat's code, or the host frees the seat. A code admits to its seat only, works
once, and requires that the guest has joined the table. Wrong seat codes count against the same
limit per address as wrong table codes.

Guests send these messages only to hosts with `SEAT_CODES_FEATURE`, which send each player the code
of their seat.
"""

import secrets

from msgspec import Struct

from tabletop.engine.model import Reason
from tabletop.protocol.field_types import SeatNumber, Short
from tabletop.protocol.invitation import CODE_ALPHABET
from tabletop.protocol.message_tags import wire_tag

SEAT_CODES_FEATURE = "seat_codes"
SEAT_CODE_LENGTH = 5
"""The number of characters in a seat code, which holds 25 bits. `Limits.codes_per_address` allows
ten attempts in five minutes.
"""
WRONG_SEAT_CODE = Reason("That is not the code of this seat.", code="wrong_seat_code")


class TakeOverSeat(Struct, frozen=True, tag=wire_tag):
    """A request to take over a person's seat. The former player can reclaim it by its token."""

    seat: SeatNumber
    """The seat to take over."""
    code: Short = ""
    """The seat's code; not needed if the host has freed the seat."""


class FreeSeat(Struct, frozen=True, tag=wire_tag):
    """The host's request to free a seat during a match. The seat's tokens become invalid, and
    anyone may take it over.
    """

    seat: SeatNumber
    """The seat to free."""


SeatCodeRequest = TakeOverSeat | FreeSeat


def generate_seat_code() -> str:
    """Return a random code for a seat."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(SEAT_CODE_LENGTH))
