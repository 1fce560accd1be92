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
from tabletop.files.atomic_write import make_folder, move, write_new, write_whole
from tabletop.files.errors import BadFile, Damaged, StorageError, disk_trouble, unreadable
from tabletop.files.regular_file import KIB
from tabletop.files.shared_decoders import msgpack_decoder
from tabletop.match.match import Match, Player
from tabletop.storage import playtest_notes, review_file, save_summaries
from tabletop.storage.journal import JournalFile, begin_journal, lock_match
from tabletop.storage.line_digests import fits
from tabletop.storage.match_dates import sound_time, time_of, time_of_change
from tabletop.storage.plies import plies
from tabletop.storage.record import (
    SUFFIX,
    Record,
    contents,
    header,
    hides,
    keep_game,
    read,
    replay,
    save,
    save_as,
    seal_header,
    to_bytes,
)
from tabletop.storage.record_index import IndexEntry, IndexPart, stamp_of
from tabletop.storage.record_lines import End, Header, RecordLine, end_of, read_header
from tabletop.storage.salvage import good_part
from tabletop.storage.save_summaries import KnownSummary, SaveSummary
from tabletop.text.phrases import phrase

PLAYS_ALIKE = phrase(
    "“{game}” has changed since this match began. The moves so far give the same table as they did."
)
PICTURE = ".png"
MAX_FINISH_BYTES = 64 * KIB
MAX_PAGE = 60
"""Replays that are listed together."""
INDEXED_TOGETHER = 200
"""Replays that are put into the index together, while more are read."""
GROWN = ("curtain", "sealed")
"""The protection of a journal; a record that was written at the end has none."""
ONE_DAY = timedelta(days=1)


class Saved(Struct, frozen=True):
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


class Kept(Struct, frozen=True):
    """A finished match on the disk, as listed."""

    path: Path
    header: Header
    """Without its secrets."""
    end: End
    changed: datetime
    """The time when it was played, in UTC."""
    name: str = ""


T = TypeVar("T")
Listed = TypeVar("Listed", Saved, Kept)


class KeptPage(Struct, frozen=True):
    """Finished matches that became known together, and what is wrong with files among them."""

    kept: tuple[Kept, ...] = ()
    unreadable: tuple[BadFile, ...] = ()


class _Finish(Struct, frozen=True):
    """What the index keeps of a file among the replays."""

    header: Header
    """Without secrets: no list needs them."""
    end: End | None
    """None if the match isn't finished."""
    name: str


_finishes = IndexPart("finish", msgpack_decoder(_Finish), MAX_FINISH_BYTES)


def begin(
    kit: GameKit,
    players: tuple[Player, ...],
    options: dict[str, Value] | None = None,
    seed: str | None = None,
    languages: tuple[str, ...] = (),
    keep: Callable[[GameKit], object] = keep_game,
) -> Match:
    """Begin a match with a journal among the unfinished ones, at `match.journal.path`; `keep` has
    the game kept as it is.

    Raises:
        StorageError: the journal cannot be written.
    """
    head = header(kit, players, options, seed, languages)
    match = Match(kit, players, head.options, head.seed)
    path = _fresh_path(kit.id)
    head = seal_header(head) if hides(players) else head
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
    return take_in(play_on_requested, _fresh_path(record.header.game))


def take_in(record: Record, path: Path) -> Match:
    """Continue a match that was started elsewhere, in a file of its own. A refused one leaves no
    file behind.

    Raises:
        BadFile: these rules cannot play it on.
        StorageError: the journal cannot be written, or the file exists already.
    """
    write_new(path, to_bytes(record))
    try:
        match = resume(path)
        keep_game(match.kit)
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
    if tell is not None and record.header.may_be_another(kit):
        tell(Reason(PLAYS_ALIKE, {"game": kit.box.title}))
    return match


def unfinished_matches() -> tuple[tuple[Saved, ...], tuple[BadFile, ...]]:
    """The matches to be continued, the last played first, and what is wrong with each file among
    them that cannot be: of each one, or of the folder."""
    folder = folders.matches()
    try:
        paths = _records_in(folder)
    except OSError as error:
        return (), (unreadable(error, folder.name),)
    known = save_summaries.known_summaries(folder, paths)
    page = [_try(_read_unfinished, path, known.get(path)) for path in paths]
    matches = sorted((each for each in page if isinstance(each, Saved)), key=in_order, reverse=True)
    return tuple(matches), tuple(each for each in page if isinstance(each, BadFile))


def finished_matches() -> tuple[tuple[Kept, ...], tuple[BadFile, ...]]:
    """The finished matches that were kept, the last played first, and what is wrong with each file
    among them that cannot be read: of each one, or of the folder."""
    pages = list(list_finished())
    kept = [each for page in pages for each in page.kept]
    unreadable = sorted(
        (each for page in pages for each in page.unreadable), key=lambda error: str(error.path)
    )
    return tuple(sorted(kept, key=in_order, reverse=True)), tuple(unreadable)


def list_finished() -> Iterator[KeptPage]:
    """Yield the finished matches that were kept as they become known: first those that the index
    knows, the last played first, at most `MAX_PAGE` together; then one by one those that must be
    read, the last written first."""
    folder = folders.replays()
    try:
        paths = _records_in(folder)
    except OSError as error:
        yield KeptPage(unreadable=(unreadable(error, folder.name),))
        return
    known = _finishes.find_all(folder, paths)
    listed = [_try(_list_finish, path, finish) for path, finish in known.items()]
    kept = sorted((each for each in listed if isinstance(each, Kept)), key=in_order, reverse=True)
    for start in range(0, len(kept), MAX_PAGE):
        yield KeptPage(tuple(kept[start : start + MAX_PAGE]))
    bad = tuple(each for each in listed if isinstance(each, BadFile))
    if bad:
        yield KeptPage(unreadable=bad)
    yield from _read_replays(sorted(set(paths) - known.keys(), key=_written, reverse=True))


def _read_replays(paths: Sequence[Path]) -> Iterator[KeptPage]:
    """Read these files one by one, and put into the index what was read, in the end and when the
    caller stops."""
    fresh: list[IndexEntry[_Finish]] = []
    try:
        for path in paths:
            match _try(_read_finished, path, fresh):
                case Kept() as kept:
                    yield KeptPage((kept,))
                case BadFile() as error:
                    yield KeptPage(unreadable=(error,))
            if len(fresh) >= INDEXED_TOGETHER:
                _finishes.keep(fresh)
                fresh.clear()
    finally:
        _finishes.keep(fresh)


def finished_match(path: Path) -> Kept | None:
    """One finished match as `finished_matches` lists it; None where it is not finished.

    Raises:
        BadFile: it cannot be read.
        OSError: the file cannot be reached.
    """
    fresh: list[IndexEntry[_Finish]] = []
    kept = _read_finished(path, fresh)
    _finishes.keep(fresh)
    return kept


def sweep_index() -> None:
    """Forget what the index knows of files that are gone. A folder that can't be looked into keeps
    its entries."""
    with suppress(OSError):
        save_summaries.sweep(_records_in(folders.matches()))
    with suppress(OSError):
        _finishes.sweep(_records_in(folders.replays()))


def in_order(each: Saved | Kept) -> tuple[datetime, Path]:
    """The key by which listed matches are sorted, the first played first."""
    return each.changed, each.path


def keep(path: Path) -> Path:
    """Move a finished match to the replays, open for everybody; return its path.

    Raises:
        StorageError: it cannot be moved, or is played on in another window.
    """
    with suppress(BadFile):  # files of other kinds are moved as they are
        _finish(path)
    return _carry(path, folders.replays())


def _finish(path: Path) -> None:
    """Write a finished match again with a header that says so: a file that lacks its last lines is
    no unfinished match then. One whose header names something unknown here is left as it is.

    Raises:
        BadFile: it cannot be read.
        StorageError: it cannot be written, or is played on in another window.
    """
    try:
        changed = path.stat().st_mtime
    except OSError as error:
        raise disk_trouble(error, path.name) from error
    with lock_match(path):
        record = read(path)
        end = _end_of(record)
        if end is not None and record.unknown is None and record.header.hidden in GROWN:
            write_whole(path, to_bytes(replace(record, end=end)), private=True)
            _set_date(path, changed)


def keep_copy(match: Match) -> Path:
    """Save a finished match that was recorded elsewhere among the replays; return its path. A file
    that is there already stays as it is.

    Raises:
        StorageError: it cannot be written.
    """
    path = _copy_of(match.kit.id, match.seed)
    if not path.exists():
        save_as(match, path)
    return path


def keep_fetched(record: Record) -> Path:
    """Save the record of a finished match that was played elsewhere among the replays, as
    `keep_copy` does."""
    path = _copy_of(record.header.game, record.header.seed)
    if not path.exists():
        save(record, path)
    return path


def _copy_of(game: str, seed: str) -> Path:
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
        raise disk_trouble(error, path.name) from error
    with save_summaries.keep_summary(path, name):
        journal = JournalFile(path)
        try:
            marked = journal.marked
            journal.rename(name)
            if marked:
                journal.mark_closed()
        finally:
            journal.close()
        _set_date(path, changed)


def delete(path: Path) -> Path:
    """Move a match to the trash; return its path there, for `bring_back`.

    Raises:
        StorageError: it cannot be moved, or is played on in another window.
    """
    return _carry(path, folders.trash() / date.today().isoformat())


def bring_back(path: Path, folder: Path | None = None) -> Path:
    """Move a match out of the trash or from among the replays, to the unfinished ones or another
    folder; return its path.

    Raises:
        StorageError: it cannot be moved.
    """
    return _carry(path, folder or folders.matches())


def keep_ended() -> None:
    """Once at start: keep what was finished when the program died. Files that the disk refuses, or
    another window has, stay as they are."""
    paths = unfinished_files()
    known = save_summaries.known_summaries(folders.matches(), paths)
    for path in paths:
        with suppress(Exception):  # `unfinished_matches` says what is wrong with it
            if _is_over(path, known.get(path)):
                keep(path)


def unfinished_files() -> list[Path]:
    """The files of unfinished matches; none where their folder cannot be looked into."""
    try:
        return _records_in(folders.matches())
    except OSError:
        return []


def picture_path(path: Path) -> Path:
    """The path of the picture of this match's table."""
    return path.with_suffix(PICTURE)


def _fresh_path(game: str) -> Path:
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


def _try(read: Callable[[Path, T], Listed | None], path: Path, more: T) -> Listed | BadFile | None:
    """Return what `read` makes of a record, or what is wrong with it; None if it's gone."""
    try:
        return read(path, more)
    except BadFile as error:
        error.path = path
        return error
    except FileNotFoundError:  # the file has just been removed
        return None
    except Exception as error:  # one odd file must not keep the others from being listed
        bad = unreadable(error, path.name)
        bad.path = path
        return bad


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0


def _read_unfinished(path: Path, known: KnownSummary | None) -> Saved | None:
    """The unfinished match of a file; None where it is finished."""
    changed = time_of_change(path)
    head, summary = _summary(path, known)
    if summary.decided:
        return None
    # every copy of the record has this date
    if summary.moved and int(changed.timestamp()) != summary.moved:
        changed = time_of(summary.moved) or changed
    if changed > datetime.now(UTC) + ONE_DAY:  # a date in the future is not that of this match
        changed = sound_time(head.created) or changed
    picture = picture_path(path)
    shown = picture if picture.is_file() else None
    return Saved(path, head, summary, changed, shown)


def _summary(path: Path, known: KnownSummary | None) -> tuple[Header, SaveSummary]:
    return (known.header, known.summary) if known is not None else save_summaries.summary_of(path)


def _read_finished(path: Path, fresh: list[IndexEntry[_Finish]]) -> Kept | None:
    """Read a finished match; None where it is not finished. What the index should know of it is
    added to `fresh`."""
    stamp = stamp_of(path)
    finish = _read_finish(path)
    if stamp is not None:
        fresh.append(IndexEntry(path, stamp, finish, finish.header.hidden == "sealed"))
    return _list_finish(path, finish)


def _list_finish(path: Path, finish: _Finish) -> Kept | None:
    if finish.end is None:
        return None
    changed = _time_of_match(path, finish.header)
    return Kept(path, finish.header, finish.end, changed, finish.name)


def _read_finish(path: Path) -> _Finish:
    """A finished match by its first line and its last ones, as long as these suffice."""
    lines = contents(path).split(b"\n")[:-1] or [b""]
    head, name, end, key = read_header(lines[0], path.name), None, None, ""
    for before, line in reversed(tuple(pairwise(lines))):
        if fits(line, before) is False:
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
    if end is None or not end.fits(len(head.players)) or (head.hidden == "sealed" and not key):
        record = good_part(path)
        end = _end_of(record)
        if end is None and record.broken is not None:
            raise Damaged(record.broken.text, **record.broken.args)
    return _Finish(replace(head, seed="", sealing=UNSET), end, name or "")


def _is_over(path: Path, known: KnownSummary | None) -> bool:
    _, summary = _summary(path, known)
    return summary.ended or summary.decided


def _end_of(record: Record) -> End | None:
    if record.end is not None:
        return record.end
    result = plies(record)[-1].state.result
    return end_of(result) if result else None


def _time_of_match(path: Path, head: Header) -> datetime:
    """When a finished match was played: its header knows that in every copy of the file."""
    return sound_time(head.created) or time_of_change(path)


def _set_date(path: Path, changed: float) -> None:
    """Set a file's date to that of its last move."""
    with suppress(OSError):
        os.utime(path, (changed, changed))


def _carry(path: Path, folder: Path) -> Path:
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
        with lock_match(path):
            make_folder(folder)
            move(path, target)
        if picture.is_file():
            move(picture, picture_path(target))
        playtest_notes.carry(playtest_notes.notes_path(path), playtest_notes.notes_path(target))
        review_file.carry(path, target)
    except OSError as error:
        raise disk_trouble(error, path.name) from error
    return target
