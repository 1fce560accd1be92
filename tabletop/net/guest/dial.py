"""Dialling a host: a connection to the first of its addresses that answers.

Nothing is sent before the certificate is known to be the right one.
"""

import asyncio
from collections.abc import Iterable
from itertools import chain

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidStatus, WebSocketException

from tabletop.engine.model import Reason
from tabletop.net.certificate import fingerprint, guest_context
from tabletop.net.guest.session import ChangedCertificate
from tabletop.net.interfaces import by_each_network
from tabletop.net.limits import PING_INTERVAL, PING_TIMEOUT
from tabletop.net.outgoing import PARTING
from tabletop.protocol.codec import LARGEST_OUT
from tabletop.protocol.invitation import Address, bracket

SERVICE_UNAVAILABLE = 503
"""The status by which a host refuses a connection because it has too many."""
UNREACHABLE = Reason('Can\'t reach a host at "{place}".', code="unreachable")
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
PATIENCE = 8.0
"""Seconds for one attempt to connect."""


class SecurityVerdict(Exception):
    """Somebody may be posing as a host. Never an error of the network, so nobody who waits for
    those takes it for one."""


class WrongCertificate(SecurityVerdict):
    """The host shows another certificate than the one it must."""

    def __init__(self, found: str) -> None:
        super().__init__(found)
        self.found = found


async def dial(place: Address, source: str = "") -> ClientConnection:
    """Connect to a place; from the `source` address where that is this computer itself.

    Raises:
        OSError, TimeoutError, WebSocketException: there is no connection.
        WrongCertificate: it shows another one than the place names.
    """
    return (await dial_one_of(every_address(place), place, source))[0]


def every_address(place: Address) -> tuple[str, ...]:
    """The addresses of a place, each by every network that may lead there."""
    return tuple(chain.from_iterable(map(by_each_network, place.hosts)))


async def dial_one_of(
    hosts: Iterable[str], place: Address, source: str
) -> tuple[ClientConnection, str]:
    """Connect to the first of these addresses that answers; return that address too. Raises as
    `dial`."""
    error: Exception = OSError("no address")
    for host in hosts:
        try:
            async with asyncio.timeout(PATIENCE):
                socket = await connect(
                    f"wss://{bracket(host)}:{place.port}/",
                    ssl=guest_context(),
                    server_hostname=place.label,
                    compression=None,
                    max_size=LARGEST_OUT,
                    write_limit=UNSENT,  # a ping waits for no host
                    ping_interval=PING_INTERVAL,
                    ping_timeout=PING_TIMEOUT,
                    close_timeout=PARTING,
                    proxy=None,
                    user_agent_header=None,
                    local_addr=(source, 0) if source and host in LOOPBACK else None,
                )
        except (OSError, TimeoutError, WebSocketException) as trouble:
            error = trouble
            continue
        except ValueError as trouble:  # a name that no computer can have, such as "../.."
            error = OSError(str(trouble))
            continue
        if place.fingerprint and (found := shown_fingerprint(socket)) != place.fingerprint:
            socket.transport.abort()
            raise WrongCertificate(found)
        return socket, host
    raise error


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
        case _:
            return UNREACHABLE


def with_place(reason: Reason, place: Address) -> Reason:
    """The reason with the name of the place, where it has a gap for that."""
    return reason.with_args(place=place.name) if "{place}" in reason.text else reason
