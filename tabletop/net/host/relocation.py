"""Moving a table, with all its guests, to another computer."""

import logging
from collections.abc import Collection, Coroutine

import msgspec
from msgspec.structs import replace

from tabletop.background.faults import WENT_WRONG
from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal
from tabletop.files.errors import StorageError
from tabletop.net.guest.dial import WrongCertificate
from tabletop.net.guest.server_query import request_move_offer, send_table
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
from tabletop.table.given_games import files_to_move
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
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "::1")


def plan_relocation(
    registry: TableRegistry,
    guest: ConnectedGuest,
    hosted: HostedTable,
    message: HandOverHost | NewHost,
) -> Coroutine[None, None, None] | None:
    """Ask a player to take over a table, or handle the player's answer.

    Returns:
        A coroutine that moves the table, if the player has agreed.

    Raises:
        Illegal: the guest may not do this, or not now.
    """
    if not is_allowed(hosted, guest, message) or hosted.is_moving:
        raise Illegal(NOT_NOW)
    match message:
        case HandOverHost(seat=seat):
            other = hosted.seats[seat].peer
            if other is None or other is guest:
                raise Illegal(NOT_NOW)
            assert isinstance(other, ConnectedGuest)
            if not other.can_host:
                hosted.notify(DECLINED.with_args(seat=seat))
                return None
            _offer_hosting(hosted, other, seat)
        case NewHost(port=port):
            asked, guest.asked_to_host = guest.asked_to_host, None
            if asked is not None and asked[0] == hosted.table:
                seat = asked[1]
                takes_it = hosted.seats[seat].peer is guest
            else:  # the table's host moves it to their own computer
                seat = hosted.hosting
                takes_it = hosted.guests[guest].owner
            if not takes_it:
                raise Illegal(NOT_NOW)
            if port:
                hosted.is_moving = (
                    True  # before anything else, so that nobody else can agree as well
                )
                return _relocate(registry, guest, hosted, message, seat)
            hosted.notify(DECLINED.with_args(seat=seat))
    return None


def _offer_hosting(hosted: HostedTable, guest: ConnectedGuest, seat: int) -> None:
    guest.asked_to_host = hosted.table, seat
    guest.send_message(OfferHosting(seat))


def offer_hosting_to_players(hosted: HostedTable) -> None:
    """Ask all connected players who could host the table to take it over."""
    if hosted.can_move:
        for guest in hosted.guests:
            seats = [seat for seat in hosted.seats_of(guest) if hosted.seats[seat].is_present]
            if seats and guest.can_host and isinstance(guest, ConnectedGuest):
                _offer_hosting(hosted, guest, seats[0])


def has_open_offer(hosted: HostedTable) -> bool:
    """Return whether any guest hasn't answered yet whether to take the table over."""
    asked = (guest.asked_to_host for guest in hosted.guests if isinstance(guest, ConnectedGuest))
    return any(each is not None and each[0] == hosted.table for each in asked)


async def _relocate(
    registry: TableRegistry, guest: ConnectedGuest, hosted: HostedTable, there: NewHost, seat: int
) -> None:
    """Move a table to the computer of `guest`.

    If that fails, the table stays here and its guests are told.

    `seat`: the seat of the player who hosts the table afterwards.
    """
    place = Address((guest.address,), there.port, there.fingerprint)
    try:
        stays = await _send_table(registry, hosted, place, there.key, seat)
    except WrongCertificate:  # expected behind a router or tunnel, so no error is raised
        stays = POSING
    if stays is not None:
        presence = hosted.guests.get(guest)  # the guest may have gone meanwhile
        host = seat < 0 or (presence is not None and presence.owner)
        hosted.notify(NOT_TAKEN if host else NOT_MOVED.with_args(seat=seat))


async def relocate_to_server(
    registry: TableRegistry, hosted: HostedTable, address: Address, key: str
) -> Reason | None:
    """Move a table to a server, keeping its owner. Return why that failed, or None.

    `key`: as in `OpenTable`.

    Raises:
        WrongCertificate: the server's certificate isn't the one that `address` names.
    """
    offer = await request_move_offer(address, key)
    if isinstance(offer, Reason):
        return offer
    here = registry.hosted_tables.get(hosted.table) is hosted
    if not here or not hosted.can_move:
        return NOT_NOW
    return await _send_table(registry, hosted, address, offer.key, hosted.hosting)


async def _send_table(
    registry: TableRegistry, hosted: HostedTable, address: Address, key: str, seat: int
) -> Reason | None:
    """Send a table to the host at `address` and redirect its guests.

    Return why that failed, or None.

    Raises:
        WrongCertificate: the host's certificate isn't the one that `address` names.
    """
    hosted.is_moving = True
    hosted.hosted_match.close()
    try:
        await disk_of(hosted).wait_until_safe()
        moved = pack_table(hosted, seat)

        def made_for(features: Collection[str]) -> bytes:
            files = files_to_move(hosted.kit) if GAME_TRANSFER_FEATURE in features else {}
            return msgspec.json.encode(replace(moved, files=files))

        arrived = await send_table(address, key, made_for)
    except StorageError as error:
        arrived = error.reason
    except WrongCertificate:
        _resume_here(registry, hosted, POSING)
        raise
    except Exception:
        _resume_here(registry, hosted, WENT_WRONG)
        raise
    if isinstance(arrived, Reason):
        _resume_here(registry, hosted, arrived)
        return arrived
    # loopback addresses come last, because other computers can't use them
    hosts = sorted(
        dict.fromkeys((*address.hosts, *arrived.addresses)), key=LOOPBACK_HOSTS.__contains__
    )
    hosted.send_all(TableMoved(tuple(hosts), address.port, address.fingerprint, hosted.table))
    if hosted.table in registry.hosted_tables:
        registry.close_table(hosted.table, None)
    log.info("moved table=%s to=%s", hosted.table, address.name)
    return None


def _resume_here(registry: TableRegistry, hosted: HostedTable, why: Reason) -> None:
    """Resume a table that couldn't be moved."""
    log.warning("not moved table=%s why=%s", hosted.table, why.text)
    hosted.is_moving = False
    if hosted.table in registry.hosted_tables:  # it wasn't closed meanwhile
        hosted.hosted_match.reopen()
