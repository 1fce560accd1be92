"""Seat tokens as stored by browsers, with everything that a gateway needs to find the seat again.

A gateway stores nothing, so any other gateway can replace it, even on another computer. For that
the token includes how many starts the guest has seen at the table, the table's code, and the
fingerprint of the host's certificate. The host stores only a digest of its part, and forgets the
digest when it frees the seat.
"""

import re
from typing import get_args

from tabletop.net.guest.dealt_starts import DIGITS, DealtStarts, State
from tabletop.net.guest.join_attempt import Ticket
from tabletop.protocol.field_types import MAX_SEATS
from tabletop.protocol.invitation import CODE

_NAME = "[0-9a-zA-Z_-]{1,80}"
_STATES: dict[str, State] = {state[0]: state for state in get_args(State)}
_FINGERPRINT = re.compile("[0-9a-f]{64}")
_FORM = re.compile(
    rf"({_NAME})\.([0-9]{{1,3}})\.({_NAME})"
    rf"(?:\.([{''.join(_STATES)}])([0-9]{{1,9}})-([0-9a-f]{{0,{DIGITS}}}))?"
    rf"(?:~({CODE.pattern})?~({_FINGERPRINT.pattern})?)?"
)


def format_token(ticket: Ticket) -> str:
    """Return the token of the first seat in `ticket`; "" if `ticket` has no seat."""
    seats = sorted(ticket.seats.items())
    if not seats or not ticket.table:
        return ""
    token, starts = f"{ticket.table}.{seats[0][0]}.{seats[0][1]}", ticket.starts
    if starts is not None:
        token += f".{starts.state[0]}{starts.unfinished}-{starts.start}"
    code = ticket.code if CODE.fullmatch(ticket.code) else ""
    fingerprint = ticket.fingerprint if _FINGERPRINT.fullmatch(ticket.fingerprint) else ""
    return f"{token}~{code}~{fingerprint}" if code or fingerprint else token


def seat_key(token: str) -> str:
    """Return the part of `token` that identifies the seat and never changes; "" if `token` is
    invalid.
    """
    parts = _FORM.fullmatch(token)
    return f"{parts[1]}.{parts[2]}.{parts[3]}" if parts else ""


def table_id(token: str) -> str:
    """Return the ID of the token's table; "" if `token` is invalid."""
    parts = _FORM.fullmatch(token)
    return parts[1] if parts else ""


def parse_token(token: str, fingerprint: str = "") -> Ticket | None:
    """Return the ticket with which a guest returns to the seat; None if `token` is invalid.

    `fingerprint`: the fingerprint that the host's certificate certainly has; "" to use the token's.
    """
    parts = _FORM.fullmatch(token)
    if parts is None or int(parts[2]) >= MAX_SEATS:
        return None
    starts = DealtStarts(_STATES[parts[4]], parts[6], int(parts[5])) if parts[4] else None
    seats = {int(parts[2]): parts[3]}
    code, host = parts[7] or "", fingerprint or parts[8] or ""
    return Ticket(parts[1], code, "", seats, host, starts)
