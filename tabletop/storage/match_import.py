"""Matches of another home taken into this one, whatever is here: none is lost, none is there twice.

A match that was played on at one of the two computers goes on from there; one that was played on at
both is kept as two.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from enum import Enum, auto
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec.structs import replace

from tabletop.files import folders
from tabletop.files.atomic_write import write_whole
from tabletop.files.errors import BadFile, disk_trouble, not_readable
from tabletop.files.new_files import NewFiles
from tabletop.files.regular_file import read_regular
from tabletop.storage import playtest_notes, review_file, seal
from tabletop.storage.journal import lock_match
from tabletop.storage.line_digests import chain, without_digest
from tabletop.storage.record import MOST_BYTES, MOST_LINES, Record, parse
from tabletop.storage.record_lines import Sealing, damage_in, read_header
from tabletop.storage.saved_matches import keep, picture_path

DIGITS = 6
"""Digits of a digest, in the name of a match of which there are two."""


class Taken(Enum):
    """What became of a match."""

    NEW = auto()
    KNOWN = auto()
    """All of it is here already."""
    FURTHER = auto()
    """It was here, and went on elsewhere."""
    BOTH = auto()
    """It went on here and elsewhere, and is here twice now."""


def take_match(
    source: Path,
    folder: Path,
    fresh: NewFiles,
    key: bytes | None = None,
    elsewhere: Sequence[Path] = (),
) -> Taken:
    """Take a match in, with its picture, its notes and what was found about it. Files that are new
    here wait in `fresh`; the source may be changed. `key` locks the match, where that isn't this
    computer's. `elsewhere`: folders where it may be here by the same name.

    Raises:
        StorageError: it cannot be read or written, or is played on in another window.
    """
    theirs, target = _read(source), folder / source.name
    content = lock_again(theirs, source.name, key)
    if content != theirs:
        _rewrite(source, content)
    ours = next((p for each in (folder, *elsewhere) if (p := each / source.name).exists()), None)
    what = Taken.NEW if ours is None else _compare(content, ours)
    if ours is None:
        fresh.add(source, target)
    elif what is Taken.KNOWN:
        target = ours
    elif what is Taken.FURTHER:
        with lock_match(ours):
            write_whole(ours, content, private=True)
        _date(ours, source)
        over = folder == folders.replays() and ours.parent == folders.matches()
        target = keep(ours) if over else ours
    else:
        digest = sha256(_unlocked_content(content)).hexdigest()[:DIGITS]
        target = target.with_stem(f"{target.stem}-{digest}")
        if target.exists():
            what = Taken.KNOWN
        else:
            fresh.add(source, target)
    _take_companions(source, target, fresh)
    return what


def compare_match(source: Path, folder: Path, key: bytes | None = None) -> Taken:
    """What would become of a match that is taken into a folder. Raises as `take_match`."""
    ours = folder / source.name
    content = lock_again(_read(source), source.name, key)
    return _compare(content, ours) if ours.exists() else Taken.NEW


def lock_again(content: bytes, name: str, key: bytes | None) -> bytes:
    """The content of a match's file that this computer opens; unchanged where another computer's
    `key` has not locked it.

    Raises:
        StorageError: this computer can keep no key.
    """
    if key is None or content.count(b"\n") > MOST_LINES:
        return content
    *lines, torn = content.split(b"\n")
    if not lines:
        return content
    try:
        sealing = read_header(lines[0], name).sealing
        if not isinstance(sealing, Sealing):
            return content
        fresh = msgspec.json.encode(seal.locked_here(sealing.key, key))
    except (BadFile, seal.WrongKey):
        return content
    first = lines[0].replace(msgspec.json.encode(sealing.key), fresh, 1)
    return b"".join(chain(lines, first)) + torn


def holds(whole: Record, part: Record) -> bool:
    """Whether all of a record is in another one of the same match."""
    entries, changes = len(part.entries), [change for _, change in part.stand_ins]
    return (
        bool(part.header.seed)
        and (whole.header.seed, whole.header.players) == (part.header.seed, part.header.players)
        and whole.entries[:entries] == part.entries
        and [change for _, change in whole.stand_ins][: len(changes)] == changes
        and part.comments.items() <= whole.comments.items()
        and part.name in ("", whole.name)
        and part.end in (None, whole.end)
    )


def _compare(content: bytes, path: Path) -> Taken:
    """What is to become of a match of which a file of the same name is here."""
    known = _read(path)
    if _unlocked_content(known) == _unlocked_content(content):
        return Taken.KNOWN
    try:
        ours, theirs = _parse(path, known), _parse(path, content)
    except BadFile:
        return Taken.BOTH
    if holds(ours, theirs):
        return Taken.KNOWN
    return Taken.FURTHER if holds(theirs, ours) else Taken.BOTH


def _parse(path: Path, content: bytes) -> Record:
    """
    Raises:
        BadFile: it can't be read.
    """
    if content.count(b"\n") > MOST_LINES:
        raise damage_in(path.name, 0)
    *lines, torn = content.split(b"\n")
    return parse(path, lines or [b""], bool(torn))


def _unlocked_content(content: bytes) -> bytes:
    """A record's content by which two copies are the same, whoever has locked them."""
    if content.count(b"\n") > MOST_LINES:
        return content
    first, _, rest = content.partition(b"\n")
    with suppress(BadFile):
        head = read_header(first, "")
        if isinstance(head.sealing, Sealing):
            unlocked = replace(head, sealing=replace(head.sealing, key=""))
            lines = [line for line in rest.split(b"\n") if line]
            return b"\n".join([msgspec.json.encode(unlocked), *map(without_digest, lines)])
    return content


def _read(path: Path) -> bytes:
    try:
        return read_regular(path, MOST_BYTES)
    except OSError as error:
        raise not_readable(error, path.name) from error


def _rewrite(path: Path, content: bytes) -> None:
    try:
        before = path.stat()
        path.write_bytes(content)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    except OSError as error:
        raise disk_trouble(error, path.name) from error


def _date(target: Path, source: Path) -> None:
    with suppress(OSError):
        changed = source.stat().st_mtime
        os.utime(target, (changed, changed))


def _take_companions(source: Path, target: Path, fresh: NewFiles) -> None:
    """Take in what is beside a match; pictures and findings can be made again, so those that are
    here stay."""
    take_notes(playtest_notes.notes_path(source), playtest_notes.notes_path(target), fresh)
    for name in (picture_path, review_file.findings_path):
        theirs, ours = name(source), name(target)
        if theirs.is_file() and not ours.exists():
            fresh.add(theirs, ours)


def take_notes(source: Path, target: Path, fresh: NewFiles) -> None:
    """Add the notes in `source` to those in `target`. If `target` doesn't exist, rewrite `source`
    as a file of this computer and add it to `fresh`.

    Raises:
        StorageError: they cannot be read or written, or are too many together.
    """
    if not source.is_file():
        return
    notes = playtest_notes.notes(source, playtest_notes.OTHER_BROKEN)
    if not notes:
        return
    if not target.exists():
        _rewrite(source, playtest_notes.encoded(notes))
        fresh.add(source, target)
    elif not set(notes) <= set(playtest_notes.notes(target)):
        playtest_notes.add(target, *notes)
