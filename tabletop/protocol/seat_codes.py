"""Moving a seat to a phone or computer without its token: by the seat's own short code, or once the
host has freed it.

A seat's code opens that seat alone, for a guest who has joined the table already; it works once.
Wrong ones are counted with those of tables, by where they come from. These messages are for a host
whose welcome names the feature `SEAT_CODES_FEATURE`; it sends a seat's code to its player.
"""

import secrets

from msgspec import Struct

from tabletop.engine.model import Reason
from tabletop.protocol.field_types import SeatNumber, Short
from tabletop.protocol.invitation import CODE_ALPHABET
from tabletop.protocol.message_tags import wire_tag

SEAT_CODES_FEATURE = "seat_codes"
SEAT_CODE_LENGTH = 5
"""Characters: 25 bits, of which ten in five minutes may be tried (`Limits.codes_per_address`)."""
WRONG_SEAT_CODE = Reason("That is not the code of this seat.", code="wrong_seat_code")


class TakeOverSeat(Struct, frozen=True, tag=wire_tag):
    """Sit down where a person sits already. The person who sat there may take the seat back by the
    token."""

    seat: SeatNumber
    """The seat."""
    code: Short = ""
    """The seat's; none is needed where the host has freed it."""


class FreeSeat(Struct, frozen=True, tag=wire_tag):
    """The host frees a seat of a running match: its tokens become invalid, and anyone who takes it
    plays on."""

    seat: SeatNumber
    """The seat."""


SeatCodeRequest = TakeOverSeat | FreeSeat


def generate_seat_code() -> str:
    """A code for a seat."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(SEAT_CODE_LENGTH))
