"""The file beside a finished match's record, with digests of its owners' tokens and its list entry.

This data isn't part of the record, because the record is handed out unchanged. The file contains
only digests of tokens, so someone who reads a backup gets no access to records.
"""

from pathlib import Path

import msgspec
from msgspec import Struct

from tabletop.files.atomic_write import write_atomically
from tabletop.files.regular_file import KIB, read_regular
from tabletop.files.shared_decoders import json_decoder
from tabletop.protocol.archive import FinishedMatch, MatchId, RecordAccess
from tabletop.protocol.messages import Listing
from tabletop.storage.record_lines import End
from tabletop.table.seats import token_digest
from tabletop.table.table_file import HostedTableFile

FINISHED_SUFFIX = ".finished"
"""The suffix of the file's name."""
CLOSED_TABLES = "finished"
"""The name of the folder with the records of closed tables, within the folder of the tables."""
MAX_FILE_BYTES = 64 * KIB


class FinishedFile(Struct, frozen=True):
    """The owners' token digests of a finished match, and its list entry."""

    match: MatchId
    name: str
    game: str
    players: tuple[str, ...]
    winners: tuple[int, ...]
    ended: int
    listing: Listing
    records: RecordAccess
    keys: tuple[str, ...]
    """Digests of the tokens that give access to the record: the owner's token and each player's."""

    def can_open(self, tokens: tuple[str, ...]) -> bool:
        """Return whether any of `tokens` gives access to the record."""
        return not {token_digest(token) for token in tokens if token}.isdisjoint(self.keys)

    def listing_entry(self, open_records: bool) -> FinishedMatch:
        """Return the match's list entry.

        `open_records`: whether the host lets anyone with the link read records.
        """
        is_open = open_records and self.records == "link"
        return FinishedMatch(
            self.match, self.name, self.game, self.players, self.winners, self.ended, is_open
        )


_finished_file = json_decoder(FinishedFile)


def make_finished_file(kept: HostedTableFile, end: End, when: int) -> FinishedFile:
    """Return the file for a table's match that ended with `end`.

    `when`: the time of the end, in Unix time.
    """
    return FinishedFile(
        MatchId(kept.table, kept.number),
        kept.plan.name,
        kept.plan.game,
        tuple(seat.name if seat.person else "" for seat in kept.seats),
        end.winners,
        when,
        kept.plan.listing,
        kept.plan.records,
        tuple(filter(None, (kept.owner, *(seat.token for seat in kept.seats)))),
    )


def write_finished(folder: Path, noted: FinishedFile) -> None:
    """Write `noted` to a file in `folder`.

    Raises:
        StorageError: the file can't be written.
    """
    write_atomically(
        folder / f"{noted.match}{FINISHED_SUFFIX}", msgspec.json.encode(noted), private=True
    )


def read_finished(path: Path) -> FinishedFile:
    """Read a finished file.

    Raises:
        ValueError, OSError: the file can't be read.
    """
    return _finished_file.decode(read_regular(path, MAX_FILE_BYTES))
