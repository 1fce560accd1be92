"""Findings of the bots' review of a match, in a small file beside the record.

Findings are stored because a review takes minutes and gives slightly different results each time.
They are ignored if the record's entries have changed.
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
"""The suffix that is added to the full name of a record to name its findings file."""


class MoveFinding(Struct, frozen=True, omit_defaults=True):
    """A finding about one move."""

    ply: int
    """The number of the position after the move."""
    played: Move
    """The move that was made."""
    share: float
    """The winning probability (0 to 1) that the move lost or gained, or was expected to have."""
    better: Move | None = None
    """A better move; None if the played move was outstanding."""
    reason: Remark | None = None
    """Why the better move, or the outstanding one, is good."""


class SeatFindings(Struct, frozen=True):
    """Findings about one player's moves."""

    mistakes: tuple[MoveFinding, ...]
    """The moves that cost the most winning probability, worst first."""
    looks: tuple[MoveFinding, ...]
    """A quick estimate of each of the player's decisions."""


class Findings(Struct, frozen=True, omit_defaults=True):
    """All findings about a match."""

    entries: str
    """The digest of the reviewed entries."""
    best: tuple[MoveFinding, ...] | None = None
    """The best move of the match, or () if none stands out; None if not searched for yet."""
    seats: dict[int, SeatFindings] = {}
    """The findings about each reviewed player, by seat."""


_findings = json_decoder(Findings)


def findings_path(record: Path) -> Path:
    """Return the path of the findings about the match at `record`."""
    return record.with_name(record.name + FINDINGS_SUFFIX)


def read_findings(record: Path, entries: Sequence[Entry]) -> Findings:
    """Return the stored findings about exactly these entries; empty findings if there are none."""
    digest = _digest(entries)
    with suppress(msgspec.MsgspecError):
        kept = _findings.decode(read_cache(findings_path(record)) or b"")
        if kept.entries == digest:
            return kept
    return Findings(digest)


def save_best_move(record: Path, entries: Sequence[Entry], best: MoveFinding | None) -> None:
    """Store the best move of a match; None if no move stands out. Disk errors are ignored."""
    _save(record, replace(read_findings(record, entries), best=() if best is None else (best,)))


def save_seat_findings(
    record: Path, entries: Sequence[Entry], seat: int, found: SeatFindings
) -> None:
    """Store the findings about one player's moves. Disk errors are ignored."""
    kept = read_findings(record, entries)
    _save(record, replace(kept, seats={**kept.seats, seat: found}))


def move_findings(record: Path, target: Path) -> None:
    """Move the findings about `record` to where they belong when the record is at `target`.

    Disk errors are ignored.
    """
    with suppress(OSError):
        if findings_path(record).is_file():
            move_file(findings_path(record), findings_path(target))


def delete_orphans(folder: Path) -> None:
    """Delete the findings in `folder` whose records no longer exist."""
    with suppress(OSError):
        for path in folder.glob(f"*{FINDINGS_SUFFIX}"):
            if not path.with_name(path.name.removesuffix(FINDINGS_SUFFIX)).exists():
                path.unlink(missing_ok=True)


def _save(record: Path, found: Findings) -> None:
    if record.is_file():  # a running online match has no record here
        write_cache(findings_path(record), msgspec.json.encode(found))


def _digest(entries: Sequence[Entry]) -> str:
    return sha256(msgspec.json.encode(list(entries))).hexdigest()[:16]
