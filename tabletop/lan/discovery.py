"""LAN discovery: announcing tables with mDNS on all interfaces, and listening for them.

Discovery is optional. On networks without multicast it finds nothing,
and guests use a code or an address instead.
"""

import asyncio
import socket
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import partial
from time import time

from msgspec import Struct
from msgspec.structs import replace
from zeroconf import Error, IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from tabletop import __version__
from tabletop.background.tasks import Tasks
from tabletop.lan.host_probes import HostProbes
from tabletop.lan.interfaces import addresses
from tabletop.protocol.invitation import Address, hinted_address
from tabletop.protocol.listing import ListedTable
from tabletop.protocol.versions import MIN_PROTOCOL_VERSION, PROTOCOL_VERSION
from tabletop.text.plain_text import MAX_NAME_CHARS, plain_line

SERVICE = "_tabletop._tcp.local."
MAX_ANNOUNCED = 16
"""The maximum number of tables that a host announces. Later tables take precedence."""
NETWORK_CHECK_INTERVAL_S = 2.0
"""Seconds between two checks whether this computer's networks have changed."""
RESTART_DELAY_S = 30.0
"""Seconds before the checks restart after an unexpected exception."""
MAX_FOUND = 200
"""The maximum number of tables that are listed. Later tables take precedence."""
RECORD_TTL_S = 120
"""The seconds for which other computers remember the tables of a host that has crashed.

With the usual 75 minutes, these tables would still be listed after
the host has restarted and opened others.
"""
QUERY_TIMEOUTS_MS = (3_000, 10_000, 30_000)
"""The timeout of each attempt to query a new table's details.

Wi-Fi often loses multicast packets.
"""


class DiscoveredTable(Struct, frozen=True):
    """A table that is announced on the LAN."""

    listed: ListedTable
    address: Address
    host: str
    """The name of the computer that hosts the table. Its certificate is stored under this name."""
    program: str
    """The version of the host's program."""
    is_compatible: bool
    """Whether this program and the host support a common protocol."""
    started_at: int = 0
    """When the host's program was started, in Unix time by the host's clock; 0 if unknown."""
    is_reachable: bool = True
    """Whether the host accepted a connection lately. Only a `Finder` that probes hosts knows."""


def is_outdated(one: DiscoveredTable, all_found: Iterable[DiscoveredTable]) -> bool:
    """Return whether the host of table `one` has restarted since it announced that table.

    After a crash, such announcements stay on the network for a while.
    """
    return any(
        other.address.fingerprint == one.address.fingerprint and other.started_at > one.started_at
        for other in all_found
    )


def is_ambiguous(one: DiscoveredTable, all_found: Iterable[DiscoveredTable]) -> bool:
    """Return whether another host announces the same table, or a table with the same name."""
    return any(
        other.address.fingerprint != one.address.fingerprint
        and (other.listed.table == one.listed.table or other.listed.name == one.listed.name)
        for other in all_found
    )


def addresses_for_code(code: str, tables: Iterable[DiscoveredTable]) -> tuple[Address, ...]:
    """Return the addresses at which the table with this `code` may be.

    These are the addresses of all announced hosts, and the address that the code itself
    hints at, for networks without multicast. An announced certificate only tells
    computers at one address apart. It isn't trusted, because anyone can announce
    anything; the host has to prove that it knows the code.
    """
    announced = [table.address for table in tables if table.is_compatible]
    known = {(host, place.port) for place in announced for host in place.hosts}
    guessed = [
        place for place in addresses_from_code(code) if (place.hosts[0], place.port) not in known
    ]
    return tuple(dict.fromkeys((*announced, *guessed)))


def addresses_of_hosts(
    fingerprints: Collection[str], tables: Iterable[DiscoveredTable]
) -> list[Address]:
    """Return the announced addresses of the hosts with these certificate fingerprints."""
    announced = (table.address for table in tables if table.is_compatible)
    return [place for place in announced if place.fingerprint in fingerprints]


def addresses_from_code(code: str, *more: str) -> tuple[Address, ...]:
    """Return the addresses that `code` hints at, relative to
    this computer's addresses and to `more`.
    """
    own = [address for address in addresses() if ":" not in address]
    guesses = [hinted_address(code, address) for address in (*own, *more)]
    return tuple(dict.fromkeys(Address((one[0],), one[1]) for one in guesses if one))


class Announcer:
    """Announces a host's tables on the LAN."""

    def __init__(self, port: int, fingerprint: str) -> None:
        self._port = port
        self._fingerprint = fingerprint
        self._started = int(time())
        self._zeroconf: AsyncZeroconf | None = None
        self._announced: dict[str, AsyncServiceInfo] = {}
        self._turn = asyncio.Lock()

    async def announce(self, tables: Iterable[ListedTable]) -> None:
        """Announce exactly these `tables`, and withdraw all others.

        Raises:
            OSError: this computer can't announce anything.
        """
        wanted = {
            listed.table: self._service_info(listed) for listed in list(tables)[-MAX_ANNOUNCED:]
        }
        async with self._turn:
            if self._zeroconf is None:
                if not wanted:
                    return
                self._zeroconf = AsyncZeroconf(ip_version=_ip_versions())
            for table in self._announced.keys() - wanted.keys():
                await self._zeroconf.async_unregister_service(self._announced.pop(table))
            for table, info in wanted.items():
                before = self._announced.get(table)
                with suppress(Error):
                    if before is None:
                        await self._zeroconf.async_register_service(info, allow_name_change=False)
                    elif (before.properties, before.addresses) != (info.properties, info.addresses):
                        await self._zeroconf.async_update_service(info)
                self._announced[table] = info

    async def close(self) -> None:
        """Withdraw all announcements."""
        async with self._turn:
            if self._zeroconf is not None:
                await self._zeroconf.async_unregister_all_services()
                await self._zeroconf.async_close()
                self._zeroconf = None
                self._announced = {}

    def _service_info(self, listed: ListedTable) -> AsyncServiceInfo:
        host = socket.gethostname().partition(".")[0]
        properties = {
            "table": listed.table,
            "name": plain_line(listed.name, MAX_NAME_CHARS),
            "game": listed.game,
            "seats": str(listed.seats),
            "free": str(listed.free),
            "spectators": listed.spectators,
            "code": "yes" if listed.needs_code else "no",
            "playing": "yes" if listed.playing else "no",
            "started": str(self._started),
            "host_here": "yes" if listed.host_here else "no",
            "fp": self._fingerprint,
            "host": plain_line(host),
            "program": __version__,
            "protocol": f"{MIN_PROTOCOL_VERSION}-{PROTOCOL_VERSION}",
        }
        return AsyncServiceInfo(
            SERVICE,
            f"{listed.table}.{SERVICE}",
            port=self._port,
            properties=properties,
            server=f"tabletop-{self._fingerprint[:12]}.local.",
            host_ttl=RECORD_TTL_S,
            other_ttl=RECORD_TTL_S,
            parsed_addresses=list(addresses()),
        )


class Finder:
    """Listens for tables that are announced on the LAN."""

    def __init__(
        self,
        on_found: Callable[[tuple[DiscoveredTable, ...]], None],
        on_error_change: Callable[[str], None] = lambda why: None,
        probes: bool = False,
    ) -> None:
        """Both callbacks are called in the event loop.

        Args:
            on_found: Called with all current tables whenever one is added, changed or removed.
            on_error_change: Called with the system's error message if this computer can't listen,
                and with "" once it can.
            probes: Whether to check that the hosts accept connections (`host_probes`).
        """
        self._on_found = on_found
        self._on_error_change = on_error_change
        self._has_failed = False
        self._found: dict[tuple[str, str], DiscoveredTable] = {}
        """The tables by announced name and fingerprint, so that no
        host can replace another host's entry.
        """
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._listed: tuple[DiscoveredTable, ...] = ()
        """The tables that were last passed to `on_found`."""
        self._queries, self._follow_task = Tasks(), Tasks()
        self._probes = (
            HostProbes(lambda: [each.address for each in self._found.values()], self._report)
            if probes
            else None
        )
        self._probe_task = Tasks()

    @property
    def found(self) -> tuple[DiscoveredTable, ...]:
        """All tables that are currently announced, without those of hosts that are gone."""
        probes, tables = self._probes, tuple(self._found.values())
        if probes is None:
            return tables
        return tuple(
            replace(each, is_reachable=probes.state(each.address) == "reachable")
            for each in tables
            if probes.state(each.address) != "gone"
        )

    async def start(self) -> None:
        """Start to listen on all current and future networks, in the running event loop."""
        self._listen()
        self._follow_task.start_restarting(
            partial(self._follow_networks, addresses()), RESTART_DELAY_S
        )
        if self._probes is not None:
            self._probe_task.start_restarting(self._probes.run, RESTART_DELAY_S)

    async def _follow_networks(self, here: tuple[str, ...]) -> None:
        """Listen anew whenever this computer's networks change, or after a failure."""
        while True:
            await asyncio.sleep(NETWORK_CHECK_INTERVAL_S)
            now = addresses()
            if now == here and not self._has_failed:
                continue
            await self._stop_listening()
            self._update({})
            self._listen()
            here = now

    def _listen(self) -> None:
        """Start to listen, or report why that is currently impossible.

        There may be no network, or another program may have exclusive use of the port.
        """
        before, self._has_failed = self._has_failed, True
        try:
            self._start_browser()
        except OSError as error:
            self._on_error_change(error.strerror or str(error))
            return
        self._has_failed = False
        if before:
            self._on_error_change("")

    def _start_browser(self) -> None:
        self._zeroconf = AsyncZeroconf(ip_version=_ip_versions())
        self._browser = AsyncServiceBrowser(
            self._zeroconf.zeroconf, [SERVICE], handlers=[self._on_service_change]
        )

    async def close(self) -> None:
        await self._follow_task.cancel()
        await self._probe_task.cancel()
        await self._stop_listening()

    async def _stop_listening(self) -> None:
        await self._queries.cancel()
        browser, self._browser = self._browser, None
        if browser is not None:
            await browser.async_cancel()
        zeroconf, self._zeroconf = self._zeroconf, None
        if zeroconf is not None:
            await zeroconf.async_close()

    def _on_service_change(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        if state_change is ServiceStateChange.Removed:
            self._update({key: found for key, found in self._found.items() if key[0] != name})
            return
        self._queries.start(self._query(zeroconf, name))

    async def _query(self, zeroconf: Zeroconf, name: str) -> None:
        for timeout_ms in QUERY_TIMEOUTS_MS:
            info = AsyncServiceInfo(SERVICE, name)
            if await info.async_request(zeroconf, timeout_ms):
                self.add(name, _read_service(info))
                return

    def add(self, name: str, table: DiscoveredTable | None) -> None:
        """Add a table that is announced under `name`, unless it is None."""
        if table is not None:
            latest = [*(self._found | {(name, table.address.fingerprint): table}).items()]
            self._update(dict(latest[-MAX_FOUND:]))

    def _update(self, tables: dict[tuple[str, str], DiscoveredTable]) -> None:
        if tables != self._found:
            self._found = tables
            self._report()

    def _report(self) -> None:
        """Pass the tables to `on_found` if they have changed."""
        found = self.found
        if found != self._listed:
            self._listed = found
            self._on_found(found)


def _read_service(info: AsyncServiceInfo) -> DiscoveredTable | None:
    """Return the announced table, or None if the announcement is invalid."""
    properties = {
        key: plain_line(value or "", 80) for key, value in info.decoded_properties.items()
    }
    try:
        oldest, newest = map(int, properties.get("protocol", "").split("-"))
        listed = ListedTable(
            properties["table"],
            properties["name"],
            properties["game"],
            int(properties["seats"]),
            int(properties["free"]),
            properties.get("spectators", "none"),
            properties.get("code", "yes") != "no",
            properties.get("playing") == "yes",
            properties.get("host_here") != "no",
        )
        hosts = tuple(info.parsed_scoped_addresses(IPVersion.V4Only)) + tuple(
            info.parsed_scoped_addresses(IPVersion.V6Only)
        )
        place = Address(hosts, info.port or 0, properties["fp"])
        started = int(properties.get("started", "0"))
    except (KeyError, ValueError):
        return None
    if not hosts or not place.port:
        return None
    speaks = oldest <= PROTOCOL_VERSION and newest >= MIN_PROTOCOL_VERSION
    return DiscoveredTable(
        listed, place, properties.get("host", ""), properties.get("program", ""), speaks, started
    )


def _ip_versions() -> IPVersion:
    """Return both IP versions if this computer has IPv6 addresses, otherwise IPv4."""
    has_ipv6 = socket.has_ipv6 and any(":" in address for address in addresses())
    return IPVersion.All if has_ipv6 else IPVersion.V4Only
