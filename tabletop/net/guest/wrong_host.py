"""Hosts that are not the one that is meant: how that is noticed, and which reason says most."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

from tabletop import __version__
from tabletop.engine.model import Reason
from tabletop.protocol.codec import BadMessage, decode_host_message, encode
from tabletop.protocol.join_proof import JoinChallenge, RequestJoinProof
from tabletop.protocol.messages import (
    Farewell,
    FromHost,
    Hello,
    Refused,
    Seated,
    TableInfo,
    TableJoined,
    Welcome,
)
from tabletop.protocol.versions import MIN_PROTOCOL_VERSION, PROTOCOL_VERSION

SILENT = Reason(
    'The host at "{place}" answers, but lets nobody in. It may be busy, or it is not the host you '
    "are looking for. The host's link leads to the right one.",
    code="silent_host",
)
UNANSWERED = Reason(
    'What answers at "{place}" took a proof of the code and gave none: it may only pose as the '
    "host of this table. Ask for the link: it names the right host.",
    code="unanswered",
)
OTHER_HOST = Reason(
    'Another computer is now at "{place}", and nothing was sent to it. Ask the host for a new link '
    "or code.",
    code="other_host",
)
ANSWER = 2.0
"""Seconds in which a computer answers whether it has the table."""
_WORTH = (
    "unreachable",
    "no_host",
    "wrong_code",
    "no_table",
    "many_tables",
    OTHER_HOST.code,
    "nonsense",
    SILENT.code,
    "old_host",
    "blocked",
    UNANSWERED.code,
    "impostor",
    "guessing",
)
"""Codes of reasons that say of a host only that the table may be at another one; the later, the
more a person can do about it."""
ELSEWHERE = frozenset(_WORTH)


def best_reason(reasons: Iterable[Reason]) -> Reason:
    """Return the reason that says most, where several hosts were tried; any other than those of
    ELSEWHERE comes from the right one."""
    return max(reasons, key=lambda each: _WORTH.index(each.code) if each.code in _WORTH else 99)


async def claims_table(socket: ClientConnection, table: str) -> bool:
    """Whether a host that shows another certificate says that it has this table. Nothing secret is
    said to it."""
    with suppress(OSError, TimeoutError, WebSocketException, BadMessage):
        async with asyncio.timeout(ANSWER):
            await socket.send(
                encode(Hello(MIN_PROTOCOL_VERSION, PROTOCOL_VERSION, __version__)), text=True
            )
            said = await _next_of(socket, Welcome)
            if table and isinstance(said, Welcome):
                await socket.send(encode(RequestJoinProof(table)), text=True)
                said = await _next_of(socket, JoinChallenge)
            match said:
                case JoinChallenge(shares=shares):
                    return table in shares
                case TableJoined() | TableInfo() | Seated():
                    return True
    return False


async def _next_of(socket: ClientConnection, kind: type[FromHost]) -> FromHost:
    """Return the next message of this kind, or one by which a host refuses or goes further."""
    ends = (kind, Refused, Farewell, TableJoined, TableInfo, Seated)
    while not isinstance(said := decode_host_message(await socket.recv(decode=False)), ends):
        pass
    return said
