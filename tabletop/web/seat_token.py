"""The key to a seat as a browser keeps it: all that a gateway needs to find the seat again.

The gateway stores nothing: one that was killed, and one on another computer, are as good as the
first. The host knows the token by its digest alone, and forgets it when it frees the seat.
"""

import re

from tabletop.net.field_types import MOST_SEATS
from tabletop.net.guest.way_in import Ticket

_FORM = re.compile(r"([0-9a-zA-Z_-]{1,80})\.([0-9]{1,3})\.([0-9a-zA-Z_-]{1,80})")


def written(ticket: Ticket) -> str:
    """The first own seat of a ticket as a browser keeps it; empty where there is none."""
    seats = sorted(ticket.seats.items())
    return f"{ticket.table}.{seats[0][0]}.{seats[0][1]}" if seats and ticket.table else ""


def table_of(token: str) -> str:
    """The table that a token leads to; empty where it is none."""
    found = _FORM.fullmatch(token)
    return found[1] if found else ""


def read(token: str, fingerprint: str) -> Ticket | None:
    """The way back to the seat, at the host of this certificate; None where it is no token."""
    found = _FORM.fullmatch(token)
    if found is None or int(found[2]) >= MOST_SEATS:
        return None
    return Ticket(found[1], "", "", {int(found[2]): found[3]}, fingerprint)
