"""One-off requests to a server: to list its tables, or to move a table there.

Each request opens its own connection. Requests for finished matches are in `archive_query`.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from functools import partial
from typing import TypeVar

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

from tabletop import __version__
from tabletop.background.tasks import run_in_thread
from tabletop.engine.model import Reason
from tabletop.net.guest.dial import (
    CONNECT_TIMEOUT_S,
    NO_HOST,
    UNREACHABLE,
    dial,
    reason_for_error,
    with_host_name,
)
from tabletop.net.guest.sanitising import sanitise
from tabletop.net.limits import PIECE_BYTES
from tabletop.protocol.archive import ArchiveRequest
from tabletop.protocol.codec import BadMessage, decode_host_message, encode
from tabletop.protocol.invitation import Address
from tabletop.protocol.listing import LISTING_FEATURE, ListTables, TableList
from tabletop.protocol.messages import Farewell, FromHost, Hello, Refused, Welcome
from tabletop.protocol.table_transfer import (
    TABLE_TRANSFER_FEATURE,
    DeliverTable,
    RequestTableMove,
    TableDelivered,
    TableMoveAllowed,
)
from tabletop.protocol.versions import MIN_PROTOCOL_VERSION, PROTOCOL_VERSION

NO_LISTING = Reason(
    "No tables are listed there: it is somebody's own computer, or a server of an older version."
)
NO_MOVING = Reason("This server is of an older version, and takes no tables of other computers.")
MIN_TRANSFER_BYTES_PER_S = 400_000
"""The slowest acceptable speed of a table transfer. Slower transfers time out."""

Answer = TypeVar("Answer")


class _Refused(Exception):
    def __init__(self, reason: Reason) -> None:
        self.reason = reason


async def list_tables(address: Address, key: str = "") -> TableList | Reason:
    """Return the tables that a server lists, or why it sends no list.

    `key`: the server's key, which adds tables that are listed only for its holders.

    Raises:
        WrongCertificate: the server's certificate isn't the one that `address` names. Nothing was
            sent.
    """
    return await query_server(address, ListTables(key), TableList, LISTING_FEATURE, NO_LISTING)


async def request_move_offer(address: Address, key: str = "") -> TableMoveAllowed | Reason:
    """Return the server's permission to move a table there, or why it refuses.

    Raises:
        WrongCertificate: the server's certificate isn't the one that `address` names. Nothing was
            sent.
    """
    return await query_server(
        address, RequestTableMove(key), TableMoveAllowed, TABLE_TRANSFER_FEATURE, NO_MOVING
    )


async def query_server(
    address: Address,
    question: ListTables | RequestTableMove | ArchiveRequest,
    kind: type[Answer],
    feature: str,
    if_unsupported: Reason,
    source_ip: str = "",
) -> Answer | Reason:
    """Send `question` to a server. Return the answer of type `kind`, or why there is none.

    Args:
        address: The server.
        question: The message to send.
        kind: The type of the answer.
        feature: The feature that the server must support.
        if_unsupported: The reason to return if the server doesn't support it.
        source_ip: The local IP address to connect from, as in `dial`.

    Raises:
        WrongCertificate: the server's certificate isn't the one that `address` names. Nothing was
            sent.
    """
    try:
        async with (
            asyncio.timeout(2 * CONNECT_TIMEOUT_S),
            _greet_server(address, source_ip) as (socket, welcome),
        ):
            if feature not in welcome.features:
                return if_unsupported
            await socket.send(encode(question), text=True)
            answer = await _next_message(socket)
    except _Refused as refused:
        return refused.reason
    except BadMessage:
        return with_host_name(NO_HOST, address)
    except (OSError, TimeoutError, WebSocketException) as error:
        return with_host_name(reason_for_error(error), address)
    return answer if isinstance(answer, kind) else with_host_name(NO_HOST, address)


async def send_table(
    address: Address, key: str, pack: Callable[[Collection[str]], bytes]
) -> TableDelivered | Reason:
    """Send a table to another host. Return the host's confirmation, or why the transfer failed.

    Args:
        address: The other host.
        key: The key that authorises the transfer.
        pack: Returns the packed table for the features that the host supports. It is called in a
            worker thread.

    Raises:
        WrongCertificate: the host's certificate isn't the one that `address` names. Nothing was
            sent.
    """
    try:
        async with _greet_server(address) as (socket, welcome):
            moved = await run_in_thread(partial(pack, welcome.features))
            async with asyncio.timeout(
                2 * CONNECT_TIMEOUT_S + len(moved) / MIN_TRANSFER_BYTES_PER_S
            ):
                for at in range(0, len(moved), PIECE_BYTES):
                    last = at + PIECE_BYTES >= len(moved)
                    message = DeliverTable(key, moved[at : at + PIECE_BYTES], last)
                    await socket.send(encode(message), text=True)
                while not isinstance(answer := await _next_message(socket), TableDelivered):
                    pass
                return answer
    except _Refused as refused:
        return refused.reason
    except BadMessage:
        return with_host_name(NO_HOST, address)
    except (OSError, TimeoutError, WebSocketException):
        return with_host_name(UNREACHABLE, address)


@asynccontextmanager
async def _greet_server(
    address: Address, source_ip: str = ""
) -> AsyncIterator[tuple[ClientConnection, Welcome]]:
    """Connect and greet the host. Yield the connection and the host's `Welcome`."""
    socket = await dial(address, source_ip)
    try:
        async with asyncio.timeout(2 * CONNECT_TIMEOUT_S):
            await socket.send(
                encode(Hello(MIN_PROTOCOL_VERSION, PROTOCOL_VERSION, __version__)), text=True
            )
            while not isinstance(welcome := await _next_message(socket), Welcome):
                pass
        yield socket, welcome
    finally:
        await socket.close()


async def _next_message(socket: ClientConnection) -> FromHost:
    """Return the next message from the server.

    Raises:
        _Refused: the message is a refusal or a farewell.
    """
    message = sanitise(decode_host_message(await socket.recv(decode=False)))
    if isinstance(message, Refused | Farewell):
        raise _Refused(message.reason)
    return message
