"""Rights to make requests at a table."""

from tabletop.engine.model import Reason
from tabletop.net.table.hosted_table import HostedTable
from tabletop.net.table.seats import Peer, Seat
from tabletop.net.table.services import NOT_NOW, Refusal

NOT_YOURS = Reason("This is not your seat.", code="not_yours")
NO_SEAT = Reason("This table has no such seat.", code="no_seat")
BEGUN = Reason("The match has already begun.", code="begun")
HOST_ONLY = Reason("Only the host of the table can do this.", code="host_only")


def seat_there(hosted: HostedTable, seat: int) -> Seat:
    """The seat of this number.

    Raises:
        Refusal: there is none.
    """
    if seat >= len(hosted.places):
        raise Refusal(NO_SEAT)
    return hosted.places[seat]


def own_seat(hosted: HostedTable, peer: Peer, seat: int) -> Seat:
    """The seat of this number, which is this guest's.

    Raises:
        Refusal: it is somebody else's, or there is none.
    """
    place = seat_there(hosted, seat)
    if place.peer is not peer:
        raise Refusal(NOT_YOURS)
    return place


def owner_only(hosted: HostedTable, peer: Peer) -> None:
    """Raises Refusal: this guest does not host the table."""
    if not hosted.guests[peer].owner:
        raise Refusal(HOST_ONLY)


def gathering_only(hosted: HostedTable) -> None:
    """Raises Refusal: a match has begun."""
    if hosted.phase != "gathering":
        raise Refusal(NOT_NOW if hosted.phase == "over" else BEGUN)
