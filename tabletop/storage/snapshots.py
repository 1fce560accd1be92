"""A long match as it was left, kept in the cache: to go on with it, nobody plays it through.

A snapshot counts only for a record that begins with the very bytes it was made of; only what was
written behind them is read, and played. It is sealed as the record is, with the record's own key,
so it tells nothing to whom the record tells nothing. Of the tables it holds the last ones; the
early ones are played out as soon as somebody takes so much back, or looks through them all.
"""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tabletop import __version__
from tabletop.engine.events import Said
from tabletop.engine.model import Reason
from tabletop.files import folders, small_file
from tabletop.files.errors import BadFile
from tabletop.match.history import Entry, History, Plies, Ply
from tabletop.match.match import Disclosure, FairStart, Match
from tabletop.storage.plies import plies
from tabletop.storage.record import Record, contents, go_on, match_of, parsed, read, replay
from tabletop.storage.record_lines import opened, read_header

if TYPE_CHECKING:
    from tabletop.storage.seal import Seal

SUFFIX = ".snapshot"
LONG = 50
"""Moves of which a match has a snapshot; a shorter one is played through in no time."""
AT_HAND = 30
"""Tables that a snapshot holds."""
SEALED_AT = 0
"""Where a snapshot is sealed: on no line of the record."""

SaidTo = tuple[tuple[int, ...], tuple[Said, ...]]
"""Viewers, and what they all heard."""


class Standing(Struct, frozen=True):
    """A match's state in a snapshot."""

    entries: tuple[Entry, ...]
    lines: tuple[int, ...]
    """Of each entry, the line it stands on."""
    fair: FairStart | None
    takebacks: int
    early: int
    """Plies before the `late` ones."""
    late: tuple[Ply, ...]
    made_known: tuple[tuple[bool, tuple[SaidTo, ...]], ...]
    """Of each ply: whether it revealed anything, and who heard what."""


class _KeptSnapshot(Struct, frozen=True):
    program: str
    size: int
    """Bytes of the record that are covered."""
    digest: bytes
    standing: bytes
    sealed: str = ""


def keep(match: Match, record: Record, content: bytes) -> None:
    """Keep how a match stands that is recorded in just this, where the disk allows it.

    Raises:
        BadFile: the record is locked by another computer.
    """
    if len(record.entries) < LONG or tuple(match.record) != record.entries:
        return
    first = max(0, len(match.plies) - AT_HAND)
    standing = msgspec.msgpack.encode(
        Standing(
            record.entries,
            record.lines,
            record.fair,
            match.takebacks,
            first,
            tuple(match.plies[first:]),
            tuple((each.revealing, _heard_alike(each)) for each in match.disclosures),
        )
    )
    kept = _KeptSnapshot(__version__, len(content), sha256(content).digest(), standing)
    _, seal = opened(read_header(content.split(b"\n", 1)[0], record.path.name), record.path.name)
    if seal is not None:
        kept = replace(kept, standing=b"", sealed=seal.lock(standing, SEALED_AT))
    small_file.cache(place(record.path), msgspec.msgpack.encode(kept))


def resumed(path: Path) -> tuple[Match, Reason | None]:
    """The match of a record, after all its entries; it keeps no journal. And what of its header is
    not known here and was replaced.

    Raises:
        BadFile: as `read` and `replay`.
    """
    content = contents(path)
    standing, covered = _recall(path, content)
    if standing is None:
        record = read(path)
        return replay(record), record.unknown
    *lines, _ = content.split(b"\n")
    behind = parsed(path, lines, known=content.count(b"\n", 0, covered))
    begun = replace(behind, entries=standing.entries, lines=standing.lines, fair=standing.fair)

    def early() -> Sequence[Ply]:
        return plies(begun)

    history = History.of(
        Plies(standing.late, standing.early, early), begun.entries, standing.takebacks
    )
    match = match_of(begun, (history, [_disclosure(*known) for known in standing.made_known]))
    go_on(match, behind, 0)
    return match, behind.unknown


def place(path: Path) -> Path:
    """Return where the snapshot of a record lies, or would lie."""
    return folders.seen() / f"{path.name}{SUFFIX}"


def _recall(path: Path, content: bytes) -> tuple[Standing | None, int]:
    """Return what is kept of a record that holds this, and how many bytes of it that covers."""
    found = small_file.recall(place(path))
    if found is None:
        return None, 0
    try:
        kept = msgspec.msgpack.decode(found, type=_KeptSnapshot)
        if (kept.program, kept.digest) != (__version__, sha256(content[: kept.size]).digest()):
            return None, 0
        _, seal = opened(read_header(content.split(b"\n", 1)[0], path.name), path.name)
        standing = kept.standing if seal is None else _opened(seal, kept.sealed)
        return msgspec.msgpack.decode(standing, type=Standing), kept.size
    except (msgspec.MsgspecError, ValueError, RecursionError, BadFile):  # another program's
        return None, 0


def _opened(seal: "Seal", sealed: str) -> bytes:
    from tabletop.storage.seal import Locked

    try:
        return seal.open(sealed, SEALED_AT)
    except Locked as error:
        raise ValueError("of another record") from error


def _heard_alike(known: Disclosure) -> tuple[SaidTo, ...]:
    """Return what was heard, and by whom."""
    told = list(known.said.values())
    groups: dict[int, list[int]] = {}
    for viewer, said in known.said.items():
        groups.setdefault(told.index(said), []).append(viewer)
    return tuple((tuple(viewers), told[first]) for first, viewers in groups.items())


def _disclosure(revealing: bool, heard: tuple[SaidTo, ...]) -> Disclosure:
    return Disclosure({viewer: said for viewers, said in heard for viewer in viewers}, revealing)
