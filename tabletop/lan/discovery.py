"""LAN discovery: tables are announced on every interface (mDNS), and listened for.

Discovery is a convenience. Where a network carries no multicast nothing is found, and a code or an
address brings a guest to the table all the same.
"""

import asyncio
import socket
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import partial
from time import time

from msgspec import Struct
from zeroconf import Error, IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from tabletop import __version__
from tabletop.background.tasks import Tasks
from tabletop.lan.interfaces import addresses
from tabletop.protocol.invitation import Address, read_hint
from tabletop.protocol.listing import Listed
from tabletop.protocol.versions import OLDEST, PROTOCOL
from tabletop.text.plain_text import LONGEST_NAME, plain_line

SERVICE = "_tabletop._tcp.local."
MOST = 16
"""The tables that a host announces; of more, the latest."""
FOLLOWING = 2.0
"""Seconds between two looks at which networks this computer is in."""
AFTER_FAULT = 30.0
"""Seconds after a fault until it is looked again."""
MOST_FOUND = 200
"""The tables that are listed; of more, the latest."""
KNOWN_FOR = 120
"""Seconds after which the network forgets the tables of a host that broke off. With the usual 75
minutes they would be listed beside those that it opens then."""
PATIENCE = (3_000, 10_000, 30_000)
"""Milliseconds to wait for the details of a noticed table, try after try: Wi-Fi loses multicast
packets."""


class DiscoveredTable(Struct, frozen=True):
    """A table that announces itself."""

    listed: Listed
    place: Address
    host: str
    """The name of the computer that hosts it; what its certificate is remembered by."""
    program: str
    """The version of the host's program."""
    speaks: bool
    """Whether this program and the host understand each other."""
    started: int = 0
    """The start of the host's program, by its own clock."""


def is_outdated(one: DiscoveredTable, all_found: Iterable[DiscoveredTable]) -> bool:
    """Whether a host announced this table before it was restarted, and not again since: nobody may
    be at it. The network forgets such an announcement only after a while."""
    return any(
        other.place.fingerprint == one.place.fingerprint and other.started > one.started
        for other in all_found
    )


def is_ambiguous(one: DiscoveredTable, all_found: Iterable[DiscoveredTable]) -> bool:
    """Whether another host announces the same table, or one of the same name."""
    return any(
        other.place.fingerprint != one.place.fingerprint
        and (other.listed.table == one.listed.table or other.listed.name == one.listed.name)
        for other in all_found
    )


def places_of(code: str, tables: Iterable[DiscoveredTable]) -> tuple[Address, ...]:
    """Return the places where the table of this code may be: each host that announces itself, and
    the place that the code itself hints at, for networks that carry no announcements. An announced
    certificate tells a host from another computer at its address; it isn't trusted, for anybody can
    announce anything, and the host has to prove that it knows the code."""
    announced = [table.place for table in tables if table.speaks]
    known = {(host, place.port) for place in announced for host in place.hosts}
    guessed = [
        place for place in addresses_from_code(code) if (place.hosts[0], place.port) not in known
    ]
    return tuple(dict.fromkeys((*announced, *guessed)))


def places_of_hosts(
    fingerprints: Collection[str], tables: Iterable[DiscoveredTable]
) -> list[Address]:
    """Return the places where the hosts of these certificates announce themselves."""
    announced = (table.place for table in tables if table.speaks)
    return [place for place in announced if place.fingerprint in fingerprints]


def addresses_from_code(code: str, *more: str) -> tuple[Address, ...]:
    """Return the places that a code itself hints at, seen from this computer's networks and from
    `more` addresses of it."""
    own = [address for address in addresses() if ":" not in address]
    guesses = [read_hint(code, address) for address in (*own, *more)]
    return tuple(dict.fromkeys(Address((one[0],), one[1]) for one in guesses if one))


class Announcer:
    """Announces a host's tables, as they are now."""

    def __init__(self, port: int, fingerprint: str) -> None:
        self._port = port
        self._fingerprint = fingerprint
        self._started = int(time())
        self._zeroconf: AsyncZeroconf | None = None
        self._announced: dict[str, AsyncServiceInfo] = {}
        self._turn = asyncio.Lock()

    async def announce(self, tables: Iterable[Listed]) -> None:
        """Announce these tables and no others.

        Raises:
            OSError: this computer cannot announce anything.
        """
        wanted = {listed.table: self._service_info(listed) for listed in list(tables)[-MOST:]}
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

    def _service_info(self, listed: Listed) -> AsyncServiceInfo:
        host = socket.gethostname().partition(".")[0]
        words = {
            "table": listed.table,
            "name": plain_line(listed.name, LONGEST_NAME),
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
            "protocol": f"{OLDEST}-{PROTOCOL}",
        }
        return AsyncServiceInfo(
            SERVICE,
            f"{listed.table}.{SERVICE}",
            port=self._port,
            properties=words,
            server=f"tabletop-{self._fingerprint[:12]}.local.",
            host_ttl=KNOWN_FOR,
            other_ttl=KNOWN_FOR,
            parsed_addresses=list(addresses()),
        )


class Finder:
    """Listens for tables; `hear` gets all that are there whenever one comes, changes or goes."""

    def __init__(
        self,
        hear: Callable[[tuple[DiscoveredTable, ...]], None],
        trouble: Callable[[str], None] = lambda why: None,
    ) -> None:
        """`trouble` gets the system's reason why this computer can't listen, and "" once it can."""
        self._hear = hear
        self._trouble = trouble
        self._troubled = False
        self._found: dict[tuple[str, str], DiscoveredTable] = {}
        """By the announced name and the certificate, so that no host replaces another's entry."""
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._asking, self._following = Tasks(), Tasks()

    @property
    def found(self) -> tuple[DiscoveredTable, ...]:
        """All tables that are there."""
        return tuple(self._found.values())

    async def start(self) -> None:
        """Begin to listen, in the running loop, on every network that there is or that comes."""
        self._listen()
        self._following.start_restarting(partial(self._follow, addresses()), AFTER_FAULT)

    async def _follow(self, here: tuple[str, ...]) -> None:
        """Listen again when this computer has come to another network, or couldn't listen."""
        while True:
            await asyncio.sleep(FOLLOWING)
            now = addresses()
            if now == here and not self._troubled:
                continue
            await self._deafen()
            self._tell({})
            self._listen()
            here = now

    def _listen(self) -> None:
        """Listen, or say why that can't be now: no network at all, or another program has the port
        to itself."""
        before, self._troubled = self._troubled, True
        try:
            self._begin()
        except OSError as error:
            self._trouble(error.strerror or str(error))
            return
        self._troubled = False
        if before:
            self._trouble("")

    def _begin(self) -> None:
        self._zeroconf = AsyncZeroconf(ip_version=_ip_versions())
        self._browser = AsyncServiceBrowser(
            self._zeroconf.zeroconf, [SERVICE], handlers=[self._notice_service]
        )

    async def close(self) -> None:
        await self._following.cancel()
        await self._deafen()

    async def _deafen(self) -> None:
        await self._asking.cancel()
        browser, self._browser = self._browser, None
        if browser is not None:
            await browser.async_cancel()
        carrier, self._zeroconf = self._zeroconf, None
        if carrier is not None:
            await carrier.async_close()

    def _notice_service(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        if state_change is ServiceStateChange.Removed:
            self._tell({key: found for key, found in self._found.items() if key[0] != name})
            return
        self._asking.start(self._ask(zeroconf, name))

    async def _ask(self, zeroconf: Zeroconf, name: str) -> None:
        for patience in PATIENCE:
            info = AsyncServiceInfo(SERVICE, name)
            if await info.async_request(zeroconf, patience):
                self.note(name, _read_service(info))
                return

    def note(self, name: str, table: DiscoveredTable | None) -> None:
        """Add a table that is announced under this name."""
        if table is not None:
            latest = [*(self._found | {(name, table.place.fingerprint): table}).items()]
            self._tell(dict(latest[-MOST_FOUND:]))

    def _tell(self, tables: dict[tuple[str, str], DiscoveredTable]) -> None:
        if tables != self._found:
            self._found = tables
            self._hear(self.found)


def _read_service(info: AsyncServiceInfo) -> DiscoveredTable | None:
    """Return a service as a table; None if it makes no sense, as anybody on the network may
    announce anything."""
    words = {key: plain_line(value or "", 80) for key, value in info.decoded_properties.items()}
    try:
        least, most = map(int, words.get("protocol", "").split("-"))
        listed = Listed(
            words["table"],
            words["name"],
            words["game"],
            int(words["seats"]),
            int(words["free"]),
            words.get("spectators", "none"),
            words.get("code", "yes") != "no",
            words.get("playing") == "yes",
            words.get("host_here") != "no",
        )
        hosts = tuple(info.parsed_scoped_addresses(IPVersion.V4Only)) + tuple(
            info.parsed_scoped_addresses(IPVersion.V6Only)
        )
        place = Address(hosts, info.port or 0, words["fp"])
        started = int(words.get("started", "0"))
    except (KeyError, ValueError):
        return None
    if not hosts or not place.port:
        return None
    speaks = least <= PROTOCOL and most >= OLDEST
    return DiscoveredTable(
        listed, place, words.get("host", ""), words.get("program", ""), speaks, started
    )


def _ip_versions() -> IPVersion:
    """Both IP versions, where this computer has both."""
    six = socket.has_ipv6 and any(":" in address for address in addresses())
    return IPVersion.All if six else IPVersion.V4Only
