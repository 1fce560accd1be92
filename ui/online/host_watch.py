"""Watches for table hosts that were unreachable, and reports when they are back.

A host is recognised by its certificate, at a known or an announced address. Nothing is sent to the
host, so watching doesn't count as an attempt to join.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping

from tabletop.lan.discovery import Finder, addresses_of_hosts
from tabletop.net.guest.dial import ConnectionRace, HostUnreachable, routes_of
from tabletop.protocol.invitation import Address

CHECK_INTERVAL_S = 15.0
"""Seconds between two rounds of checks; a new announcement starts the next round early."""


async def watch_for_hosts(
    wanted: Mapping[str, Iterable[Address]],
    on_return: Callable[[str, Address], None],
    pause: float = CHECK_INTERVAL_S,
) -> None:
    """Wait for the hosts in `wanted`, and call `on_return` for each host that is back.

    Returns after the last one. `wanted`: by table ID, the known addresses of the table's host, each
    with the required certificate. `on_return`: called with the table ID and the host's address.
    `pause`: seconds between two rounds of checks.
    """
    remaining = {table: tuple(places) for table, places in wanted.items()}
    announced = asyncio.Event()
    finder = Finder(lambda _: announced.set())
    try:
        await finder.start()
        while remaining:
            announced.clear()
            for table, places in tuple(remaining.items()):
                keys = {place.fingerprint for place in places}
                announced_places = addresses_of_hosts(keys, finder.found)
                address = await reachable_address((*announced_places, *places))
                if address is not None:
                    del remaining[table]
                    on_return(table, address)
            if remaining:
                await _wait_for_announcement(announced, pause)
    finally:
        await finder.close()


async def reachable_address(places: Iterable[Address]) -> Address | None:
    """Return the first address that presents the expected certificate; None if none does."""
    known = [place for place in places if place.fingerprint]
    async with ConnectionRace(routes_of(*known)) as race:
        try:
            socket, place = await race.next_connection()
        except HostUnreachable:
            return None
        socket.transport.abort()
        return place


async def _wait_for_announcement(announced: asyncio.Event, pause: float) -> None:
    try:
        async with asyncio.timeout(pause):
            await announced.wait()
    except TimeoutError:
        pass
