"""Requests to a server for its finished matches, and for the record of one."""

from pathlib import Path

from tabletop.engine.model import Reason
from tabletop.files.errors import BadFile
from tabletop.match.playback import Playback
from tabletop.net.guest.server_query import ask_server
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
from tabletop.storage.record import MAX_RECORD_LINES, SUFFIX, Record, kit_for, parse, to_bytes

KEEPS_NONE = Reason(
    "No records are handed out there: it is somebody's own computer, or a server of an older "
    "version."
)
BAD_RECORD = Reason("What the server sent is no record of that match.")
MOST_WATCHED = 20_000
"""Moves of a match that is laid out for watching; the longest that we have seen has 5,000."""


async def finished_at(
    place: Address, mine: tuple[PlayedAt, ...] = (), key: str = "", source: str = ""
) -> FinishedMatches | Reason:
    """The matches that have ended at the server's tables: those where one sat, or those that it
    lists for everybody and for who knows the key; else why not. `source`: as in `reach`.

    Raises:
        WrongCertificate: it shows another one than the place names; nothing was said to it.
    """
    question = AskFinished(mine, key)
    return await ask_server(place, question, FinishedMatches, ARCHIVE, KEEPS_NONE, source)


async def all_finished_at(
    place: Address, mine: tuple[PlayedAt, ...] = (), key: str = ""
) -> FinishedMatches | Reason:
    """As `finished_at`, page by page and however many tables there are; `more`: the server is of an
    older version, which knows one page."""
    found: dict[MatchId, FinishedMatch] = {}
    more = False
    parts = [mine[start : start + MOST_ASKED] for start in range(0, len(mine), MOST_ASKED)]
    for part in parts or [()]:
        skip, going_on = 0, True
        while going_on:
            question = AskFinished(part, key, skip)
            page = await ask_server(place, question, FinishedMatches, ARCHIVE, KEEPS_NONE)
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


async def record_at(
    place: Address, match: MatchId, tokens: tuple[str, ...] = (), source: str = ""
) -> Record | Reason:
    """The record of a finished match; else why it is not to be had. Raises as `finished_at`."""
    question = AskRecord(match, tokens)
    packed = await ask_server(place, question, PackedRecord, ARCHIVE, KEEPS_NONE, source)
    return packed if isinstance(packed, Reason) else read_packed(match, packed)


def read_packed(match: MatchId, packed: PackedRecord) -> Record | Reason:
    """The record that a server has sent, read line by line; whether its moves are legal nobody has
    looked yet."""
    try:
        content = unpacked_record(packed)
        if content.count(b"\n") > MAX_RECORD_LINES:
            return BAD_RECORD
        *lines, torn = content.split(b"\n")
        record = parse(Path(f"{match}{SUFFIX}"), lines or [b""], bool(torn))
    except (ValueError, BadFile):
        return BAD_RECORD
    return BAD_RECORD if record.end is None or record.header.hidden != "open" else record


def laid_out(record: Record) -> Playback | Reason:
    """A fetched record to be watched; else why it cannot be. Takes as long as to play it."""
    if len(record.entries) > MOST_WATCHED:
        return BAD_RECORD
    try:
        return Playback(kit_for(record), record.header.players, plies(record))
    except BadFile as error:
        return error.reason


def as_file(record: Record) -> bytes:
    """A fetched record as the content of a file, which `tabletop verify` checks."""
    return to_bytes(record)
