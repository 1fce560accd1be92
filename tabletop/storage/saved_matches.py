"""The matches saved on this computer: begin, resume, finish, list, delete and restore them."""

import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Reason, State, Value
from tabletop.files import folders
from tabletop.files.atomic_write import make_folder, move_file, write_atomically, write_new
from tabletop.files.errors import BadFile, Damaged, StorageError, bad_file_error, write_error
from tabletop.files.regular_file import KIB
from tabletop.files.shared_decoders import msgpack_decoder
from tabletop.match.match import Match, Player
from tabletop.storage import playtest_notes, review_file, save_summaries
from tabletop.storage.journal import JournalFile, begin_journal, lock_match_file
from tabletop.storage.line_digests import check_digest
from tabletop.storage.match_dates import modified_time, time_from_unix, valid_time
from tabletop.storage.plies import plies
from tabletop.storage.record import (
    SUFFIX,
    Record,
    needs_seal,
    new_header,
    read,
    read_content,
    replay,
    save,
    save_as,
    seal_header,
    store_game_version,
    to_bytes,
)
from tabletop.storage.record_index import IndexEntry, IndexPart, stamp_of
from tabletop.storage.record_lines import (
    End,
    Header,
    RecordLine,
    decode_header,
    end_of,
    split_lines,
)
from tabletop.storage.salvage import salvage_record
from tabletop.storage.save_summaries import KnownSummary, SaveSummary
from tabletop.text.phrases import phrase

GAME_CHANGED_NOTICE = phrase(
    "“{game}” has changed since this match began. The moves so far give the same table as they did."
)
"""The notice shown when a match is resumed after its game's folder has changed."""
PICTURE_SUFFIX = ".png"
MAX_FINISH_BYTES = 64 * KIB
"""The maximum size of an index entry for a replay."""
MAX_REPLAYS_PER_BATCH = 60
"""The maximum number of indexed replays in a batch."""
INDEX_BATCH_SIZE = 200
"""The number of newly read replays after which the index is updated."""
JOURNAL_PROTECTIONS = ("curtain", "sealed")
"""The values of `Header.hidden` in journals; records of finished matches have other values."""
ONE_DAY = timedelta(days=1)


class SavedMatch(Struct, frozen=True):
    """An unfinished match on disk, with the data that a list shows."""

    path: Path
    header: Header
    """The header without its seed."""
    summary: SaveSummary
    changed: datetime
    """When the last move was made, in UTC.

    It comes from the closing mark or the file's modification time.
    """
    picture: Path | None
    """The screenshot of the table; None if there is none."""

    @property
    def name(self) -> str:
        """The name that the user gave the match; "" if none."""
        return self.summary.name

    @property
    def view(self) -> State:
        """The current table as the audience sees it, for `Words.heading(view)`."""
        return self.summary.view

    @property
    def game(self) -> str:
        return self.header.game

    @property
    def players(self) -> tuple[Player, ...]:
        return self.header.players


class SavedReplay(Struct, frozen=True):
    """A finished match on disk, with the data that a list shows."""

    path: Path
    header: Header
    """The header without its seed and keys."""
    end: End
    changed: datetime
    """When the match was played, in UTC."""
    name: str = ""
    """The name that the user gave the match; "" if none."""


T = TypeVar("T")
Listed = TypeVar("Listed", SavedMatch, SavedReplay)


class ReplayBatch(Struct, frozen=True):
    """Some of the finished matches, and the errors of replays that can't be read."""

    kept: tuple[SavedReplay, ...] = ()
    unreadable: tuple[BadFile, ...] = ()


class _IndexedReplay(Struct, frozen=True):
    """The data that the index stores about a file in the replays folder."""

    header: Header
    """The header without its seed and keys."""
    end: End | None
    """The end of the match; None if it isn't finished."""
    name: str


_replay_index = IndexPart("finish", msgpack_decoder(_IndexedReplay), MAX_FINISH_BYTES)


def begin(
    kit: GameKit,
    players: tuple[Player, ...],
    options: dict[str, Value] | None = None,
    seed: str | None = None,
    languages: tuple[str, ...] = (),
    keep: Callable[[GameKit], object] = store_game_version,
) -> Match:
    """Begin a match with a new journal in the matches folder.

    `keep`: called to store the current version of the game.

    Raises:
        StorageError: the journal can't be written.
    """
    head = new_header(kit, players, options, seed, languages)
    match = Match(kit, players, head.options, head.seed)
    path = _new_match_path(kit.id)
    head = seal_header(head) if needs_seal(players) else head
    match.journal = begin_journal(path, head, match.plies[0].events)
    keep(kit)
    return match


def branch(record: Record, entries: int, players: tuple[Player, ...]) -> Match:
    """Begin a match with new `players` from a position of `record`.

    The new match has the same seed, so the same moves lead to the same random numbers. `entries`:
    the number of entries before the position.

    Raises:
        BadFile: the installed rules can't replay the entries.
        StorageError: the journal can't be written.
    """
    branched = replace(
        record,
        header=replace(record.header, players=players, created=datetime.now(UTC)),
        entries=record.entries[:entries],
        lines=record.lines[:entries],
        events=record.events[:entries],
        stand_ins=(),
        comments={},
        name="",
        end=None,
        fair=None,
    )
    replay(branched)  # check before creating a file
    return import_match_record(branched, _new_match_path(record.header.game))


def import_match_record(record: Record, path: Path) -> Match:
    """Write `record` to a new file at `path` and resume its match.

    The file is deleted again if the match can't be resumed.

    Raises:
        BadFile: the installed rules can't replay the record.
        StorageError: the file can't be written, or exists already.
    """
    write_new(path, to_bytes(record))
    try:
        match = resume(path)
        store_game_version(match.kit)
        return match
    except (BadFile, StorageError):
        with suppress(OSError):
            path.unlink()
        raise


def resume(path: Path, notify: Callable[[Reason], object] | None = None) -> Match:
    """Resume the match in the journal at `path`, which records its further entries too.

    `notify`: called with notices about unknown header values or a changed game.

    Raises:
        BadFile: the file isn't a record that can be continued.
        StorageError: the journal can't be written, or is open in another window.
    """
    try:
        journal = JournalFile(path)  # lock it first, so that no other window appends to it
    except StorageError:
        read(path)  # an error of reading the file is more helpful
        raise
    try:
        record = read(path)
        match = replay(record)
    except BaseException:
        journal.close()
        raise
    match.journal = journal
    if notify is not None and record.unknown is not None:
        notify(record.unknown)
    kit = match.kit
    if notify is not None and record.header.may_differ_from(kit):
        notify(Reason(GAME_CHANGED_NOTICE, {"game": kit.box.title}))
    return match


def unfinished_matches() -> tuple[tuple[SavedMatch, ...], tuple[BadFile, ...]]:
    """Return the unfinished matches, latest first, and the errors of unreadable files."""
    folder = folders.matches()
    try:
        paths = _records_in(folder)
    except OSError as error:
        return (), (bad_file_error(error, folder.name),)
    known = save_summaries.find_known_summaries(folder, paths)
    page = [_read_or_error(_read_unfinished, path, known.get(path)) for path in paths]
    matches = sorted(
        (each for each in page if isinstance(each, SavedMatch)), key=sort_key, reverse=True
    )
    return tuple(matches), tuple(each for each in page if isinstance(each, BadFile))


def finished_matches() -> tuple[tuple[SavedReplay, ...], tuple[BadFile, ...]]:
    """Return the finished matches, latest first, and the errors of unreadable files."""
    pages = list(iter_replay_batches())
    kept = [each for page in pages for each in page.kept]
    unreadable = sorted(
        (each for page in pages for each in page.unreadable), key=lambda error: str(error.path)
    )
    return tuple(sorted(kept, key=sort_key, reverse=True)), tuple(unreadable)


def iter_replay_batches() -> Iterator[ReplayBatch]:
    """Yield the finished matches in batches, indexed ones first.

    Indexed matches come most recently played first. The others must be read from their files; they
    follow one by one, most recently written first.
    """
    folder = folders.replays()
    try:
        paths = _records_in(folder)
    except OSError as error:
        yield ReplayBatch(unreadable=(bad_file_error(error, folder.name),))
        return
    known = _replay_index.find_all(folder, paths)
    listed = [_read_or_error(_to_replay, path, finish) for path, finish in known.items()]
    kept = sorted(
        (each for each in listed if isinstance(each, SavedReplay)), key=sort_key, reverse=True
    )
    for start in range(0, len(kept), MAX_REPLAYS_PER_BATCH):
        yield ReplayBatch(tuple(kept[start : start + MAX_REPLAYS_PER_BATCH]))
    bad = tuple(each for each in listed if isinstance(each, BadFile))
    if bad:
        yield ReplayBatch(unreadable=bad)
    yield from _read_replay_batches(
        sorted(set(paths) - known.keys(), key=_modified_or_zero, reverse=True)
    )


def _read_replay_batches(paths: Sequence[Path]) -> Iterator[ReplayBatch]:
    """Read the files one by one, and add them to the index even if the caller stops early."""
    fresh: list[IndexEntry[_IndexedReplay]] = []
    try:
        for path in paths:
            match _read_or_error(_read_finished, path, fresh):
                case SavedReplay() as kept:
                    yield ReplayBatch((kept,))
                case BadFile() as error:
                    yield ReplayBatch(unreadable=(error,))
            if len(fresh) >= INDEX_BATCH_SIZE:
                _replay_index.insert(fresh)
                fresh.clear()
    finally:
        _replay_index.insert(fresh)


def read_finished_match(path: Path) -> SavedReplay | None:
    """Return the finished match at `path`, as in a list; None if the match isn't finished.

    Raises:
        BadFile: the record can't be read.
        OSError: the file doesn't exist or can't be accessed.
    """
    fresh: list[IndexEntry[_IndexedReplay]] = []
    kept = _read_finished(path, fresh)
    _replay_index.insert(fresh)
    return kept


def sweep_index() -> None:
    """Delete the index entries of files that no longer exist.

    If a folder can't be listed, its entries are kept.
    """
    with suppress(OSError):
        save_summaries.delete_other_summaries(_records_in(folders.matches()))
    with suppress(OSError):
        _replay_index.delete_others(_records_in(folders.replays()))


def sort_key(each: SavedMatch | SavedReplay) -> tuple[datetime, Path]:
    """Return the sort key of a listed match: when it was played, then its path."""
    return each.changed, each.path


def move_to_replays(path: Path) -> Path:
    """Move a finished match to the replays folder, unencrypted, and return its new path.

    Raises:
        StorageError: the file can't be moved, or is open in another window.
    """
    with suppress(BadFile):  # files of other kinds are moved as they are
        _rewrite_with_end(path)
    return _move_match(path, folders.replays())


def _rewrite_with_end(path: Path) -> None:
    """Rewrite the record of a finished match with its end, unencrypted.

    The new header has `hidden="open"`, so that a truncated copy isn't mistaken for an unfinished
    match. A record with unknown header values is left unchanged.

    Raises:
        BadFile: the record can't be read.
        StorageError: the file can't be written, or is open in another window.
    """
    try:
        changed = path.stat().st_mtime
    except OSError as error:
        raise write_error(error, path.name) from error
    with lock_match_file(path):
        record = read(path)
        end = _find_end(record)
        if (
            end is not None
            and record.unknown is None
            and record.header.hidden in JOURNAL_PROTECTIONS
        ):
            write_atomically(path, to_bytes(replace(record, end=end)), private=True)
            _set_modified_time(path, changed)


def save_replay_copy(match: Match) -> Path:
    """Save a finished match that another computer has recorded to the replays folder.

    Return its path. An existing copy is left unchanged.

    Raises:
        StorageError: the file can't be written.
    """
    path = _replay_copy_path(match.kit.id, match.seed)
    if not path.exists():
        save_as(match, path)
    return path


def save_downloaded_replay(record: Record) -> Path:
    """Save the downloaded record of a finished match to the replays folder, and return its path.

    An existing copy is left unchanged.

    Raises:
        StorageError: the file can't be written.
    """
    path = _replay_copy_path(record.header.game, record.header.seed)
    if not path.exists():
        save(record, path)
    return path


def _replay_copy_path(game: str, seed: str) -> Path:
    """Return the path for a replay recorded elsewhere, the same for all copies of a match."""
    return folders.replays() / f"{game}-{sha256(seed.encode()).hexdigest()[:16]}{SUFFIX}"


def rename(path: Path, name: str) -> None:
    """Set the name of a match; "" restores the default name, made from the game and the players.

    Raises:
        BadFile: the file isn't a record.
        StorageError: the file can't be written.
    """
    try:
        changed = path.stat().st_mtime
    except OSError as error:
        raise write_error(error, path.name) from error
    with save_summaries.preserve_summary(path, name):
        journal = JournalFile(path)
        try:
            marked = journal.has_closing_mark
            journal.write_name(name)
            if marked:
                journal.write_closing_mark()
        finally:
            journal.close()
        _set_modified_time(path, changed)


def move_to_trash(path: Path) -> Path:
    """Move a match to the trash, and return its path there, for `restore_match`.

    Raises:
        StorageError: the file can't be moved, or is open in another window.
    """
    return _move_match(path, folders.trash() / date.today().isoformat())


def restore_match(path: Path, folder: Path | None = None) -> Path:
    """Move a match from the trash or the replays to `folder`, and return its new path.

    `folder`: the matches folder by default.

    Raises:
        StorageError: the file can't be moved.
    """
    return _move_match(path, folder or folders.matches())


def move_ended_to_replays() -> None:
    """Move finished matches that are still in the matches folder after a crash to the replays.

    Call this at startup. Files that can't be moved stay where they are.
    """
    paths = unfinished_match_files()
    known = save_summaries.find_known_summaries(folders.matches(), paths)
    for path in paths:
        with suppress(Exception):  # `unfinished_matches` reports the error
            if _is_finished(path, known.get(path)):
                move_to_replays(path)


def unfinished_match_files() -> list[Path]:
    """Return the record files in the matches folder; an empty list if the folder can't be read."""
    try:
        return _records_in(folders.matches())
    except OSError:
        return []


def picture_path(path: Path) -> Path:
    """Return the path of the screenshot that belongs to the match at `path`."""
    return path.with_suffix(PICTURE_SUFFIX)


def _new_match_path(game: str) -> Path:
    moment = f"{datetime.now(UTC):%Y%m%d-%H%M%S}"
    return folders.matches() / f"{game}-{moment}-{secrets.token_hex(3)}{SUFFIX}"


def _records_in(folder: Path) -> list[Path]:
    """Return the record files in `folder`, sorted; an empty list if the folder doesn't exist.

    Raises:
        OSError: the folder can't be listed.
    """
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == SUFFIX)
    except FileNotFoundError:
        return []


def _read_or_error(
    read: Callable[[Path, T], Listed | None], path: Path, more: T
) -> Listed | BadFile | None:
    """Return `read(path, more)`, or any error as a `BadFile`.

    Return None if the file has been deleted in the meantime.
    """
    try:
        return read(path, more)
    except BadFile as error:
        error.path = path
        return error
    except FileNotFoundError:  # the file was deleted meanwhile
        return None
    except Exception as error:  # one invalid file must not hide the others
        bad = bad_file_error(error, path.name)
        bad.path = path
        return bad


def _modified_or_zero(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0


def _read_unfinished(path: Path, known: KnownSummary | None) -> SavedMatch | None:
    """Return the unfinished match at `path`; None if it is finished."""
    changed = modified_time(path)
    head, summary = _load_summary(path, known)
    if summary.decided:
        return None
    # a copied file may have another modification time
    if summary.moved and int(changed.timestamp()) != summary.moved:
        changed = time_from_unix(summary.moved) or changed
    if changed > datetime.now(UTC) + ONE_DAY:  # the clock was wrong
        changed = valid_time(head.created) or changed
    picture = picture_path(path)
    shown = picture if picture.is_file() else None
    return SavedMatch(path, head, summary, changed, shown)


def _load_summary(path: Path, known: KnownSummary | None) -> tuple[Header, SaveSummary]:
    return (known.header, known.summary) if known is not None else save_summaries.read_summary(path)


def _read_finished(path: Path, fresh: list[IndexEntry[_IndexedReplay]]) -> SavedReplay | None:
    """Return the finished match at `path`; None if the match isn't finished.

    Append its index entry to `fresh`.
    """
    stamp = stamp_of(path)
    finish = _read_replay_ends(path)
    if stamp is not None:
        fresh.append(IndexEntry(path, stamp, finish, finish.header.hidden == "sealed"))
    return _to_replay(path, finish)


def _to_replay(path: Path, finish: _IndexedReplay) -> SavedReplay | None:
    if finish.end is None:
        return None
    changed = _played_at(path, finish.header)
    return SavedReplay(path, finish.header, finish.end, changed, finish.name)


def _read_replay_ends(path: Path) -> _IndexedReplay:
    """Return the index data of a replay, read from its first and last lines.

    Read the whole file only if these lines don't suffice.
    """
    lines, _ = split_lines(read_content(path))
    head, name, end, key = decode_header(lines[0], path.name), None, None, ""
    for before, line in reversed(tuple(pairwise(lines))):
        if check_digest(line, before) is False:
            end = None  # only the valid part of the file counts
            break
        try:
            decoded = msgspec.json.decode(line, type=RecordLine)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            break
        if decoded.comment is None and decoded.name is None and decoded.end is None:
            break
        name = decoded.name if name is None else name
        end, key = end or decoded.end, key or decoded.key
    if (
        end is None
        or not end.is_valid_for(len(head.players))
        or (head.hidden == "sealed" and not key)
    ):
        record = salvage_record(path)
        end = _find_end(record)
        if end is None and record.broken is not None:
            raise Damaged(record.broken.text, **record.broken.args)
    return _IndexedReplay(replace(head, seed="", sealing=UNSET), end, name or "")


def _is_finished(path: Path, known: KnownSummary | None) -> bool:
    _, summary = _load_summary(path, known)
    return summary.ended or summary.decided


def _find_end(record: Record) -> End | None:
    if record.end is not None:
        return record.end
    result = plies(record)[-1].state.result
    return end_of(result) if result else None


def _played_at(path: Path, head: Header) -> datetime:
    """Return when a match was played: the date in its header, or else the modification time."""
    return valid_time(head.created) or modified_time(path)


def _set_modified_time(path: Path, changed: float) -> None:
    """Set the modification time of a file, in seconds of Unix time."""
    with suppress(OSError):
        os.utime(path, (changed, changed))


def _move_match(path: Path, folder: Path) -> Path:
    """Move a match and its picture, notes and findings to `folder`, and return its new path.

    An existing file is never overwritten.

    Raises:
        StorageError: the file can't be moved, or is open in another window.
    """
    target = folder / path.name
    picture = picture_path(path)
    try:
        while target.exists():
            target = target.with_stem(f"{path.stem}-{secrets.token_hex(2)}")
        with lock_match_file(path):
            make_folder(folder)
            move_file(path, target)
        if picture.is_file():
            move_file(picture, picture_path(target))
        playtest_notes.move_notes(
            playtest_notes.notes_path(path), playtest_notes.notes_path(target)
        )
        review_file.move_findings(path, target)
    except OSError as error:
        raise write_error(error, path.name) from error
    return target
