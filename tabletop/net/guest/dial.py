"""Connecting to the first of a host's addresses that answers.

A computer has several addresses, and some may be unreachable or belong to another computer. All are
tried at short intervals, as in RFC 8305 ("Happy Eyeballs"). Nothing is sent to a computer before
its certificate has been checked.
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
from tabletop.lan.interfaces import expand_link_local, nearest_first
from tabletop.net.certificate import fingerprint, guest_context
from tabletop.net.limits import PING_INTERVAL_S, PING_TIMEOUT_S
from tabletop.net.message_writer import CLOSE_TIMEOUT_S
from tabletop.protocol.codec import MAX_HOST_MESSAGE_BYTES
from tabletop.protocol.invitation import Address, bracket_ipv6
from tabletop.table.connection_events import ChangedCertificate

SERVICE_UNAVAILABLE = 503
"""The HTTP status with which a full host refuses a connection."""
UNREACHABLE = Reason('Can\'t reach a host at "{place}".', code="unreachable")
BLOCKED = Reason(
    'Nothing comes through to "{place}". Its firewall or the network may block it: guest Wi-Fi and '
    "VPNs often do.",
    code="blocked",
)
NO_HOST = Reason('"{place}" answered, but it isn\'t a Tabletop host.', code="no_host")
HOST_FULL = Reason('The host at "{place}" is full. Please try again later.')
CERTIFICATE_CHANGED = Reason(
    'The host at "{place}" shows another certificate than before. It may have been reinstalled, or '
    "someone else may be posing as it."
)
FIRST_VISIT = Reason(
    'This is your first visit to "{place}". Its certificate begins with {found}: ask '
    "its operator whether that's right."
)
LOOPBACK_HOSTS = ("127.0.0.1",)
"""The host names to which connections are made from `source_ip`."""
UNKNOWN_FINGERPRINT = "unmet"
"""A placeholder that matches no certificate, for a host that was never visited.

Nothing is sent to that host until the user has accepted the certificate that it shows.
"""
SHOWN_FINGERPRINT_DIGITS = 16
"""The number of leading fingerprint digits that a user is asked to compare."""
WRITE_BUFFER_BYTES = 1024 * 1024
"""The number of unsent bytes above which writes wait."""
CONNECT_TIMEOUT_S = 7.0
"""The time limit in seconds for one attempt to connect."""
ATTEMPT_INTERVAL_S = 0.25
"""Seconds between the starts of two attempts. A failed attempt cuts the interval short."""


class PossibleImpostor(Exception):
    """Another computer may be posing as the host.

    Not an `OSError`, so code that retries after network errors doesn't catch it.
    """


class WrongCertificate(PossibleImpostor):
    """The host's certificate isn't the expected one."""

    def __init__(self, fingerprint: str, address: Address) -> None:
        super().__init__(fingerprint, address)
        self.fingerprint = fingerprint
        self.address = address


class HostUnreachable(Exception):
    """No address leads to the host. `failures` pairs each error with its route."""

    def __init__(self, failures: list[tuple[Exception, Address]]) -> None:
        super().__init__(failures)
        self.failures = failures

    @property
    def most_useful(self) -> tuple[Exception, Address]:
        """The failure that is most useful to show, with its route.

        Failures that the user can act on come before those of addresses that lead nowhere.
        """
        return max(self.failures, key=lambda failure: _error_rank(failure[0]))


def _error_rank(error: Exception) -> int:
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


async def dial(address: Address, source_ip: str = "") -> ClientConnection:
    """Connect to `address`, from `source_ip` if the host is this computer.

    Raises:
        OSError, TimeoutError, WebSocketException: the connection failed.
        WrongCertificate: the host's certificate isn't the one that `address` names.
    """
    async with ConnectionRace(routes_of(address), source_ip) as race:
        try:
            return (await race.next_connection())[0]
        except HostUnreachable as unreachable:
            raise unreachable.most_useful[0] from None


def routes_of(*addresses: Address) -> tuple[Address, ...]:
    """Return the routes to `addresses`, the most promising first.

    A route is an `Address` with a single host. A link-local host
    yields one route for each network interface.
    """
    routes: dict[str, list[Address]] = {}
    for address in addresses:
        for host in address.hosts:
            of_host = [replace(address, hosts=(each,)) for each in expand_link_local(host)]
            routes.setdefault(host, []).extend(of_host)
    ordered = (route for host in nearest_first(routes) for route in routes[host])
    return tuple(dict.fromkeys(ordered))


class ConnectionRace:
    """Parallel attempts to connect over several routes.

    `next_connection` returns connections in the order in which they succeed.
    """

    def __init__(self, routes: Iterable[Address], source_ip: str = "") -> None:
        """`routes`: addresses with a single host each."""
        self.strangers: list[tuple[ClientConnection, Address]] = []
        """Open connections to computers whose certificate isn't the host's, each with its route."""
        self.expects_routes = False
        """Whether more routes may be added, so that the race goes
        on even if all attempts have failed.
        """
        self._source_ip = source_ip
        self._untried = deque(dict.fromkeys(routes))
        self._known = set(self._untried)
        self._ready: deque[tuple[ClientConnection, Address]] = deque()
        self._failures: list[tuple[Exception, Address]] = []
        self._attempts = Tasks()
        self._running_count = 0
        self._changed = asyncio.Event()
        self._next_attempt_at = 0.0

    @property
    def has_untried_routes(self) -> bool:
        """Whether any route is untried, being tried, or connected but not yet returned."""
        return bool(self._untried or self._running_count or self._ready)

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
        """Cancel all attempts, and close every connection that wasn't returned."""
        await self._attempts.cancel()
        for socket, _ in self._ready:
            socket.transport.abort()
        self._ready.clear()
        self.drop_strangers()

    def drop_strangers(self) -> None:
        """Close the connections to `strangers` and forget them."""
        for socket, _ in self.strangers:
            socket.transport.abort()
        self.strangers.clear()
        self._failures = [
            each for each in self._failures if not isinstance(each[0], WrongCertificate)
        ]

    def add(self, routes: Iterable[Address], retry: bool = False) -> None:
        """Put `routes` at the head of the queue; `retry`: whether to include routes tried
        before.
        """
        fresh = [route for route in routes if retry or route not in self._known]
        self._untried.extendleft(reversed(fresh))
        self._known.update(fresh)
        self._changed.set()

    def stop_expecting_routes(self) -> None:
        """Let the race end when the routes added so far have been tried."""
        self.expects_routes = False
        self._changed.set()

    async def next_connection(self) -> tuple[ClientConnection, Address]:
        """Return the next connection that succeeds, with its route.

        Raises:
            HostUnreachable: all attempts have failed and no more routes are expected.
        """
        loop = asyncio.get_running_loop()
        while not self._ready:
            delay = self._next_attempt_at - loop.time()
            if self._untried and (delay <= 0 or not self._running_count):
                self._next_attempt_at = loop.time() + ATTEMPT_INTERVAL_S
                self._running_count += 1
                self._attempts.start(self._attempt(self._untried.popleft()))
                continue
            if not (self._untried or self._running_count or self.expects_routes):
                raise HostUnreachable(self._failures or [(OSError("no address"), Address(()))])
            self._changed.clear()
            try:
                async with asyncio.timeout(delay if self._untried else None):
                    await self._changed.wait()
            except TimeoutError:
                pass
        return self._ready.popleft()

    async def _attempt(self, route: Address) -> None:
        try:
            socket = await _connect(route, self._source_ip)
        except (OSError, TimeoutError, WebSocketException) as error:
            self._failures.append((error, route))
            self._next_attempt_at = 0.0
        except ValueError as error:  # an invalid host name such as "../.."
            self._failures.append((OSError(str(error)), route))
            self._next_attempt_at = 0.0
        else:
            if route.fingerprint and (shown := peer_fingerprint(socket)) != route.fingerprint:
                self._failures.append((WrongCertificate(shown, route), route))
                self.strangers.append((socket, route))
                self._next_attempt_at = 0.0
            else:
                self._ready.append((socket, route))
        finally:
            self._running_count -= 1
            self._changed.set()


async def _connect(route: Address, source_ip: str) -> ClientConnection:
    (host,) = route.hosts
    async with asyncio.timeout(CONNECT_TIMEOUT_S):
        return await connect(
            f"wss://{bracket_ipv6(host)}:{route.port}/",
            ssl=guest_context(),
            server_hostname=route.label,
            compression=None,
            max_size=MAX_HOST_MESSAGE_BYTES,
            write_limit=WRITE_BUFFER_BYTES,  # pings needn't wait for a slow host
            ping_interval=PING_INTERVAL_S,
            ping_timeout=PING_TIMEOUT_S,
            close_timeout=CLOSE_TIMEOUT_S,
            proxy=None,
            user_agent_header=None,
            local_addr=(source_ip, 0) if source_ip and host in LOOPBACK_HOSTS else None,
        )


def peer_fingerprint(socket: ClientConnection) -> str:
    """Return the fingerprint of the peer's certificate."""
    return fingerprint(socket.transport.get_extra_info("ssl_object").getpeercert(True))


def certificate_changed_event(address: Address, fingerprint: str) -> ChangedCertificate:
    """Return the event for a host at `address` that shows the certificate `fingerprint`."""
    if address.fingerprint != UNKNOWN_FINGERPRINT:
        return ChangedCertificate(
            address, fingerprint, with_host_name(CERTIFICATE_CHANGED, address)
        )
    reason = FIRST_VISIT.with_args(place=address.name, found=fingerprint[:SHOWN_FINGERPRINT_DIGITS])
    return ChangedCertificate(address, fingerprint, reason)


def reason_for_error(error: Exception) -> Reason:
    """Return the message to show for a failed attempt to connect."""
    match error:
        case InvalidStatus(response=answer) if answer.status_code == SERVICE_UNAVAILABLE:
            return HOST_FULL
        case InvalidHandshake():
            return NO_HOST
        case TimeoutError():
            return BLOCKED
        case _:
            return UNREACHABLE


def with_host_name(reason: Reason, address: Address) -> Reason:
    """Return `reason` with the name of `address` filled in, if
    its text has the placeholder `{place}`.
    """
    return reason.with_args(place=address.name) if "{place}" in reason.text else reason
