"""Finished matches of a server's tables: messages that list them, and that fetch a record.

    guest   AskFinished                  host   FinishedMatches, or Refused
    guest   AskRecord                    host   PackedRecord, or Refused

Players show a token of their seat. Anyone else gets the records that the table's plan has opened to
everybody with the link; nobody gets anything of a running match.
"""

import re
import zlib
from typing import Annotated, Literal

from msgspec import Meta, Struct

from tabletop.protocol.field_types import MAX_SEATS, SeatNumber, Secret, Short
from tabletop.protocol.message_tags import wire_tag

ARCHIVE_FEATURE = "archive"
"""The feature of a host that hands out the records of finished matches."""
MAX_LISTED_MATCHES = 200
"""If there are more finished matches, the latest are listed, or the next page of them."""
MAX_SKIPPED_MATCHES = 1_000_000
MAX_QUERIED_TABLES = 50
"""Tables that a guest may ask about at once."""
MAX_RECORD_BYTES = 16 * 1024 * 1024
"""Bytes of a record's file."""
PIECE_BYTES = 2880
"""Bytes of one piece of it, packed: as text it is no longer than any text of a message."""

RecordAccess = Literal["players", "link"]
TableId = Annotated[str, Meta(pattern="^[0-9a-f]{12}$")]
MatchNumber = Annotated[int, Meta(ge=1, le=1_000_000)]
Tokens = Annotated[tuple[Secret, ...], Meta(max_length=MAX_SEATS + 1)]

_ID = re.compile(r"([0-9a-f]{12})-([1-9]\d{0,5})", re.ASCII)


class MatchId(Struct, frozen=True):
    """A match."""

    table: TableId
    """The id of its table."""
    number: MatchNumber
    """The number of the match at that table."""

    def __str__(self) -> str:
        """As links and commands write it: "0123456789ab-1"."""
        return f"{self.table}-{self.number}"


class TableTokens(Struct, frozen=True):
    """A table at which somebody sat."""

    table: TableId
    """The id of the table."""
    tokens: Tokens
    """The tokens that show it."""


class FinishedMatch(Struct, frozen=True):
    """A finished match, as listed."""

    match: MatchId
    """The table and the number of the match."""
    name: Short
    """The name of the table."""
    game: Short
    """The id of the game."""
    players: Annotated[tuple[Short, ...], Meta(max_length=MAX_SEATS)]
    """The players' names; "" for a bot."""
    winners: tuple[SeatNumber, ...]
    """The seats that won; none for a draw."""
    ended: Annotated[int, Meta(ge=0, le=2**33)]
    """The second of Unix time in which it ended, within what every calendar can show."""
    open: bool
    """Whether anyone with the link may fetch its record."""


class ListFinishedMatches(Struct, frozen=True, tag=wire_tag):
    """Which matches have ended here?"""

    mine: Annotated[tuple[TableTokens, ...], Meta(max_length=MAX_QUERIED_TABLES)] = ()
    """The tables at which the guest has sat, to list their matches alone; empty to list the public
    ones."""
    key: Secret = ""
    """The key of a server that shows its list to members only."""
    skip: Annotated[int, Meta(ge=0, le=MAX_SKIPPED_MATCHES)] = 0
    """The number of the latest matches that are known already, to get the next page; hosts of older
    versions ignore it."""


class FetchRecord(Struct, frozen=True, tag=wire_tag):
    """The record of a finished match, please."""

    match: MatchId
    """The match."""
    tokens: Tokens = ()
    """The tokens of the guest's seats there; none where anyone may have the record."""


class FinishedMatches(Struct, frozen=True, tag=wire_tag):
    """The answer."""

    matches: Annotated[tuple[FinishedMatch, ...], Meta(max_length=MAX_LISTED_MATCHES)]
    """The latest first."""
    more: bool = False
    """Whether there are others, which are not listed."""


class PackedRecord(Struct, frozen=True, tag=wire_tag):
    """A record, made small (zlib)."""

    pieces: tuple[bytes, ...]
    """The bytes of the packed record, piece by piece."""


ArchiveRequest = ListFinishedMatches | FetchRecord
ArchiveResponse = FinishedMatches | PackedRecord


def parse_match_id(text: str) -> MatchId | None:
    """The match that is written so; None where none is."""
    match = _ID.fullmatch(text)
    return MatchId(match[1], int(match[2])) if match else None


def pack_record(content: bytes) -> PackedRecord:
    """A record's file as it is sent."""
    small = zlib.compress(content, 6)
    return PackedRecord(
        tuple(small[at : at + PIECE_BYTES] for at in range(0, len(small), PIECE_BYTES))
    )


def unpack_record(packed: PackedRecord) -> bytes:
    """The record's file.

    Raises:
        ValueError: there is none in it, or one larger than any.
    """
    inflate = zlib.decompressobj()
    try:
        content = inflate.decompress(b"".join(packed.pieces), MAX_RECORD_BYTES)
    except zlib.error as error:
        raise ValueError("no packed record") from error
    if not inflate.eof:
        raise ValueError("no whole record, or too large a one")
    return content
