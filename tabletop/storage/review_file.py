"""The findings of the bots' reviews of a match: a small file beside its record.

They can be made again at any time, but take minutes, and are never quite the same. A program that
doesn't know the file leaves it alone; one that belongs to other entries isn't read.
"""

from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tabletop.engine.model import Move, Remark
from tabletop.files.atomic_write import move_file
from tabletop.files.shared_decoders import json_decoder
from tabletop.files.small_file import read_cache, write_cache
from tabletop.match.history import Entry

FINDINGS_SUFFIX = ".review.json"
"""The ending of a file of findings, after the name of the record."""


class MoveFinding(Struct, frozen=True, omit_defaults=True):
    """A finding about one move, without the table, which the record has."""

    ply: int
    """The number of the table that the move has led to."""
    played: Move
    """The move that was made."""
    share: float
    """The share of the victory that was lost, gained or to be expected."""
    better: Move | None = None
    """A better one, or the one that seemed best; None for a feat."""
    reason: Remark | None = None
    """Why the better move, or the feat, is good."""


class SeatFindings(Struct, frozen=True):
    """What was found about one player's moves."""

    mistakes: tuple[MoveFinding, ...]
    """The costly moves, worst first."""
    looks: tuple[MoveFinding, ...]
    """The quick look at each decision."""


class Findings(Struct, frozen=True, omit_defaults=True):
    """All that was found about a match."""

    entries: str
    """The digest of the entries that were looked at."""
    best: tuple[MoveFinding, ...] | None = None
    """The best move of the match, or none; None where nobody has looked for it."""
    seats: dict[int, SeatFindings] = {}
    """The findings of a review, by seat."""


_findings = json_decoder(Findings)


def findings_path(record: Path) -> Path:
    """The path of the findings about the match of a record."""
    return record.with_name(record.name + FINDINGS_SUFFIX)


def read_findings(record: Path, entries: Sequence[Entry]) -> Findings:
    """Return what was found about a match of these entries; nothing where nothing is kept."""
    digest = _digest(entries)
    with suppress(msgspec.MsgspecError):
        kept = _findings.decode(read_cache(findings_path(record)) or b"")
        if kept.entries == digest:
            return kept
    return Findings(digest)


def save_best_move(record: Path, entries: Sequence[Entry], best: MoveFinding | None) -> None:
    """Keep the best move of a match, or that there is none, where the disk allows it."""
    _save(record, replace(read_findings(record, entries), best=() if best is None else (best,)))


def save_seat_findings(
    record: Path, entries: Sequence[Entry], seat: int, found: SeatFindings
) -> None:
    """Keep what was found about a player's moves, where the disk allows it."""
    kept = read_findings(record, entries)
    _save(record, replace(kept, seats={**kept.seats, seat: found}))


def move_findings(record: Path, target: Path) -> None:
    """Move the findings of a record to where it was moved, where the disk allows it."""
    with suppress(OSError):
        if findings_path(record).is_file():
            move_file(findings_path(record), findings_path(target))


def delete_orphans(folder: Path) -> None:
    """Remove the findings in a folder whose records are gone."""
    with suppress(OSError):
        for path in folder.glob(f"*{FINDINGS_SUFFIX}"):
            if not path.with_name(path.name.removesuffix(FINDINGS_SUFFIX)).exists():
                path.unlink(missing_ok=True)


def _save(record: Path, found: Findings) -> None:
    if record.is_file():  # a match of a shared table has no record here yet
        write_cache(findings_path(record), msgspec.json.encode(found))


def _digest(entries: Sequence[Entry]) -> str:
    return sha256(msgspec.json.encode(list(entries))).hexdigest()[:16]
