"""The matches of this computer, in a home of the test's own."""

import errno
import os
import shutil
import sys
import time
from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE
from tabletop.files import file_lock, folders
from tabletop.files.errors import BadFile, StorageError
from tabletop.match.match import Match, Player
from tabletop.storage import days_waiting, playtest_notes, saved_matches
from tabletop.storage.journal import JournalFile
from tabletop.storage.record import read, record_of, replay, save_as, to_bytes
from tabletop.storage.record_lines import End
from tests.storage.played_matches import play
from tests.storage.tidied import tidy

SUN = catalogue.load("sun")
PLAYERS = (Player("Ann"), Player("Bea"))


DAY = 24 * 3600


def begin(moves: int, age: int = 0) -> Match:
    """A match journaled in the home, last changed so many seconds ago."""
    match = saved_matches.begin(SUN, PLAYERS, seed="matches")
    play(match, moves)
    then = time.time() - age
    os.utime(match.journal.path, (then, then))
    return match


def left(match: Match) -> Path:
    """The file of a match that is on no table any more."""
    match.journal.close()
    return match.journal.path


def test_a_new_match_writes_its_journal_among_the_unfinished():
    match = begin(3)
    path = match.journal.path
    assert path.parent == folders.matches()
    assert path.name.startswith("sun-")
    assert read(path).entries == tuple(match.record)
    assert begin(0).journal.path != path


def test_unfinished_matches_are_listed_newest_first():
    old, new = begin(5, age=100), begin(9)
    over = begin(10_000)
    assert over.state.result is not None
    (folders.matches() / "foreign.tabletop").write_text("hello")
    saved_matches.picture_path(old.journal.path).write_bytes(b"png")
    first, second = saved_matches.unfinished_matches()[0]
    assert (first.path, second.path) == (new.journal.path, old.journal.path)
    assert first.game == "sun"
    assert first.players == PLAYERS
    assert first.view == new.view(AUDIENCE)
    assert first.changed > second.changed
    assert first.picture is None
    assert second.picture == old.journal.path.with_suffix(".png")


def test_an_empty_home_has_no_matches():
    assert saved_matches.unfinished_matches()[0] == ()
    assert saved_matches.finished_matches() == ((), ())


def test_a_match_is_resumed_and_recorded_further():
    match = begin(5)
    path = match.journal.path
    match.journal.close()
    again = saved_matches.resume(path)
    assert again.plies == match.plies
    play(again, 4)
    assert read(path).entries == tuple(again.record)
    assert len(again.record) == 9


def test_a_finished_match_is_kept_among_the_replays():
    match = begin(10_000)
    kept = saved_matches.move_to_replays(left(match))
    assert kept.parent == folders.replays()
    assert saved_matches.unfinished_matches()[0] == ()
    (saved,) = saved_matches.finished_matches()[0]
    assert saved.path == kept
    result = match.state.result
    assert (saved.end.winners, saved.end.scores) == (result.winners, result.scores)


def test_a_deleted_match_is_brought_back_with_its_picture():
    path = left(begin(4))
    picture = saved_matches.picture_path(path)
    picture.write_bytes(b"png")
    away = saved_matches.move_to_trash(path)
    assert away.parent.parent == folders.trash()
    assert saved_matches.unfinished_matches()[0] == ()
    assert not picture.exists()
    assert saved_matches.restore_match(away) == path
    (saved,) = saved_matches.unfinished_matches()[0]
    assert saved.picture == picture
    assert picture.read_bytes() == b"png"


def test_nothing_in_the_trash_is_overwritten():
    path = left(begin(4))
    first = saved_matches.move_to_trash(path)
    path.write_text("another")
    second = saved_matches.move_to_trash(path)
    assert first != second
    assert len(read(first).entries) == 4
    assert second.read_text() == "another"


def test_files_that_cannot_be_moved_are_reported():
    with pytest.raises(StorageError):
        saved_matches.move_to_trash(folders.matches() / "gone.tabletop")


def test_without_its_own_home_files_go_to_system_folders(monkeypatch):
    assert folders.settings().parent == folders.data()
    monkeypatch.delenv("TABLETOP_HOME")
    assert folders.data().name == folders.NAME
    assert folders.settings().parent.name == folders.NAME
    assert folders.matches().parent == folders.data()


def test_a_match_is_called_something_and_keeps_its_date():
    old, new = begin(5, age=100), begin(5, age=50)
    old.journal.close()
    saved_matches.rename(old.journal.path, "金曜の夜")
    assert [saved.name for saved in saved_matches.unfinished_matches()[0]] == ["", "金曜の夜"]
    saved_matches.rename(old.journal.path, "")
    assert [saved.name for saved in saved_matches.unfinished_matches()[0]] == ["", ""]
    assert saved_matches.resume(old.journal.path).plies == old.plies
    assert saved_matches.unfinished_matches()[0][0].path == new.journal.path
    with pytest.raises(StorageError):
        saved_matches.rename(folders.matches() / "gone.tabletop", "x")


def test_the_list_of_replays_reads_first_and_last_lines_alone(monkeypatch):
    match = begin(10_000)
    match.journal.write_comment("well played", 3)
    match.journal.write_name("the long one")
    saved_matches.move_to_replays(left(match))

    def no_reading(path: object) -> None:
        raise AssertionError("read whole")

    monkeypatch.setattr(saved_matches, "read", no_reading)
    (kept,) = saved_matches.finished_matches()[0]
    assert kept.name == "the long one"
    assert kept.end.scores == match.state.result.scores
    assert kept.header.game == "sun"


def test_a_replay_of_the_first_format_is_listed_too():
    folders.replays().mkdir(parents=True)
    corpus = Path(__file__).with_name("corpus") / "format-1"
    for name in ("sun-2", "sun-unfinished"):
        shutil.copy(corpus / f"{name}.tabletop", folders.replays())
    (kept,) = saved_matches.finished_matches()[0]
    assert kept.end == End((0,), (10, 7))


def test_a_match_ended_by_a_crash_is_kept_at_the_next_start():
    over, on = begin(10_000), begin(5)
    left(over)
    tidy()
    assert [kept.end.scores for kept in saved_matches.finished_matches()[0]] == [
        over.state.result.scores
    ]
    assert [saved.path for saved in saved_matches.unfinished_matches()[0]] == [on.journal.path]


def days_later(monkeypatch: pytest.MonkeyPatch, *days: int) -> None:
    """The program is opened once on each of these days from today."""
    today = date.today()
    for day in days:
        clock = SimpleNamespace(today=lambda day=day: today + timedelta(days=day))
        monkeypatch.setattr(days_waiting, "date", clock)
        tidy()


def test_the_trash_empties_after_thirty_days(monkeypatch):
    old, other = begin(4, age=90 * 24 * 3600), begin(4)
    old = saved_matches.move_to_trash(left(old))
    (folders.trash() / "not ours").mkdir()
    days_later(monkeypatch, *range(15))
    other = saved_matches.move_to_trash(left(other))
    days_later(monkeypatch, *range(15, 31))
    assert old.is_file()
    days_later(monkeypatch, 31)
    assert not old.exists()
    assert other.is_file(), "it was deleted later"
    days_later(monkeypatch, *range(32, 50))
    assert [folder.name for folder in folders.trash().iterdir()] == ["not ours"]


def test_a_clock_that_is_wrong_empties_no_trash(monkeypatch):
    gone = saved_matches.move_to_trash(left(begin(4)))
    notes = playtest_notes.shared_notes_path("elsewhere/1")
    playtest_notes.add(notes, playtest_notes.make_note("x", 0, 0))
    days_later(monkeypatch, 0, 4 * 365, 0, -10 * 365, 1)
    assert gone.is_file()
    assert notes.is_file()
    behind = gone.parent.with_name("2015-01-01")
    gone.parent.rename(behind)
    days_later(monkeypatch, 2)
    assert (behind / gone.name).is_file()


def test_without_any_folder_there_is_nothing_to_tidy():
    tidy()
    assert not folders.trash().exists()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_reported_and_nothing_harmed():
    match, other = begin(4), begin(4)
    folders.matches().chmod(0o500)
    try:
        with pytest.raises(StorageError, match="permission denied"):
            saved_matches.begin(SUN, PLAYERS)
        with pytest.raises(StorageError, match="permission denied"):
            saved_matches.move_to_trash(left(other))
        play(match, 1)
    finally:
        folders.matches().chmod(0o700)
    assert read(match.journal.path).entries == tuple(match.record)


def test_a_match_recorded_elsewhere_is_kept_once():
    match = Match(SUN, PLAYERS, None, "elsewhere")
    play(match)
    path = saved_matches.save_replay_copy(match)
    assert [kept.path for kept in saved_matches.finished_matches()[0]] == [path]
    journal = JournalFile(path)
    journal.write_comment("Remember this.", 2)
    journal.close()
    assert saved_matches.save_replay_copy(match) == path
    assert read(path).comments == {2: "Remember this."}


def held_back(path: Path) -> None:
    """Nobody else may write, name, move or replace this match."""

    def files() -> list[Path]:
        everything = folders.data().rglob("*.*")
        return [file for file in everything if folders.cache() not in file.parents]

    whole, before = path.read_bytes(), files()
    for act in (
        lambda: saved_matches.resume(path),
        lambda: saved_matches.rename(path, "mine"),
        lambda: saved_matches.move_to_trash(path),
        lambda: saved_matches.move_to_replays(path),
        lambda: save_as(Match(SUN, PLAYERS, None, "other"), path),
        lambda: saved_matches.restore_match(path),
    ):
        with pytest.raises(StorageError, match="is open in another window"):
            act()
    tidy()
    assert path.read_bytes() == whole
    assert files() == before


@pytest.mark.parametrize("moves", [5, 10_000], ids=["under way", "over"])
def test_a_match_that_another_window_plays_is_left_alone(moves):
    match = begin(moves)
    held_back(match.journal.path)
    if match.state.result is not None:
        match.undo(None)  # its window may still take the last move back
    play(match, 1)
    assert read(left(match)).entries == tuple(match.record)
    saved_matches.move_to_trash(match.journal.path)


def test_lines_added_before_the_lock_are_kept(monkeypatch):
    """Between the look at a file and the lock nobody adds to what was looked at."""
    match = begin(5)
    path, take = match.journal.path, file_lock.try_lock

    def late(file: object) -> bool:
        if match.journal is not None:
            play(match, 1)
            left(match)
            match.journal = None
        return take(file)

    monkeypatch.setattr(file_lock, "try_lock", late)
    again = saved_matches.resume(path)
    assert len(again.record) == 6
    play(again, 3)
    assert replay(read(left(again))).state == again.state


@pytest.mark.skipif(sys.platform == "win32", reason="no open file is moved there")
def test_a_match_moved_away_before_the_lock_is_not_written(monkeypatch):
    path, take, moved = left(begin(5)), file_lock.try_lock, []

    def late(file: object) -> bool:
        if not moved:
            moved.append(path.rename(path.with_name("moved")))
            path.write_bytes(moved[0].read_bytes())
        return take(file)

    monkeypatch.setattr(file_lock, "try_lock", late)
    with pytest.raises(StorageError, match="is open in another window"):
        JournalFile(path)


@pytest.mark.parametrize("line", ["header", "deal"])
def test_a_begin_that_was_refused_leaves_no_file(line, monkeypatch):
    count, sync = 0, os.fsync

    def full(descriptor: int) -> None:
        nonlocal count
        count += 1
        if count > {"header": 0, "deal": 2 if os.name == "posix" else 1}[line]:  # and its folder
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError, match="the disk is full"):
        saved_matches.begin(SUN, PLAYERS)
    assert list(folders.matches().iterdir()) == []


def test_a_match_is_taken_in_beside_the_others_and_over_none():
    match = begin(5)
    record, path = record_of(match, match.journal.path), left(match)
    whole = path.read_bytes()
    with pytest.raises(StorageError, match="exists"):
        saved_matches.import_match_record(record, path)
    assert path.read_bytes() == whole
    folder = path.parent
    with pytest.raises(BadFile):
        saved_matches.import_match_record(
            replace(record, entries=record.entries[1:]), folder / "x.tabletop"
        )
    assert list(folder.iterdir()) == [path]


def test_a_killed_writers_leftovers_are_swept():
    path = left(begin(5))
    lost = [folder / ".sun.tabletop.4711.new" for folder in folders.folders_with_atomic_writes()]
    for file in lost:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("half")
        os.utime(file, (time.time() - DAY - 60,) * 2)
    fresh = path.with_name(".another.new")  # a process that was stopped may go on with it
    fresh.write_text("half")
    os.utime(fresh, (time.time() - DAY + 600,) * 2)
    tidy()
    assert not [file for file in lost if file.exists()]
    assert sorted(path.parent.iterdir()) == [fresh, path]


def test_a_copied_replay_was_played_when_it_was_played(home: Path) -> None:
    path = saved_matches.save_replay_copy(begin(10_000))
    (before,) = saved_matches.finished_matches()[0]
    long_after = time.time() + 300 * DAY
    os.utime(path, (long_after, long_after))
    (after,) = saved_matches.finished_matches()[0]
    assert after.changed == before.changed == read(path).header.created


def test_a_date_of_the_future_is_no_matchs(home: Path) -> None:
    match = begin(3, age=-30 * DAY)
    (saved,) = saved_matches.unfinished_matches()[0]
    assert saved.changed == match.journal.header.created


def test_a_day_that_was_counted_is_not_written_again(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved_matches.move_to_trash(left(begin(3)))
    tidy()
    written = (folders.data() / days_waiting.FILE_NAME).stat().st_mtime_ns
    tidy()
    assert (folders.data() / days_waiting.FILE_NAME).stat().st_mtime_ns == written


def test_a_copied_match_was_left_when_it_was_left(home: Path) -> None:
    match = begin(5, age=40 * DAY)
    match.journal.write_closing_mark()
    path = left(match)
    (before,) = saved_matches.unfinished_matches()[0]
    os.utime(path)  # as a copy that is made now
    saved_matches.rename(path, "Friday")
    (after,) = saved_matches.unfinished_matches()[0]
    assert (after.name, after.changed) == ("Friday", before.changed.replace(microsecond=0))
    path.write_bytes(to_bytes(read(path)))
    (copy,) = saved_matches.unfinished_matches()[0]
    assert copy.changed == after.changed
    again = saved_matches.resume(path)
    play(again, 1)
    again.journal.write_closing_mark()
    left(again)
    (played_on,) = saved_matches.unfinished_matches()[0]
    assert played_on.changed > after.changed
