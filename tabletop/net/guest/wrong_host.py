"""Recognising a host that isn't the wanted one, and choosing which reason to show."""

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
PROOF_UNANSWERED = Reason(
    'What answers at "{place}" took a proof of the code and gave none: it may only pose as the '
    "host of this table. Ask for the link: it names the right host.",
    code="unanswered",
)
OTHER_HOST = Reason(
    'Another computer is now at "{place}", and nothing was sent to it. Ask the host for a new link '
    "or code.",
    code="other_host",
)
CLAIM_TIMEOUT_S = 2.0
"""The seconds that a stranger has to answer whether it has the table."""
_RANKED_CODES = (
    "unreachable",
    "no_host",
    "wrong_code",
    "no_table",
    "many_tables",
    OTHER_HOST.code,
    "nonsense",
    SILENT.code,
    "old_host",
    "code_needed",
    "blocked",
    PROOF_UNANSWERED.code,
    "impostor",
    "guessing",
)
"""Reason codes that leave open whether the table is at another address, the most useful ones last.
"""
WRONG_HOST_CODES = frozenset(_RANKED_CODES)
"""Reason codes after which the table may still be found at another host."""


def most_useful_reason(reasons: Iterable[Reason]) -> Reason:
    """Return the reason to show after several hosts were tried.

    A code outside `WRONG_HOST_CODES` comes from the right host, so it takes precedence.
    """
    return max(
        reasons,
        key=lambda each: _RANKED_CODES.index(each.code) if each.code in _RANKED_CODES else 99,
    )


async def claims_table(socket: ClientConnection, table: str) -> bool:
    """Return whether the computer at the other end of `socket` claims to have `table`.

    Its certificate isn't the host's, so nothing secret is sent. A
    failed or timed-out request means no claim.
    """
    with suppress(OSError, TimeoutError, WebSocketException, BadMessage):
        async with asyncio.timeout(CLAIM_TIMEOUT_S):
            await socket.send(
                encode(Hello(MIN_PROTOCOL_VERSION, PROTOCOL_VERSION, __version__)), text=True
            )
            said = await _receive_reply(socket, Welcome)
            if table and isinstance(said, Welcome):
                await socket.send(encode(RequestJoinProof(table)), text=True)
                said = await _receive_reply(socket, JoinChallenge)
            match said:
                case JoinChallenge(shares=shares):
                    return table in shares
                case TableJoined() | TableInfo() | Seated():
                    return True
    return False


async def _receive_reply(socket: ClientConnection, kind: type[FromHost]) -> FromHost:
    """Return the next message that is a `kind`, a refusal or farewell, or that admits the guest."""
    ends = (kind, Refused, Farewell, TableJoined, TableInfo, Seated)
    while not isinstance(said := decode_host_message(await socket.recv(decode=False)), ends):
        pass
    return said
