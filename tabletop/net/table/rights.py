"""Rights to make requests at a table."""

from tabletop.engine.model import AUDIENCE, Reason
from tabletop.net.match_notes import WriteNote
from tabletop.net.moderation import Admit, Mute, Remove, RenewCode, SetKnock
from tabletop.net.protocol import (
    Absent,
    Arrange,
    Commit,
    Concede,
    Consent,
    FromGuest,
    Play,
    Ready,
    Reveal,
    Rise,
    Sit,
    Speak,
    Start,
    TakeBack,
)
from tabletop.net.seat_codes import FreeSeat
from tabletop.net.table.hosted_table import HostedTable
from tabletop.net.table.seats import Peer
from tabletop.net.table.services import NOT_NOW, Refusal
from tabletop.net.table_transfer import HandOverHost

NOT_YOURS = Reason("This is not your seat.", code="not_yours")
NO_SEAT = Reason("This table has no such seat.", code="no_seat")
ALREADY_STARTED = Reason("The match has already begun.", code="begun")
HOST_ONLY = Reason("Only the host of the table can do this.", code="host_only")

FOR_HOST = (Arrange, Start, Remove, FreeSeat, Mute, RenewCode, SetKnock, Admit, HandOverHost)
"""Requests that only the table's host may make."""
BEFORE_MATCH = (Sit, Ready, Arrange, Start)
"""Requests that are possible only while players gather."""
FOR_OWN_SEAT = (
    Rise,
    Ready,
    Commit,
    Reveal,
    Play,
    TakeBack,
    Consent,
    Concede,
    Absent,
    Speak,
    WriteNote,
)
"""Requests whose `seat` must be the guest's own, or AUDIENCE where the message admits that."""


def check_rights(hosted: HostedTable, peer: Peer, message: FromGuest) -> None:
    """
    Raises:
        Refusal: the guest may not make this request, or not now.
    """
    if isinstance(message, FOR_HOST):
        check_owner(hosted, peer)
    if isinstance(message, BEFORE_MATCH) and hosted.phase != "gathering":
        raise Refusal(NOT_NOW if hosted.phase == "over" else ALREADY_STARTED)
    seat = getattr(message, "seat", AUDIENCE)
    if seat >= len(hosted.places):
        raise Refusal(NO_SEAT)
    own = seat == AUDIENCE or hosted.places[seat].peer is peer
    if isinstance(message, FOR_OWN_SEAT) and not own:
        raise Refusal(NOT_YOURS)


def check_owner(hosted: HostedTable, peer: Peer) -> None:
    """
    Raises:
        Refusal: this guest does not host the table.
    """
    if not hosted.guests[peer].owner:
        raise Refusal(HOST_ONLY)
