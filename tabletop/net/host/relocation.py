"""Moving a table to another computer, with everybody at it."""

import logging
from collections.abc import Collection, Coroutine

import msgspec
from msgspec.structs import replace

from tabletop.background.faults import WENT_WRONG
from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal
from tabletop.files.errors import StorageError
from tabletop.net.guest.dial import WrongCertificate
from tabletop.net.guest.server_query import deliver, move_offer_at
from tabletop.net.host.connected_guest import ConnectedGuest
from tabletop.net.host.table_disk import disk_of
from tabletop.net.host.table_packing import pack_table
from tabletop.net.host.table_registry import TableRegistry
from tabletop.protocol.invitation import Address
from tabletop.protocol.table_transfer import (
    GAME_TRANSFER_FEATURE,
    HandOverHost,
    NewHost,
    OfferHosting,
    TableMoved,
)
from tabletop.table.given_games import given_along
from tabletop.table.hosted_table import HostedTable
from tabletop.table.rights import is_allowed
from tabletop.table.services import NOT_NOW

log = logging.getLogger("tabletop.net")

NOT_MOVED = Reason(
    "The table could not move: {seat}'s computer cannot be reached from here.", code="not_moved"
)
NOT_TAKEN = Reason(
    "The table could not move: its host's computer cannot be reached from here.", code="not_taken"
)
POSING = Reason(
    "The table could not move: the new host's computer shows another certificate than expected. "
    "Someone else may be posing as it.",
    code="posing",
)
DECLINED = Reason("{seat} does not want to host the table.", code="declined")
LOOPBACK = ("localhost", "127.0.0.1", "::1")


def plan_relocation(
    registry: TableRegistry,
    guest: ConnectedGuest,
    hosted: HostedTable,
    message: HandOverHost | NewHost,
) -> Coroutine[None, None, None] | None:
    """Ask a player to host a table on, or hear the answer. Return the table's relocation if it
    moves.

    Raises:
        Illegal: the guest may not say so, or not now.
    """
    if not is_allowed(hosted, guest, message) or hosted.moving:
        raise Illegal(NOT_NOW)
    match message:
        case HandOverHost(seat=seat):
            other = hosted.places[seat].peer
            if other is None or other is guest:
                raise Illegal(NOT_NOW)
            assert isinstance(other, ConnectedGuest)
            if not other.can_host:
                hosted.notify(DECLINED.with_args(seat=seat))
                return None
            _ask(hosted, other, seat)
        case NewHost(port=port):
            asked, guest.asked_to_host = guest.asked_to_host, None
            if asked is not None and asked[0] == hosted.table:
                seat = asked[1]
                takes_it = hosted.places[seat].peer is guest
            else:  # the table's host moves it to their own computer
                seat = hosted.hosting
                takes_it = hosted.guests[guest].owner
            if not takes_it:
                raise Illegal(NOT_NOW)
            if port:
                hosted.moving = True  # before anything else, so that nobody else can agree as well
                return _relocate(registry, guest, hosted, message, seat)
            hosted.notify(DECLINED.with_args(seat=seat))
    return None


def _ask(hosted: HostedTable, guest: ConnectedGuest, seat: int) -> None:
    guest.asked_to_host = hosted.table, seat
    guest.tell(OfferHosting(seat))


def ask_players(hosted: HostedTable) -> None:
    """Ask all players of a table who are there and can host it on whether they do."""
    if hosted.can_move:
        for guest in hosted.guests:
            seats = [seat for seat in hosted.seats_of(guest) if hosted.places[seat].here]
            if seats and guest.can_host and isinstance(guest, ConnectedGuest):
                _ask(hosted, guest, seats[0])


def is_asking(hosted: HostedTable) -> bool:
    """Whether a guest who was asked to host a table on hasn't answered."""
    asked = (guest.asked_to_host for guest in hosted.guests if isinstance(guest, ConnectedGuest))
    return any(each is not None and each[0] == hosted.table for each in asked)


async def _relocate(
    registry: TableRegistry, guest: ConnectedGuest, hosted: HostedTable, there: NewHost, seat: int
) -> None:
    """Send a table to the host on a guest's computer, the guest at this seat or the table's host;
    where that fails it stays here."""
    place = Address((guest.address,), there.port, there.fingerprint)
    try:
        stays = await _send_table(registry, hosted, place, there.key, seat)
    except WrongCertificate:  # as behind a router or tunnel: no alarm
        stays = POSING
    if stays is not None:
        presence = hosted.guests.get(guest)  # the guest may have gone meanwhile
        host = seat < 0 or (presence is not None and presence.owner)
        hosted.notify(NOT_TAKEN if host else NOT_MOVED.with_args(seat=seat))


async def relocate_to_server(
    registry: TableRegistry, hosted: HostedTable, place: Address, key: str
) -> Reason | None:
    """Send a table to somebody else's server, where its host still hosts it; return why it stays
    here, if it does. `key` as in `OpenTable`.

    Raises:
        WrongCertificate: the server shows another one than the place names.
    """
    offer = await move_offer_at(place, key)
    if isinstance(offer, Reason):
        return offer
    here = registry.hosted_tables.get(hosted.table) is hosted
    if not here or not hosted.can_move:
        return NOT_NOW
    return await _send_table(registry, hosted, place, offer.key, hosted.hosting)


async def _send_table(
    registry: TableRegistry, hosted: HostedTable, place: Address, key: str, seat: int
) -> Reason | None:
    """Bring a table there and have everybody follow; why it stays here, if it does. Raises as
    `relocate_to_server`."""
    hosted.moving = True
    hosted.hosted_match.close()
    try:
        await disk_of(hosted).all_safe()
        moved = pack_table(hosted, seat)

        def made_for(features: Collection[str]) -> bytes:
            files = given_along(hosted.kit) if GAME_TRANSFER_FEATURE in features else {}
            return msgspec.json.encode(replace(moved, files=files))

        arrived = await deliver(place, key, made_for)
    except StorageError as error:
        arrived = error.reason
    except WrongCertificate:
        _stay(registry, hosted, POSING)
        raise
    except Exception:
        _stay(registry, hosted, WENT_WRONG)
        raise
    if isinstance(arrived, Reason):
        _stay(registry, hosted, arrived)
        return arrived
    # a loopback address, at which no other computer reaches it
    hosts = sorted(dict.fromkeys((*place.hosts, *arrived.addresses)), key=LOOPBACK.__contains__)
    hosted.tell_all(TableMoved(tuple(hosts), place.port, place.fingerprint, hosted.table))
    if hosted.table in registry.hosted_tables:
        registry.remove(hosted.table, None)
    log.info("moved table=%s to=%s", hosted.table, place.name)
    return None


def _stay(registry: TableRegistry, hosted: HostedTable, why: Reason) -> None:
    """Go on with a table that could not move."""
    log.warning("not moved table=%s why=%s", hosted.table, why.text)
    hosted.moving = False
    if hosted.table in registry.hosted_tables:  # nobody closed it meanwhile
        hosted.hosted_match.go_on()
