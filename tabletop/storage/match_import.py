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
from tabletop.files.atomic_write import write_atomically
from tabletop.files.errors import BadFile, read_error, write_error
from tabletop.files.new_files import NewFiles
from tabletop.files.regular_file import read_regular
from tabletop.storage import playtest_notes, review_file, seal
from tabletop.storage.journal import lock_match_file
from tabletop.storage.line_digests import rechain_lines, strip_digest
from tabletop.storage.record import MAX_RECORD_BYTES, MAX_RECORD_LINES, Record, parse
from tabletop.storage.record_lines import Sealing, damaged_line_error, decode_header
from tabletop.storage.saved_matches import move_to_replays, picture_path

DIGEST_DIGITS = 6
"""Digits of a digest, in the name of a match of which there are two."""


class ImportOutcome(Enum):
    """What became of a match."""

    NEW = auto()
    KNOWN = auto()
    """All of it is here already."""
    EXTENDED = auto()
    """It was here, and went on elsewhere."""
    DIVERGED = auto()
    """It went on here and elsewhere, and is here twice now."""


def import_match(
    source: Path,
    folder: Path,
    fresh: NewFiles,
    key: bytes | None = None,
    elsewhere: Sequence[Path] = (),
) -> ImportOutcome:
    """Take a match in, with its picture, its notes and what was found about it. Files that are new
    here wait in `fresh`; the source may be changed. `key` locks the match, where that isn't this
    computer's. `elsewhere`: folders where it may be here by the same name.

    Raises:
        StorageError: it cannot be read or written, or is played on in another window.
    """
    theirs, target = _read_match_file(source), folder / source.name
    content = relock_content(theirs, source.name, key)
    if content != theirs:
        _rewrite_keeping_time(source, content)
    ours = next((p for each in (folder, *elsewhere) if (p := each / source.name).exists()), None)
    what = ImportOutcome.NEW if ours is None else _compare(content, ours)
    if ours is None:
        fresh.add(source, target)
    elif what is ImportOutcome.KNOWN:
        target = ours
    elif what is ImportOutcome.EXTENDED:
        with lock_match_file(ours):
            write_atomically(ours, content, private=True)
        _copy_modified_time(ours, source)
        over = folder == folders.replays() and ours.parent == folders.matches()
        target = move_to_replays(ours) if over else ours
    else:
        digest = sha256(_content_without_lock(content)).hexdigest()[:DIGEST_DIGITS]
        target = target.with_stem(f"{target.stem}-{digest}")
        if target.exists():
            what = ImportOutcome.KNOWN
        else:
            fresh.add(source, target)
    _import_companions(source, target, fresh)
    return what


def preview_import(source: Path, folder: Path, key: bytes | None = None) -> ImportOutcome:
    """What would become of a match that is taken into a folder. Raises as `import_match`."""
    ours = folder / source.name
    content = relock_content(_read_match_file(source), source.name, key)
    return _compare(content, ours) if ours.exists() else ImportOutcome.NEW


def relock_content(content: bytes, name: str, key: bytes | None) -> bytes:
    """The content of a match's file that this computer opens; unchanged where another computer's
    `key` has not locked it.

    Raises:
        StorageError: this computer can keep no key.
    """
    if key is None or content.count(b"\n") > MAX_RECORD_LINES:
        return content
    *lines, torn = content.split(b"\n")
    if not lines:
        return content
    try:
        sealing = decode_header(lines[0], name).sealing
        if not isinstance(sealing, Sealing):
            return content
        fresh = msgspec.json.encode(seal.relock_key(sealing.key, key))
    except (BadFile, seal.WrongKey):
        return content
    first = lines[0].replace(msgspec.json.encode(sealing.key), fresh, 1)
    return b"".join(rechain_lines(lines, first)) + torn


def contains_record(whole: Record, part: Record) -> bool:
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


def _compare(content: bytes, path: Path) -> ImportOutcome:
    """What is to become of a match of which a file of the same name is here."""
    known = _read_match_file(path)
    if _content_without_lock(known) == _content_without_lock(content):
        return ImportOutcome.KNOWN
    try:
        ours, theirs = _parse(path, known), _parse(path, content)
    except BadFile:
        return ImportOutcome.DIVERGED
    if contains_record(ours, theirs):
        return ImportOutcome.KNOWN
    return ImportOutcome.EXTENDED if contains_record(theirs, ours) else ImportOutcome.DIVERGED


def _parse(path: Path, content: bytes) -> Record:
    """
    Raises:
        BadFile: it can't be read.
    """
    if content.count(b"\n") > MAX_RECORD_LINES:
        raise damaged_line_error(path.name, 0)
    *lines, torn = content.split(b"\n")
    return parse(path, lines or [b""], bool(torn))


def _content_without_lock(content: bytes) -> bytes:
    """A record's content by which two copies are the same, whoever has locked them."""
    if content.count(b"\n") > MAX_RECORD_LINES:
        return content
    first, _, rest = content.partition(b"\n")
    with suppress(BadFile):
        head = decode_header(first, "")
        if isinstance(head.sealing, Sealing):
            unlocked = replace(head, sealing=replace(head.sealing, key=""))
            lines = [line for line in rest.split(b"\n") if line]
            return b"\n".join([msgspec.json.encode(unlocked), *map(strip_digest, lines)])
    return content


def _read_match_file(path: Path) -> bytes:
    try:
        return read_regular(path, MAX_RECORD_BYTES)
    except OSError as error:
        raise read_error(error, path.name) from error


def _rewrite_keeping_time(path: Path, content: bytes) -> None:
    try:
        before = path.stat()
        path.write_bytes(content)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    except OSError as error:
        raise write_error(error, path.name) from error


def _copy_modified_time(target: Path, source: Path) -> None:
    with suppress(OSError):
        changed = source.stat().st_mtime
        os.utime(target, (changed, changed))


def _import_companions(source: Path, target: Path, fresh: NewFiles) -> None:
    """Take in what is beside a match; pictures and findings can be made again, so those that are
    here stay."""
    import_notes(playtest_notes.notes_path(source), playtest_notes.notes_path(target), fresh)
    for name in (picture_path, review_file.findings_path):
        theirs, ours = name(source), name(target)
        if theirs.is_file() and not ours.exists():
            fresh.add(theirs, ours)


def import_notes(source: Path, target: Path, fresh: NewFiles) -> None:
    """Add the notes in `source` to those in `target`. If `target` doesn't exist, rewrite `source`
    as a file of this computer and add it to `fresh`.

    Raises:
        StorageError: they cannot be read or written, or are too many together.
    """
    if not source.is_file():
        return
    notes = playtest_notes.notes(source, playtest_notes.FOREIGN_BROKEN)
    if not notes:
        return
    if not target.exists():
        _rewrite_keeping_time(source, playtest_notes.encode_notes(notes))
        fresh.add(source, target)
    elif not set(notes) <= set(playtest_notes.notes(target)):
        playtest_notes.add(target, *notes)
