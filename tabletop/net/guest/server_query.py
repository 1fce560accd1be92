"""Requests to a server over a connection of their own: list the tables, move a table there
(`archive_query`: finished matches)."""

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
    NO_HOST,
    PATIENCE,
    UNREACHABLE,
    dial,
    reason_of_failure,
    with_place,
)
from tabletop.net.guest.sanitising import sanitise
from tabletop.net.limits import PIECE
from tabletop.protocol.archive import ArchiveQuestion
from tabletop.protocol.codec import BadMessage, encode, from_host
from tabletop.protocol.invitation import Address
from tabletop.protocol.listing import LISTING, AskTables, Tables
from tabletop.protocol.messages import Farewell, FromHost, Hello, Refused, Welcome
from tabletop.protocol.table_transfer import MOVING, Deliver, Delivered, MoveOffer, RequestMove
from tabletop.protocol.versions import OLDEST, PROTOCOL

LISTS_NONE = Reason(
    "No tables are listed there: it is somebody's own computer, or a server of an older version."
)
TAKES_NONE = Reason("This server is of an older version, and takes no tables of other computers.")
SLOWEST = 400_000
"""Bytes a second by which a table moves at least."""

Answer = TypeVar("Answer")


class _Refused(Exception):
    def __init__(self, reason: Reason) -> None:
        self.reason = reason


async def tables_at(place: Address, key: str = "") -> Tables | Reason:
    """Return the tables that a server lists for everybody, and for those who know the key; else why
    there are none.

    Raises:
        WrongCertificate: it shows another one than the place names; nothing was sent to it.
    """
    return await ask_server(place, AskTables(key), Tables, LISTING, LISTS_NONE)


async def move_offer_at(place: Address, key: str = "") -> MoveOffer | Reason:
    """Return the key by which a table may move to this server; else why it may not. Raises as
    `tables_at`."""
    return await ask_server(place, RequestMove(key), MoveOffer, MOVING, TAKES_NONE)


async def ask_server(
    place: Address,
    question: AskTables | RequestMove | ArchiveQuestion,
    kind: type[Answer],
    feature: str,
    lacking: Reason,
    source: str = "",
) -> Answer | Reason:
    """Return a server's answer of this kind; `lacking` if it doesn't have the feature. `source` as
    of `dial`. Raises as `tables_at`."""
    try:
        async with asyncio.timeout(2 * PATIENCE), _greet_server(place, source) as (socket, welcome):
            if feature not in welcome.features:
                return lacking
            await socket.send(encode(question), text=True)
            answer = await _next_message(socket)
    except _Refused as refused:
        return refused.reason
    except BadMessage:
        return with_place(NO_HOST, place)
    except (OSError, TimeoutError, WebSocketException) as error:
        return with_place(reason_of_failure(error), place)
    return answer if isinstance(answer, kind) else with_place(NO_HOST, place)


async def deliver(
    place: Address, key: str, packed: Callable[[Collection[str]], bytes]
) -> Delivered | Reason:
    """Send a table to another host, `packed` for the features that it has; else return why it isn't
    there. Raises as `tables_at`."""
    try:
        async with _greet_server(place) as (socket, welcome):
            moved = await run_in_thread(partial(packed, welcome.features))
            async with asyncio.timeout(2 * PATIENCE + len(moved) / SLOWEST):
                for at in range(0, len(moved), PIECE):
                    last = at + PIECE >= len(moved)
                    message = Deliver(key, moved[at : at + PIECE], last)
                    await socket.send(encode(message), text=True)
                while not isinstance(answer := await _next_message(socket), Delivered):
                    pass
                return answer
    except _Refused as refused:
        return refused.reason
    except BadMessage:
        return with_place(NO_HOST, place)
    except (OSError, TimeoutError, WebSocketException):
        return with_place(UNREACHABLE, place)


@asynccontextmanager
async def _greet_server(
    place: Address, source: str = ""
) -> AsyncIterator[tuple[ClientConnection, Welcome]]:
    """A connection to a host of a protocol that is spoken here, and its welcome."""
    socket = await dial(place, source)
    try:
        async with asyncio.timeout(2 * PATIENCE):
            await socket.send(encode(Hello(OLDEST, PROTOCOL, __version__)), text=True)
            while not isinstance(welcome := await _next_message(socket), Welcome):
                pass
        yield socket, welcome
    finally:
        await socket.close()


async def _next_message(socket: ClientConnection) -> FromHost:
    """Return the next message.

    Raises:
        _Refused: it is a refusal.
    """
    message = sanitise(from_host(await socket.recv(decode=False)))
    if isinstance(message, Refused | Farewell):
        raise _Refused(message.reason)
    return message
