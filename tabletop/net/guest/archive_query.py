"""Requests to a server for its finished matches, and for the record of one."""

from pathlib import Path

from tabletop.engine.model import Reason
from tabletop.files.errors import BadFile
from tabletop.match.playback import Playback
from tabletop.net.guest.server_query import query_server
from tabletop.protocol.archive import (
    ARCHIVE,
    MOST_ASKED,
    MOST_SKIPPED,
    AskFinished,
    AskRecord,
    FinishedMatch,
    FinishedMatches,
    MatchId,
    PackedRecord,
    PlayedAt,
    unpacked_record,
)
from tabletop.protocol.invitation import Address
from tabletop.storage.plies import plies
from tabletop.storage.record import MOST_LINES, SUFFIX, Record, kit_for, parse, to_bytes

NO_ARCHIVE = Reason(
    "No records are handed out there: it is somebody's own computer, or a server of an older "
    "version."
)
BAD_RECORD = Reason("What the server sent is no record of that match.")
MAX_WATCHED_MOVES = 20_000
"""Moves of a match that is laid out for watching; the longest that we have seen has 5,000."""


async def list_finished(
    address: Address, mine: tuple[PlayedAt, ...] = (), key: str = "", source_ip: str = ""
) -> FinishedMatches | Reason:
    """The matches that have ended at the server's tables: those where one sat, or those that it
    lists for everybody and for who knows the key; else why not. `source_ip`: as in `reach`.

    Raises:
        WrongCertificate: it shows another one than the place names; nothing was said to it.
    """
    question = AskFinished(mine, key)
    return await query_server(address, question, FinishedMatches, ARCHIVE, NO_ARCHIVE, source_ip)


async def list_all_finished(
    address: Address, mine: tuple[PlayedAt, ...] = (), key: str = ""
) -> FinishedMatches | Reason:
    """As `list_finished`, page by page and however many tables there are; `more`: the server is of an
    older version, which knows one page."""
    found: dict[MatchId, FinishedMatch] = {}
    more = False
    parts = [mine[start : start + MOST_ASKED] for start in range(0, len(mine), MOST_ASKED)]
    for part in parts or [()]:
        skip, going_on = 0, True
        while going_on:
            question = AskFinished(part, key, skip)
            page = await query_server(address, question, FinishedMatches, ARCHIVE, NO_ARCHIVE)
            if isinstance(page, Reason):
                return page
            fresh = [each for each in page.matches if each.match not in found]
            found |= {each.match: each for each in fresh}
            skip += len(page.matches)
            going_on = page.more and bool(fresh) and skip < MOST_SKIPPED
            more = more or (page.more and not going_on)
    return FinishedMatches(tuple(sorted(found.values(), key=_end_of, reverse=True)), more)


def _end_of(match: FinishedMatch) -> int:
    return match.ended


async def fetch_record(
    address: Address, match: MatchId, tokens: tuple[str, ...] = (), source_ip: str = ""
) -> Record | Reason:
    """The record of a finished match; else why it is not to be had. Raises as `list_finished`."""
    question = AskRecord(match, tokens)
    packed = await query_server(address, question, PackedRecord, ARCHIVE, NO_ARCHIVE, source_ip)
    return packed if isinstance(packed, Reason) else unpack_record(match, packed)


def unpack_record(match: MatchId, packed: PackedRecord) -> Record | Reason:
    """The record that a server has sent, read line by line; whether its moves are legal nobody has
    looked yet."""
    try:
        content = unpacked_record(packed)
        if content.count(b"\n") > MOST_LINES:
            return BAD_RECORD
        *lines, torn = content.split(b"\n")
        record = parse(Path(f"{match}{SUFFIX}"), lines or [b""], bool(torn))
    except (ValueError, BadFile):
        return BAD_RECORD
    return BAD_RECORD if record.end is None or record.header.hidden != "open" else record


def playback_of(record: Record) -> Playback | Reason:
    """A fetched record to be watched; else why it cannot be. Takes as long as to play it."""
    if len(record.entries) > MAX_WATCHED_MOVES:
        return BAD_RECORD
    try:
        return Playback(kit_for(record), record.header.players, plies(record))
    except BadFile as error:
        return error.reason


def record_bytes(record: Record) -> bytes:
    """A fetched record as the content of a file, which `tabletop verify` checks."""
    return to_bytes(record)
