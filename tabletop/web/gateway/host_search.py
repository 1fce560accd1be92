"""Search for a lost host, shared by all browsers of a gateway."""

import asyncio
from collections.abc import Callable, Iterable

from msgspec.structs import replace

from tabletop.background.tasks import Tasks
from tabletop.lan.discovery import DiscoveredTable, Finder, addresses_of_hosts
from tabletop.lan.interfaces import is_loopback
from tabletop.protocol.invitation import Address

SEARCH_TIMEOUT_S = 10.0
"""How long a search runs, in seconds."""


class HostSearch:
    """Finds a lost host by its certificate among the hosts announced on the local network."""

    def __init__(self, on_found: Callable[[Address], None]) -> None:
        """`on_found` is called with the host's new address."""
        self._on_found = on_found
        self._tasks = Tasks()
        self._runs = False

    def start(self, place: Address) -> None:
        """Search for the host that was at `place`, unless a search is running.

        Hosts on this computer, and hosts without a known certificate, aren't searched for.
        """
        if self._runs or not place.fingerprint or all(map(is_loopback, place.hosts)):
            return
        self._runs = True
        self._tasks.start(self._look(place))

    async def close(self) -> None:
        """Stop the search."""
        await self._tasks.cancel()

    async def _look(self, place: Address) -> None:
        there = asyncio.Event()

        def hear(tables: Iterable[DiscoveredTable]) -> None:
            for found in addresses_of_hosts((place.fingerprint,), tables)[:1]:
                there.set()
                self._on_found(replace(found, slot=place.slot))

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
