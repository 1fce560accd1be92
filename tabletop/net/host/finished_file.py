"""The file beside the record of a finished match at its host: its owners, and its entry in lists.

The record itself holds none of it, because it is handed out as it is. Like a table's own file it
holds only digests of tokens, so somebody who reads a backup can fetch nothing with them.
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
from tabletop.table.seats import digest
from tabletop.table.table_file import HostedTableFile

FINISHED = ".finished"
"""The suffix of such a file."""
CLOSED_TABLES = "finished"
"""The folder, beside the tables, of the records of those that were closed."""
MOST_BYTES = 64 * KIB


class FinishedFile(Struct, frozen=True):
    """The file about one match."""

    match: MatchId
    name: str
    game: str
    players: tuple[str, ...]
    winners: tuple[int, ...]
    ended: int
    listing: Listing
    records: RecordAccess
    keys: tuple[str, ...]
    """The digests of the tokens that fetch the record: of who hosted, and of who sat there."""

    def opened_by(self, tokens: tuple[str, ...]) -> bool:
        """Whether one of these tokens is of somebody who sat there."""
        return not {digest(token) for token in tokens if token}.isdisjoint(self.keys)

    def entry(self, open_records: bool) -> FinishedMatch:
        """Its entry in a list."""
        is_open = open_records and self.records == "link"
        return FinishedMatch(
            self.match, self.name, self.game, self.players, self.winners, self.ended, is_open
        )


_finished_file = json_decoder(FinishedFile)


def finished_file(kept: HostedTableFile, end: End, when: int) -> FinishedFile:
    """The file about a table's match that ended so, in that second of Unix time."""
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


def keep_finished(folder: Path, noted: FinishedFile) -> None:
    """Write the file.

    Raises:
        StorageError: the disk refused it.
    """
    write_atomically(folder / f"{noted.match}{FINISHED}", msgspec.json.encode(noted), private=True)


def read_finished(path: Path) -> FinishedFile:
    """Read the file about a match.

    Raises:
        ValueError, OSError: it cannot be read.
    """
    return _finished_file.decode(read_regular(path, MOST_BYTES))
