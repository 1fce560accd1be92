"""Announcing a host's tables on the LAN."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from tabletop.lan.discovery import Announcer
from tabletop.lan.interfaces import addresses
from tabletop.net.host.table_registry import TableRegistry
from tabletop.protocol.listing import ListedTable

log = logging.getLogger("tabletop.net")

CHECK_INTERVAL_S = 1.0
"""Seconds between two updates of the announcements while something changes."""
MAX_BACKOFF_FACTOR = 4
"""The maximum factor by which the interval grows while nothing changes.

An idle host saves power, but guests who lost it still have to learn its new address soon.
"""


async def keep_announced(registry: TableRegistry, on_result: Callable[[str], None]) -> None:
    """Announce the joinable tables until cancelled.

    `on_result`: called with the system's error message if
    announcing fails, and with "" once it works.
    """
    announced: tuple[ListedTable, ...] | None = None
    here: tuple[str, ...] = ()
    troubled = False
    announcer = Announcer(registry.port, registry.fingerprint)
    pause = CHECK_INTERVAL_S
    try:
        while True:
            registry.changed_tables.clear()
            tables, now = registry.joinable_tables(), addresses()
            still = now == here and tables == announced
            pause = (
                min(2 * pause, MAX_BACKOFF_FACTOR * CHECK_INTERVAL_S) if still else CHECK_INTERVAL_S
            )
            if now != here:  # the network has changed: announce again, on all interfaces
                here, announced = now, None
                await announcer.close()
                for hosted in registry.hosted_tables.values():
                    registry.send_invitation(hosted)
            if tables != announced:
                try:
                    await announcer.announce(tables)
                    announced, troubled = tables, False
                    on_result("")
                except OSError as error:  # the computer may be between two networks
                    if not troubled:
                        log.warning("not announced why=%s", error)
                    troubled = True
                    on_result(error.strerror or str(error))
            with suppress(TimeoutError):  # new and interrupted tables are announced at once
                async with asyncio.timeout(pause):
                    await registry.changed_tables.wait()
    finally:
        await announcer.close()
