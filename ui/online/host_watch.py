"""Watching for hosts that were gone: whether one is there again.

A host is known by its key alone: it is back once the computer at one of its addresses, or where it
announces itself, shows the right certificate. Nothing is said to it, so nothing counts as a try.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping

from tabletop.lan.discovery import Finder, addresses_of_hosts
from tabletop.net.guest.dial import ConnectionRace, HostUnreachable, routes_of
from tabletop.protocol.invitation import Address

PAUSE = 15.0
"""Seconds between two looks, unless an announcement comes earlier."""


async def watch_for_hosts(
    wanted: Mapping[str, Iterable[Address]],
    tell: Callable[[str, Address], None],
    pause: float = PAUSE,
) -> None:
    """Tell of each of these tables once its host is there again, and where, until all are.

    `wanted`: by table, where its host was met, each place with the certificate it must show.
    """
    left = {table: tuple(places) for table, places in wanted.items()}
    announced = asyncio.Event()
    finder = Finder(lambda _: announced.set())
    try:
        await finder.start()
        while left:
            announced.clear()
            for table, places in tuple(left.items()):
                keys = {place.fingerprint for place in places}
                announced_places = addresses_of_hosts(keys, finder.found)
                now = await answering_place((*announced_places, *places))
                if now is not None:
                    del left[table]
                    tell(table, now)
            if left:
                await _wait(announced, pause)
    finally:
        await finder.close()


async def answering_place(places: Iterable[Address]) -> Address | None:
    """The one of these places where the host is that they name by its certificate; None where it is
    at none."""
    known = [place for place in places if place.fingerprint]
    async with ConnectionRace(routes_of(*known)) as dialling:
        try:
            socket, place = await dialling.next_connection()
        except HostUnreachable:
            return None
        socket.transport.abort()
        return place


async def _wait(announced: asyncio.Event, pause: float) -> None:
    try:
        async with asyncio.timeout(pause):
            await announced.wait()
    except TimeoutError:
        pass
