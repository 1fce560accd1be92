"""Dialling a host: a connection to the first of its addresses at which it is found.

All addresses are tried, each a moment after the one before it (as in RFC 8305, "Happy Eyeballs"):
a computer has several, of which some lead nowhere, or to another computer. Nothing is sent before
the certificate is known to be the right one.
"""

import asyncio
from collections import deque
from collections.abc import Iterable
from types import TracebackType

from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidStatus, WebSocketException

from tabletop.background.tasks import Tasks
from tabletop.engine.model import Reason
from tabletop.lan.interfaces import by_each_network, nearest_first
from tabletop.net.certificate import fingerprint, guest_context
from tabletop.net.limits import PING_INTERVAL, PING_TIMEOUT
from tabletop.net.message_writer import PARTING
from tabletop.protocol.codec import MAX_HOST_MESSAGE_BYTES
from tabletop.protocol.invitation import Address, bracket_ipv6
from tabletop.table.connection_events import ChangedCertificate

SERVICE_UNAVAILABLE = 503
"""The status by which a host refuses a connection because it has too many."""
UNREACHABLE = Reason('Can\'t reach a host at "{place}".', code="unreachable")
BLOCKED = Reason(
    'Nothing comes through to "{place}". Its firewall or the network may block it: guest Wi-Fi and '
    "VPNs often do.",
    code="blocked",
)
NO_HOST = Reason('"{place}" answered, but it isn\'t a Tabletop host.', code="no_host")
FULL = Reason('The host at "{place}" is full. Please try again later.')
CHANGED = Reason(
    'The host at "{place}" shows another certificate than before. It may have been reinstalled, or '
    "someone else may be posing as it."
)
FIRST_MET = Reason(
    'This is your first visit to "{place}". Its certificate begins with {found}: ask '
    "its operator whether that's right."
)
LOOPBACK = ("127.0.0.1",)
"""Hosts that a `source` address applies to."""
UNMET = "unmet"
"""Instead of a fingerprint: the host is unknown, and nothing is sent to it until somebody has
agreed to the certificate it shows."""
SHOWN = 16
"""Digits of a fingerprint that a person is asked to compare."""
UNSENT = 1024 * 1024
"""Bytes of messages that a connection takes at once."""
PATIENCE = 7.0
"""Seconds for one attempt to connect."""
STAGGER = 0.25
"""Seconds from one attempt to the next, unless that fails earlier."""


class SecurityVerdict(Exception):
    """Somebody may be posing as a host. Never an error of the network, so nobody who waits for
    those takes it for one."""


class WrongCertificate(SecurityVerdict):
    """The host shows another certificate than the one it must."""

    def __init__(self, found: str, place: Address) -> None:
        super().__init__(found, place)
        self.found = found
        self.place = place


class HostUnreachable(Exception):
    """None of the addresses leads to the host; `failures` are why, each with its address."""

    def __init__(self, failures: list[tuple[Exception, Address]]) -> None:
        super().__init__(failures)
        self.failures = failures

    @property
    def worth_most(self) -> tuple[Exception, Address]:
        """The failure that says most, with its address: one that somebody can do something about
        before one that is to be expected of an address that leads nowhere."""
        return max(self.failures, key=lambda failure: _worth(failure[0]))


def _worth(error: Exception) -> int:
    match error:
        case WrongCertificate():
            return 4
        case InvalidStatus(response=answer) if answer.status_code == SERVICE_UNAVAILABLE:
            return 3
        case TimeoutError():
            return 2
        case InvalidHandshake():
            return 1
        case _:
            return 0


async def dial(place: Address, source: str = "") -> ClientConnection:
    """Connect to a place; from the `source` address where that is this computer itself.

    Raises:
        OSError, TimeoutError, WebSocketException: there is no connection.
        WrongCertificate: it shows another one than the place names.
    """
    async with ConnectionRace(routes_of(place), source) as dialling:
        try:
            return (await dialling.next())[0]
        except HostUnreachable as nowhere:
            raise nowhere.worth_most[0] from None


def routes_of(*places: Address) -> tuple[Address, ...]:
    """The addresses of these places in the order to try them, each as a place of its own and by
    every network that may lead there."""
    routes: dict[str, list[Address]] = {}
    for place in places:
        for host in place.hosts:
            ways = [replace(place, hosts=(way,)) for way in by_each_network(host)]
            routes.setdefault(host, []).extend(ways)
    ordered = (route for host in nearest_first(routes) for route in routes[host])
    return tuple(dict.fromkeys(ordered))


class ConnectionRace:
    """Attempts at several addresses at once, until `close`: the first connections come first."""

    def __init__(self, routes: Iterable[Address], source: str = "") -> None:
        """`routes`: places of one address each."""
        self.strangers: list[tuple[ClientConnection, Address]] = []
        """Connections to others than the host that is meant: they show another certificate."""
        self.awaits_more = False
        """Whether more routes may be added, so that it doesn't end before."""
        self._source = source
        self._waiting = deque(dict.fromkeys(routes))
        self._known = set(self._waiting)
        self._ready: deque[tuple[ClientConnection, Address]] = deque()
        self._failures: list[tuple[Exception, Address]] = []
        self._attempts = Tasks()
        self._running = 0
        self._changed = asyncio.Event()
        self._next_at = 0.0

    @property
    def has_others(self) -> bool:
        """Whether there are addresses of which nothing is known yet."""
        return bool(self._waiting or self._running or self._ready)

    async def __aenter__(self) -> "ConnectionRace":
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End all attempts, and the connections that nobody took."""
        await self._attempts.cancel()
        for socket, _ in self._ready:
            socket.transport.abort()
        self._ready.clear()
        self.drop_strangers()

    def drop_strangers(self) -> None:
        """Forget the connections to others than the host that is meant."""
        for socket, _ in self.strangers:
            socket.transport.abort()
        self.strangers.clear()
        self._failures = [
            each for each in self._failures if not isinstance(each[0], WrongCertificate)
        ]

    def add(self, routes: Iterable[Address], again: bool = False) -> None:
        """Try these as well, before others that wait; `again`: though they were tried."""
        fresh = [route for route in routes if again or route not in self._known]
        self._waiting.extendleft(reversed(fresh))
        self._known.update(fresh)
        self._changed.set()

    def expect_no_more(self) -> None:
        """End once the routes so far are tried."""
        self.awaits_more = False
        self._changed.set()

    async def next(self) -> tuple[ClientConnection, Address]:
        """Return the next connection that was made, and its route.

        Raises:
            HostUnreachable: there are no more.
        """
        loop = asyncio.get_running_loop()
        while not self._ready:
            wait = self._next_at - loop.time()
            if self._waiting and (wait <= 0 or not self._running):
                self._next_at = loop.time() + STAGGER
                self._running += 1
                self._attempts.start(self._attempt(self._waiting.popleft()))
                continue
            if not (self._waiting or self._running or self.awaits_more):
                raise HostUnreachable(self._failures or [(OSError("no address"), Address(()))])
            self._changed.clear()
            try:
                async with asyncio.timeout(wait if self._waiting else None):
                    await self._changed.wait()
            except TimeoutError:
                pass
        return self._ready.popleft()

    async def _attempt(self, route: Address) -> None:
        try:
            socket = await _connect(route, self._source)
        except (OSError, TimeoutError, WebSocketException) as trouble:
            self._failures.append((trouble, route))
            self._next_at = 0.0
        except ValueError as trouble:  # a name that no computer can have, such as "../.."
            self._failures.append((OSError(str(trouble)), route))
            self._next_at = 0.0
        else:
            if route.fingerprint and (found := shown_fingerprint(socket)) != route.fingerprint:
                self._failures.append((WrongCertificate(found, route), route))
                self.strangers.append((socket, route))
                self._next_at = 0.0
            else:
                self._ready.append((socket, route))
        finally:
            self._running -= 1
            self._changed.set()


async def _connect(route: Address, source: str) -> ClientConnection:
    (host,) = route.hosts
    async with asyncio.timeout(PATIENCE):
        return await connect(
            f"wss://{bracket_ipv6(host)}:{route.port}/",
            ssl=guest_context(),
            server_hostname=route.label,
            compression=None,
            max_size=MAX_HOST_MESSAGE_BYTES,
            write_limit=UNSENT,  # a ping must not wait for the host
            ping_interval=PING_INTERVAL,
            ping_timeout=PING_TIMEOUT,
            close_timeout=PARTING,
            proxy=None,
            user_agent_header=None,
            local_addr=(source, 0) if source and host in LOOPBACK else None,
        )


def shown_fingerprint(socket: ClientConnection) -> str:
    """The fingerprint of the certificate that a host shows."""
    return fingerprint(socket.transport.get_extra_info("ssl_object").getpeercert(True))


def changed_certificate(place: Address, found: str) -> ChangedCertificate:
    """The event that nothing was sent to a host because it shows this certificate."""
    if place.fingerprint != UNMET:
        return ChangedCertificate(place, found, with_place(CHANGED, place))
    reason = FIRST_MET.with_args(place=place.name, found=found[:SHOWN])
    return ChangedCertificate(place, found, reason)


def reason_of_failure(error: Exception) -> Reason:
    """The reason why there is no connection."""
    match error:
        case InvalidStatus(response=answer) if answer.status_code == SERVICE_UNAVAILABLE:
            return FULL
        case InvalidHandshake():
            return NO_HOST
        case TimeoutError():
            return BLOCKED
        case _:
            return UNREACHABLE


def with_place(reason: Reason, place: Address) -> Reason:
    """The reason with the name of the place, where it has a gap for that."""
    return reason.with_args(place=place.name) if "{place}" in reason.text else reason
