"""Messages by which guests list a server's finished matches and download their records.

    guest   ListFinishedMatches    host   FinishedMatches, or Refused
    guest   FetchRecord            host   PackedRecord, or Refused

A player needs a token of their seat. Others can download records only if the table's plan has
opened them to anyone with the link. Records of running matches aren't available.
"""

import re
import zlib
from typing import Annotated, Literal

from msgspec import Meta, Struct

from tabletop.protocol.field_types import MAX_SEATS, SeatNumber, Secret, Short
from tabletop.protocol.message_tags import wire_tag

ARCHIVE_FEATURE = "archive"
"""A feature of hosts: guests may download the records of finished matches."""
MAX_LISTED_MATCHES = 200
"""The maximum number of matches in a list, the latest first."""
MAX_SKIPPED_MATCHES = 1_000_000
MAX_QUERIED_TABLES = 50
"""The maximum number of tables in one request."""
MAX_RECORD_BYTES = 16 * 1024 * 1024
"""The maximum size of an uncompressed record file."""
PIECE_BYTES = 2880
"""The size of a piece of a packed record in bytes. Its Base64 text stays within the limit for texts
in messages.
"""

RecordAccess = Literal["players", "link"]
TableId = Annotated[str, Meta(pattern="^[0-9a-f]{12}$")]
MatchNumber = Annotated[int, Meta(ge=1, le=1_000_000)]
Tokens = Annotated[tuple[Secret, ...], Meta(max_length=MAX_SEATS + 1)]

_ID = re.compile(r"([0-9a-f]{12})-([1-9]\d{0,5})", re.ASCII)


class MatchId(Struct, frozen=True):
    """The ID of a match."""

    table: TableId
    """The ID of the table."""
    number: MatchNumber
    """The number of the match at the table."""

    def __str__(self) -> str:
        """Return the ID as in links and commands: "0123456789ab-1"."""
        return f"{self.table}-{self.number}"


class TableTokens(Struct, frozen=True):
    """A table and the guest's tokens for it."""

    table: TableId
    """The ID of the table."""
    tokens: Tokens
    """The tokens of the guest's seats."""


class FinishedMatch(Struct, frozen=True):
    """A finished match in a list."""

    match: MatchId
    """The ID of the match."""
    name: Short
    """The name of the table."""
    game: Short
    """The ID of the game."""
    players: Annotated[tuple[Short, ...], Meta(max_length=MAX_SEATS)]
    """The players' names by seat; "" for a bot."""
    winners: tuple[SeatNumber, ...]
    """The winners' seats; empty for a draw."""
    ended: Annotated[int, Meta(ge=0, le=2**33)]
    """When the match ended, in seconds since the Unix epoch, within the range
    of every calendar library.
    """
    open: bool
    """Whether anyone with the link may download the record."""


class ListFinishedMatches(Struct, frozen=True, tag=wire_tag):
    """A request for a list of finished matches."""

    mine: Annotated[tuple[TableTokens, ...], Meta(max_length=MAX_QUERIED_TABLES)] = ()
    """The guest's tables, to list only their matches; empty to list public matches."""
    key: Secret = ""
    """The server's key, if the server shows its list to members only."""
    skip: Annotated[int, Meta(ge=0, le=MAX_SKIPPED_MATCHES)] = 0
    """The number of latest matches to skip, for the next page. Older hosts ignore the field."""


class FetchRecord(Struct, frozen=True, tag=wire_tag):
    """A request for the record of a finished match."""

    match: MatchId
    """The ID of the match."""
    tokens: Tokens = ()
    """The tokens of the guest's seats at that table; none are needed for an open record."""


class FinishedMatches(Struct, frozen=True, tag=wire_tag):
    """A list of finished matches."""

    matches: Annotated[tuple[FinishedMatch, ...], Meta(max_length=MAX_LISTED_MATCHES)]
    """The matches, the latest first."""
    more: bool = False
    """Whether there are more matches than the list can hold."""


class PackedRecord(Struct, frozen=True, tag=wire_tag):
    """A record file, compressed by zlib."""

    pieces: tuple[bytes, ...]
    """The compressed bytes in pieces of up to `PIECE_BYTES`."""


ArchiveRequest = ListFinishedMatches | FetchRecord
ArchiveResponse = FinishedMatches | PackedRecord


def parse_match_id(text: str) -> MatchId | None:
    """Return the match ID that `text` spells; None if `text` isn't a match ID."""
    match = _ID.fullmatch(text)
    return MatchId(match[1], int(match[2])) if match else None


def pack_record(content: bytes) -> PackedRecord:
    """Return the message that contains a record file."""
    compressed = zlib.compress(content, 6)
    return PackedRecord(
        tuple(compressed[at : at + PIECE_BYTES] for at in range(0, len(compressed), PIECE_BYTES))
    )


def unpack_record(packed: PackedRecord) -> bytes:
    """Return the record file in `packed`.

    Raises:
        ValueError: `packed` isn't zlib data, is truncated, or holds more than `MAX_RECORD_BYTES`.
    """
    inflate = zlib.decompressobj()
    try:
        content = inflate.decompress(b"".join(packed.pieces), MAX_RECORD_BYTES)
    except zlib.error as error:
        raise ValueError("no packed record") from error
    if not inflate.eof:
        raise ValueError("no whole record, or too large a one")
    return content
