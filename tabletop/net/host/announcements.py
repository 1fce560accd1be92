"""Announcements of a host's open tables to the network."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from tabletop.lan.discovery import Announcer
from tabletop.lan.interfaces import addresses
from tabletop.net.host.table_registry import TableRegistry
from tabletop.protocol.listing import ListedTable

log = logging.getLogger("tabletop.net")

ANNOUNCING = 1.0
"""Seconds between two checks of the announcements, while something changes."""
STILL = 4
"""The factor by which it grows at most while nothing changes: an idle host sleeps, and guests who
lost it wait for its new address."""


async def keep_announced(registry: TableRegistry, trouble: Callable[[str], None]) -> None:
    """Announce the tables to the network until cancelled. `trouble` gets the system's reason why
    they can't be announced, and "" once they are."""
    announced: tuple[ListedTable, ...] | None = None
    here: tuple[str, ...] = ()
    troubled = False
    announcer = Announcer(registry.port, registry.fingerprint)
    pause = ANNOUNCING
    try:
        while True:
            registry.changed_tables.clear()
            tables, now = registry.joinable_tables(), addresses()
            still = now == here and tables == announced
            pause = min(2 * pause, STILL * ANNOUNCING) if still else ANNOUNCING
            if now != here:  # the network has changed: announce again, on all interfaces
                here, announced = now, None
                await announcer.close()
                for hosted in registry.hosted_tables.values():
                    registry.invite(hosted)
            if tables != announced:
                try:
                    await announcer.announce(tables)
                    announced, troubled = tables, False
                    trouble("")
                except OSError as error:  # the computer may be between two networks
                    if not troubled:
                        log.warning("not announced why=%s", error)
                    troubled = True
                    trouble(error.strerror or str(error))
            with suppress(TimeoutError):  # announce an opened table at once, or the way back
                async with asyncio.timeout(pause):
                    await registry.changed_tables.wait()
    finally:
        await announcer.close()
