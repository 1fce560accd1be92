"""The matches of this computer: beginning, continuing, finishing, deleting and restoring them."""

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
from tabletop.storage.record_lines import End, Header, RecordLine, decode_header, end_of
from tabletop.storage.salvage import salvage_record
from tabletop.storage.save_summaries import KnownSummary, SaveSummary
from tabletop.text.phrases import phrase

GAME_CHANGED_NOTICE = phrase(
    "“{game}” has changed since this match began. The moves so far give the same table as they did."
)
PICTURE_SUFFIX = ".png"
MAX_FINISH_BYTES = 64 * KIB
MAX_REPLAYS_PER_BATCH = 60
"""Replays that are listed together."""
INDEX_BATCH_SIZE = 200
"""Replays that are put into the index together, while more are read."""
JOURNAL_PROTECTIONS = ("curtain", "sealed")
"""The protection of a journal; a record that was written at the end has none."""
ONE_DAY = timedelta(days=1)


class SavedMatch(Struct, frozen=True):
    """A match on the disk, as listed."""

    path: Path
    header: Header
    """Without its seed."""
    summary: SaveSummary
    changed: datetime
    """When the last move was made, in UTC; as far as the file's date can be believed."""
    picture: Path | None
    """A picture of the table, where a screen has left one at `picture_path(path)`."""

    @property
    def name(self) -> str:
        """Its name, if somebody has given it one."""
        return self.summary.name

    @property
    def view(self) -> State:
        """Its table as the audience sees it: `Words.heading(view)`."""
        return self.summary.view

    @property
    def game(self) -> str:
        return self.header.game

    @property
    def players(self) -> tuple[Player, ...]:
        return self.header.players


class SavedReplay(Struct, frozen=True):
    """A finished match on the disk, as listed."""

    path: Path
    header: Header
    """Without its secrets."""
    end: End
    changed: datetime
    """The time when it was played, in UTC."""
    name: str = ""


T = TypeVar("T")
Listed = TypeVar("Listed", SavedMatch, SavedReplay)


class ReplayBatch(Struct, frozen=True):
    """Finished matches that became known together, and what is wrong with files among them."""

    kept: tuple[SavedReplay, ...] = ()
    unreadable: tuple[BadFile, ...] = ()


class _IndexedReplay(Struct, frozen=True):
    """What the index keeps of a file among the replays."""

    header: Header
    """Without secrets: no list needs them."""
    end: End | None
    """None if the match isn't finished."""
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
    """Begin a match with a journal among the unfinished ones, at `match.journal.path`; `keep` has
    the game kept as it is.

    Raises:
        StorageError: the journal cannot be written.
    """
    head = new_header(kit, players, options, seed, languages)
    match = Match(kit, players, head.options, head.seed)
    path = _new_match_path(kit.id)
    head = seal_header(head) if needs_seal(players) else head
    match.journal = begin_journal(path, head, match.plies[0].events)
    keep(kit)
    return match


def branch(record: Record, entries: int, players: tuple[Player, ...]) -> Match:
    """Begin a match from within a record, after this many of its entries: the same seed, so the
    same chance for the same moves, but players of its own.

    Raises:
        BadFile: these rules cannot play on there.
        StorageError: the journal cannot be written.
    """
    play_on_requested = replace(
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
    replay(play_on_requested)  # check that it can be continued before making a file
    return import_match_record(play_on_requested, _new_match_path(record.header.game))


def import_match_record(record: Record, path: Path) -> Match:
    """Continue a match that was started elsewhere, in a file of its own. A refused one leaves no
    file behind.

    Raises:
        BadFile: these rules cannot play it on.
        StorageError: the journal cannot be written, or the file exists already.
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


def resume(path: Path, tell: Callable[[Reason], object] | None = None) -> Match:
    """Continue the match of a journal, recorded further there; `tell` is called with what was
    unknown in it and replaced.

    Raises:
        BadFile: the file holds no match that can be played on.
        StorageError: the journal cannot be written any more, or is in another window.
    """
    try:
        journal = JournalFile(path)  # open it first, so that nobody appends to what is read
    except StorageError:
        read(path)  # the file's error matters more than the refused write
        raise
    try:
        record = read(path)
        match = replay(record)
    except BaseException:
        journal.close()
        raise
    match.journal = journal
    if tell is not None and record.unknown is not None:
        tell(record.unknown)
    kit = match.kit
    if tell is not None and record.header.may_differ_from(kit):
        tell(Reason(GAME_CHANGED_NOTICE, {"game": kit.box.title}))
    return match


def unfinished_matches() -> tuple[tuple[SavedMatch, ...], tuple[BadFile, ...]]:
    """The matches to be continued, the last played first, and what is wrong with each file among
    them that cannot be: of each one, or of the folder."""
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
    """The finished matches that were kept, the last played first, and what is wrong with each file
    among them that cannot be read: of each one, or of the folder."""
    pages = list(iter_replay_batches())
    kept = [each for page in pages for each in page.kept]
    unreadable = sorted(
        (each for page in pages for each in page.unreadable), key=lambda error: str(error.path)
    )
    return tuple(sorted(kept, key=sort_key, reverse=True)), tuple(unreadable)


def iter_replay_batches() -> Iterator[ReplayBatch]:
    """Yield the finished matches that were kept as they become known: first those that the index
    knows, the last played first, at most `MAX_REPLAYS_PER_BATCH` together; then one by one those that must be
    read, the last written first."""
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
    """Read these files one by one, and put into the index what was read, in the end and when the
    caller stops."""
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
    """One finished match as `finished_matches` lists it; None where it is not finished.

    Raises:
        BadFile: it cannot be read.
        OSError: the file cannot be reached.
    """
    fresh: list[IndexEntry[_IndexedReplay]] = []
    kept = _read_finished(path, fresh)
    _replay_index.insert(fresh)
    return kept


def sweep_index() -> None:
    """Forget what the index knows of files that are gone. A folder that can't be looked into keeps
    its entries."""
    with suppress(OSError):
        save_summaries.delete_other_summaries(_records_in(folders.matches()))
    with suppress(OSError):
        _replay_index.delete_others(_records_in(folders.replays()))


def sort_key(each: SavedMatch | SavedReplay) -> tuple[datetime, Path]:
    """The key by which listed matches are sorted, the first played first."""
    return each.changed, each.path


def move_to_replays(path: Path) -> Path:
    """Move a finished match to the replays, open for everybody; return its path.

    Raises:
        StorageError: it cannot be moved, or is played on in another window.
    """
    with suppress(BadFile):  # files of other kinds are moved as they are
        _rewrite_with_end(path)
    return _move_match(path, folders.replays())


def _rewrite_with_end(path: Path) -> None:
    """Write a finished match again with a header that says so: a file that lacks its last lines is
    no unfinished match then. One whose header names something unknown here is left as it is.

    Raises:
        BadFile: it cannot be read.
        StorageError: it cannot be written, or is played on in another window.
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
    """Save a finished match that was recorded elsewhere among the replays; return its path. A file
    that is there already stays as it is.

    Raises:
        StorageError: it cannot be written.
    """
    path = _replay_copy_path(match.kit.id, match.seed)
    if not path.exists():
        save_as(match, path)
    return path


def save_downloaded_replay(record: Record) -> Path:
    """Save the record of a finished match that was played elsewhere among the replays, as
    `save_replay_copy` does."""
    path = _replay_copy_path(record.header.game, record.header.seed)
    if not path.exists():
        save(record, path)
    return path


def _replay_copy_path(game: str, seed: str) -> Path:
    """The path of a match that was recorded elsewhere: the same for each copy of it."""
    return folders.replays() / f"{game}-{sha256(seed.encode()).hexdigest()[:16]}{SUFFIX}"


def rename(path: Path, name: str) -> None:
    """Name a match; without a name it's called by its game and players.

    Raises:
        BadFile: there is no match.
        StorageError: it cannot be written.
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
    """Move a match to the trash; return its path there, for `restore_match`.

    Raises:
        StorageError: it cannot be moved, or is played on in another window.
    """
    return _move_match(path, folders.trash() / date.today().isoformat())


def restore_match(path: Path, folder: Path | None = None) -> Path:
    """Move a match out of the trash or from among the replays, to the unfinished ones or another
    folder; return its path.

    Raises:
        StorageError: it cannot be moved.
    """
    return _move_match(path, folder or folders.matches())


def move_ended_to_replays() -> None:
    """Once at start: keep what was finished when the program died. Files that the disk refuses, or
    another window has, stay as they are."""
    paths = unfinished_match_files()
    known = save_summaries.find_known_summaries(folders.matches(), paths)
    for path in paths:
        with suppress(Exception):  # `unfinished_matches` says what is wrong with it
            if _is_finished(path, known.get(path)):
                move_to_replays(path)


def unfinished_match_files() -> list[Path]:
    """The files of unfinished matches; none where their folder cannot be looked into."""
    try:
        return _records_in(folders.matches())
    except OSError:
        return []


def picture_path(path: Path) -> Path:
    """The path of the picture of this match's table."""
    return path.with_suffix(PICTURE_SUFFIX)


def _new_match_path(game: str) -> Path:
    moment = f"{datetime.now(UTC):%Y%m%d-%H%M%S}"
    return folders.matches() / f"{game}-{moment}-{secrets.token_hex(3)}{SUFFIX}"


def _records_in(folder: Path) -> list[Path]:
    """The records in a folder, which need not be there.

    Raises:
        OSError: it cannot be looked into.
    """
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == SUFFIX)
    except FileNotFoundError:
        return []


def _read_or_error(
    read: Callable[[Path, T], Listed | None], path: Path, more: T
) -> Listed | BadFile | None:
    """Return what `read` makes of a record, or what is wrong with it; None if it's gone."""
    try:
        return read(path, more)
    except BadFile as error:
        error.path = path
        return error
    except FileNotFoundError:  # the file has just been removed
        return None
    except Exception as error:  # one odd file must not keep the others from being listed
        bad = bad_file_error(error, path.name)
        bad.path = path
        return bad


def _modified_or_zero(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0


def _read_unfinished(path: Path, known: KnownSummary | None) -> SavedMatch | None:
    """The unfinished match of a file; None where it is finished."""
    changed = modified_time(path)
    head, summary = _load_summary(path, known)
    if summary.decided:
        return None
    # every copy of the record has this date
    if summary.moved and int(changed.timestamp()) != summary.moved:
        changed = time_from_unix(summary.moved) or changed
    if changed > datetime.now(UTC) + ONE_DAY:  # a date in the future is not that of this match
        changed = valid_time(head.created) or changed
    picture = picture_path(path)
    shown = picture if picture.is_file() else None
    return SavedMatch(path, head, summary, changed, shown)


def _load_summary(path: Path, known: KnownSummary | None) -> tuple[Header, SaveSummary]:
    return (known.header, known.summary) if known is not None else save_summaries.read_summary(path)


def _read_finished(path: Path, fresh: list[IndexEntry[_IndexedReplay]]) -> SavedReplay | None:
    """Read a finished match; None where it is not finished. What the index should know of it is
    added to `fresh`."""
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
    """A finished match by its first line and its last ones, as long as these suffice."""
    lines = read_content(path).split(b"\n")[:-1] or [b""]
    head, name, end, key = decode_header(lines[0], path.name), None, None, ""
    for before, line in reversed(tuple(pairwise(lines))):
        if check_digest(line, before) is False:
            end = None  # the good part of the file says so
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
    """When a finished match was played: its header knows that in every copy of the file."""
    return valid_time(head.created) or modified_time(path)


def _set_modified_time(path: Path, changed: float) -> None:
    """Set a file's date to that of its last move."""
    with suppress(OSError):
        os.utime(path, (changed, changed))


def _move_match(path: Path, folder: Path) -> Path:
    """Move a match, its picture, and the notes and findings on it to a folder; one of the same name
    there is not overwritten.

    Raises:
        StorageError: it cannot be moved, or is played on in another window.
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
