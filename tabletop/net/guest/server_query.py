"""Asks a server one question, by a line of its own: which tables it lists, whether one may move
there (`archive_query`: what has ended there)."""

import asyncio

from websockets.exceptions import WebSocketException

from tabletop import __version__
from tabletop.engine.model import Reason
from tabletop.net.archive import ArchiveQuestion
from tabletop.net.codec import BadMessage, encode, from_host
from tabletop.net.guest.connection import (
    NO_HOST,
    PATIENCE,
    WrongCertificate,
    about,
    reach,
    unreached,
)
from tabletop.net.guest.sanitising import sanitised
from tabletop.net.invitation import Address
from tabletop.net.listing import LISTING, AskTables, Tables
from tabletop.net.protocol import Farewell, FromHost, Hello, Refused, Welcome
from tabletop.net.table_transfer import MOVING, AskBerth, BerthOffer
from tabletop.net.versions import OLDEST, PROTOCOL

LISTS_NONE = Reason("This server is of an older version, and lists no tables.")
TAKES_NONE = Reason("This server is of an older version, and takes no tables of other computers.")


async def tables_at(place: Address, key: str = "") -> Tables | Reason:
    """The tables that this server lists for everybody, and for who knows the key; else why there
    are none to be had.

    Raises:
        WrongCertificate: it shows another one than the place names; nothing was said to it.
    """
    told = await asked(place, AskTables(key), LISTING, LISTS_NONE)
    return told if isinstance(told, Tables | Reason) else about(NO_HOST, place)


async def berth_at(place: Address, key: str = "") -> BerthOffer | Reason:
    """Return where a table may move to at this server; else why it may not. Raises as
    `tables_at`."""
    told = await asked(place, AskBerth(key), MOVING, TAKES_NONE)
    return told if isinstance(told, BerthOffer | Reason) else about(NO_HOST, place)


async def asked(
    place: Address,
    question: AskTables | AskBerth | ArchiveQuestion,
    feature: str,
    lacking: Reason,
    source: str = "",
) -> FromHost | Reason:
    """Return what the server at this place answers; `lacking` where it has not the feature.
    `source` as of `reach`. Raises as `tables_at`."""
    try:
        async with asyncio.timeout(2 * PATIENCE):
            line = await reach(place, source)
            try:
                await line.send(encode(Hello(OLDEST, PROTOCOL, __version__)), text=True)
                while True:
                    match sanitised(from_host(await line.recv(decode=False))):
                        case Welcome(features=features) if feature not in features:
                            return lacking
                        case Welcome():
                            await line.send(encode(question), text=True)
                        case Refused(reason=reason) | Farewell(reason=reason):
                            return reason
                        case answer:
                            return answer
            finally:
                await line.close()
    except WrongCertificate:
        raise
    except BadMessage:
        return about(NO_HOST, place)
    except (OSError, TimeoutError, WebSocketException) as error:
        return about(unreached(error), place)
