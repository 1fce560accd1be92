"""Imports matches from another data folder without losing or duplicating any.

A match that was continued on one computer is extended. A match that was continued on both computers
is kept as two matches.
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
from tabletop.storage.record_lines import Sealing, damaged_line_error, decode_header, split_lines
from tabletop.storage.saved_matches import move_to_replays, picture_path

DIGEST_DIGITS = 6
"""The number of hex digits added to the file name of a match's second copy."""


class ImportOutcome(Enum):
    """The possible results of importing a match."""

    NEW = auto()
    """This computer didn't have the match."""
    KNOWN = auto()
    """This computer already has the complete match."""
    EXTENDED = auto()
    """The match was continued on the other computer, and is extended here."""
    DIVERGED = auto()
    """The match was continued on both computers, and is kept as two matches."""


def import_match(
    source: Path,
    folder: Path,
    new_files: NewFiles,
    key: bytes | None = None,
    elsewhere: Sequence[Path] = (),
) -> ImportOutcome:
    """Import the match at `source` into `folder`, with its picture, notes and findings.

    Args:
        source: the other computer's file, which may be modified.
        new_files: collects the new files until its `commit` is called.
        key: the other computer's key, if it differs from this computer's.
        elsewhere: other folders that may contain a file of the same name.

    Raises:
        StorageError: a file can't be read or written, or is open in another window.
    """
    theirs, target = _read_match_file(source), folder / source.name
    content = relock_content(theirs, source.name, key)
    if content != theirs:
        _rewrite_keeping_time(source, content)
    ours = next((p for each in (folder, *elsewhere) if (p := each / source.name).exists()), None)
    what = ImportOutcome.NEW if ours is None else _compare(content, ours)
    if ours is None:
        new_files.add(source, target)
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
            new_files.add(source, target)
    _import_companions(source, target, new_files)
    return what


def preview_import(source: Path, folder: Path, key: bytes | None = None) -> ImportOutcome:
    """Return the outcome of importing the match at `source` into `folder`, without importing it.

    Raises:
        StorageError: a file can't be read.
    """
    ours = folder / source.name
    content = relock_content(_read_match_file(source), source.name, key)
    return _compare(content, ours) if ours.exists() else ImportOutcome.NEW


def relock_content(content: bytes, name: str, key: bytes | None) -> bytes:
    """Return a record's content with its key encrypted for this computer.

    The content is returned unchanged if it isn't sealed with the other computer's `key`.

    Raises:
        StorageError: this computer can't store its key.
    """
    if key is None or content.count(b"\n") > MAX_RECORD_LINES:
        return content
    lines, torn = split_lines(content)
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
    """Return whether the record `whole` contains everything in `part`."""
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
    """Return the outcome of importing `content` when `path` already exists."""
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
    """Return the record in `content`.

    Raises:
        BadFile: the record is damaged or too large.
    """
    if content.count(b"\n") > MAX_RECORD_LINES:
        raise damaged_line_error(path.name, 0)
    lines, torn = split_lines(content)
    return parse(path, lines, bool(torn))


def _content_without_lock(content: bytes) -> bytes:
    """Return `content` without its encrypted key and digests, which differ between computers."""
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


def _import_companions(source: Path, target: Path, new_files: NewFiles) -> None:
    """Import the notes, picture and findings of a match.

    An existing picture or findings file isn't replaced.
    """
    import_notes(playtest_notes.notes_path(source), playtest_notes.notes_path(target), new_files)
    for name in (picture_path, review_file.findings_path):
        theirs, ours = name(source), name(target)
        if theirs.is_file() and not ours.exists():
            new_files.add(theirs, ours)


def import_notes(source: Path, target: Path, new_files: NewFiles) -> None:
    """Add the notes in `source` to the notes in `target`.

    If `target` doesn't exist, rewrite `source` in this version's format and add it to `new_files`.

    Raises:
        StorageError: a file can't be read or written, or there are too many notes.
    """
    if not source.is_file():
        return
    notes = playtest_notes.notes(source, playtest_notes.FOREIGN_DAMAGED_NOTICE)
    if not notes:
        return
    if not target.exists():
        _rewrite_keeping_time(source, playtest_notes.encode_notes(notes))
        new_files.add(source, target)
    elif not set(notes) <= set(playtest_notes.notes(target)):
        playtest_notes.add(target, *notes)
