"""One search for the host of a gateway's table, for all its browsers: a gateway has hundreds."""

import asyncio
from collections.abc import Callable, Iterable

from msgspec.structs import replace

from tabletop.background.tasks import Tasks
from tabletop.lan.discovery import DiscoveredTable, Finder, places_of_hosts
from tabletop.lan.interfaces import is_loopback
from tabletop.protocol.invitation import Address

SEARCH_TIMEOUT_S = 10.0
"""Seconds for which one search goes on, unless the host is found."""


class HostSearch:
    """Looks for a host that was lost, by its certificate, where it announces itself."""

    def __init__(self, tell: Callable[[Address], None]) -> None:
        """`tell` is given the host's place each time that it is another one."""
        self._tell = tell
        self._tasks = Tasks()
        self._runs = False

    def start(self, place: Address) -> None:
        """Look for the host of this place, unless that is done already or makes no sense: of a host
        on this computer, or one whose certificate isn't known."""
        if self._runs or not place.fingerprint or all(map(is_loopback, place.hosts)):
            return
        self._runs = True
        self._tasks.start(self._look(place))

    async def close(self) -> None:
        """End it."""
        await self._tasks.cancel()

    async def _look(self, place: Address) -> None:
        there = asyncio.Event()

        def hear(tables: Iterable[DiscoveredTable]) -> None:
            for found in places_of_hosts((place.fingerprint,), tables)[:1]:
                there.set()
                self._tell(replace(found, slot=place.slot))

        finder = Finder(hear)
        try:
            await finder.start()
            async with asyncio.timeout(SEARCH_TIMEOUT_S):
                await there.wait()
        except TimeoutError:
            pass
        finally:
            self._runs = False
            await finder.close()
