"""Requests to a server for its finished matches and their records."""

from pathlib import Path

from tabletop.engine.model import Reason
from tabletop.files.errors import BadFile
from tabletop.match.playback import Playback
from tabletop.net.guest.server_query import query_server
from tabletop.protocol.archive import (
    ARCHIVE_FEATURE,
    MAX_QUERIED_TABLES,
    MAX_SKIPPED_MATCHES,
    FetchRecord,
    FinishedMatch,
    FinishedMatches,
    ListFinishedMatches,
    MatchId,
    PackedRecord,
    TableTokens,
    unpack_record,
)
from tabletop.protocol.invitation import Address
from tabletop.storage.plies import plies
from tabletop.storage.record import MAX_RECORD_LINES, SUFFIX, Record, kit_for, parse, to_bytes
from tabletop.storage.record_lines import split_lines

NO_ARCHIVE = Reason(
    "No records are handed out there: it is somebody's own computer, or a server of an older "
    "version."
)
BAD_RECORD = Reason("What the server sent is no record of that match.")
MAX_WATCHED_MOVES = 20_000
"""The maximum number of moves in a record for which a playback is built.

The longest match so far had 5,000 moves.
"""


async def list_finished(
    address: Address, mine: tuple[TableTokens, ...] = (), key: str = "", source_ip: str = ""
) -> FinishedMatches | Reason:
    """Return matches that were finished at a server, or why it sends no list.

    Args:
        address: The server.
        mine: The user's tokens for tables; if empty, the server's public list is returned.
        key: The server's key, which adds matches that are listed only for its holders.
        source_ip: The local IP address to connect from, as in `dial`.

    Raises:
        WrongCertificate: the server's certificate isn't the one that `address` names. Nothing was
            sent.
    """
    question = ListFinishedMatches(mine, key)
    return await query_server(
        address, question, FinishedMatches, ARCHIVE_FEATURE, NO_ARCHIVE, source_ip
    )


async def list_all_finished(
    address: Address, mine: tuple[TableTokens, ...] = (), key: str = ""
) -> FinishedMatches | Reason:
    """Return the same as `list_finished`, but from all pages
    and for any number of tables in `mine`.

    `more` is set in the result only if an older server can't return further pages.
    """
    found: dict[MatchId, FinishedMatch] = {}
    more = False
    parts = [
        mine[start : start + MAX_QUERIED_TABLES]
        for start in range(0, len(mine), MAX_QUERIED_TABLES)
    ]
    for part in parts or [()]:
        skip, going_on = 0, True
        while going_on:
            question = ListFinishedMatches(part, key, skip)
            page = await query_server(
                address, question, FinishedMatches, ARCHIVE_FEATURE, NO_ARCHIVE
            )
            if isinstance(page, Reason):
                return page
            fresh = [each for each in page.matches if each.match not in found]
            found |= {each.match: each for each in fresh}
            skip += len(page.matches)
            going_on = page.more and bool(fresh) and skip < MAX_SKIPPED_MATCHES
            more = more or (page.more and not going_on)
    return FinishedMatches(tuple(sorted(found.values(), key=_end_of, reverse=True)), more)


def _end_of(match: FinishedMatch) -> int:
    return match.ended


async def fetch_record(
    address: Address, match: MatchId, tokens: tuple[str, ...] = (), source_ip: str = ""
) -> Record | Reason:
    """Return the record of a finished match, or why the server refuses to send it.

    `tokens`: the user's tokens for the match's table.

    Raises:
        WrongCertificate: the server's certificate isn't the one that `address` names. Nothing was
            sent.
    """
    question = FetchRecord(match, tokens)
    packed = await query_server(
        address, question, PackedRecord, ARCHIVE_FEATURE, NO_ARCHIVE, source_ip
    )
    return packed if isinstance(packed, Reason) else parse_packed_record(match, packed)


def parse_packed_record(match: MatchId, packed: PackedRecord) -> Record | Reason:
    """Return the record that a server has sent, or why it is invalid.

    Only the format is checked, not whether the moves are legal.
    """
    try:
        content = unpack_record(packed)
        if content.count(b"\n") > MAX_RECORD_LINES:
            return BAD_RECORD
        lines, torn = split_lines(content)
        record = parse(Path(f"{match}{SUFFIX}"), lines, bool(torn))
    except (ValueError, BadFile):
        return BAD_RECORD
    return BAD_RECORD if record.end is None or record.header.hidden != "open" else record


def playback_of(record: Record) -> Playback | Reason:
    """Return a playback of a fetched record, or why it can't be watched.

    Takes as long as replaying the match.
    """
    if len(record.entries) > MAX_WATCHED_MOVES:
        return BAD_RECORD
    try:
        return Playback(kit_for(record), record.header.players, plies(record))
    except BadFile as error:
        return error.reason


def record_bytes(record: Record) -> bytes:
    """Return the content of a file for a fetched record. `tabletop verify` can check that file."""
    return to_bytes(record)
