"""The matches of this computer, in a home of the test's own."""

import os
import shutil
import time
from datetime import date, timedelta
from pathlib import Path

import pytest

from tabletop.bots.random import RandomBot
from tabletop.engine.model import AUDIENCE
from tabletop.games import catalogue
from tabletop.link import Local
from tabletop.match import Match, Player
from tabletop.storage import folders, matches
from tabletop.storage.lines import End
from tabletop.storage.record import Journal, read
from tabletop.storage.trouble import BadFile, StorageError

SUN = catalogue.load("sun")
PLAYERS = (Player("Ann"), Player("Bea"))


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path))


def play(match: Match, moves: int = 10_000) -> None:
    links, bot = [Local(match, 0), Local(match, 1)], RandomBot("matches")
    for _ in range(moves):
        link = next((link for link in links if match.asks(link.seat)), None)
        if link is None:
            return
        link.send(bot.answer(link, match.asks(link.seat)[0]))


def begin(moves: int, age: int = 0) -> Match:
    """A match journaled in the home, last changed so many seconds ago."""
    match = matches.begin(SUN, PLAYERS, seed="matches")
    play(match, moves)
    then = time.time() - age
    os.utime(match.journal.path, (then, then))
    return match


def test_a_new_match_writes_its_journal_among_the_unfinished():
    match = begin(3)
    path = match.journal.path
    assert path.parent == folders.matches()
    assert path.name.startswith("sun-")
    assert read(path).entries == tuple(match.record)
    assert begin(0).journal.path != path


def test_unfinished_matches_come_newest_first_with_all_that_a_list_shows():
    old, new = begin(5, age=100), begin(9)
    over = begin(10_000)
    assert over.state.result is not None
    (folders.matches() / "foreign.tabletop").write_text("hello")
    matches.picture_path(old.journal.path).write_bytes(b"png")
    first, second = matches.unfinished()
    assert (first.path, second.path) == (new.journal.path, old.journal.path)
    assert first.game == "sun"
    assert first.players == PLAYERS
    assert first.view == new.view(AUDIENCE)
    assert first.changed > second.changed
    assert first.picture is None
    assert second.picture == old.journal.path.with_suffix(".png")


def test_an_empty_home_has_no_matches():
    assert matches.unfinished() == ()
    assert matches.finished() == ()


def test_a_match_is_resumed_and_recorded_further():
    match = begin(5)
    path = match.journal.path
    match.journal.close()
    again = matches.resume(path)
    assert again.plies == match.plies
    play(again, 4)
    assert read(path).entries == tuple(again.record)
    assert len(again.record) == 9


def test_a_damaged_journal_is_not_resumed():
    path = folders.matches() / "x.tabletop"
    path.parent.mkdir()
    path.write_text("{")
    with pytest.raises(BadFile):
        matches.resume(path)
    assert path.read_text() == "{"


def test_a_finished_match_is_kept_among_the_replays():
    match = begin(10_000)
    kept = matches.keep(match.journal.path)
    assert kept.parent == folders.replays()
    assert matches.unfinished() == ()
    (saved,) = matches.finished()
    assert saved.path == kept
    result = match.state.result
    assert (saved.end.winners, saved.end.scores) == (result.winners, result.scores)


def test_a_deleted_match_is_brought_back_with_its_picture():
    match = begin(4)
    path = match.journal.path
    picture = matches.picture_path(path)
    picture.write_bytes(b"png")
    away = matches.delete(path)
    assert away.parent.parent == folders.trash()
    assert matches.unfinished() == ()
    assert not picture.exists()
    assert matches.bring_back(away) == path
    (saved,) = matches.unfinished()
    assert saved.picture == picture
    assert picture.read_bytes() == b"png"


def test_nothing_in_the_trash_is_overwritten():
    path = begin(4).journal.path
    first = matches.delete(path)
    path.write_text("another")
    second = matches.delete(path)
    assert first != second
    assert len(read(first).entries) == 4
    assert second.read_text() == "another"


def test_what_cannot_be_moved_is_told():
    with pytest.raises(StorageError):
        matches.delete(folders.matches() / "gone.tabletop")


def test_without_a_home_of_its_own_the_system_says_where_files_go(monkeypatch):
    assert folders.settings().parent == folders.data()
    monkeypatch.delenv("TABLETOP_HOME")
    assert folders.data().name == folders.NAME
    assert folders.settings().parent.name == folders.NAME
    assert folders.matches().parent == folders.data()


def test_a_match_is_called_something_and_keeps_its_date():
    old, new = begin(5, age=100), begin(5, age=50)
    old.journal.close()
    matches.rename(old.journal.path, "金曜の夜")
    assert [saved.name for saved in matches.unfinished()] == ["", "金曜の夜"]
    matches.rename(old.journal.path, "")
    assert [saved.name for saved in matches.unfinished()] == ["", ""]
    assert matches.resume(old.journal.path).plies == old.plies
    assert matches.unfinished()[0].path == new.journal.path
    with pytest.raises(StorageError):
        matches.rename(folders.matches() / "gone.tabletop", "x")


def test_what_waits_and_cannot_be_read_is_told():
    begin(5)
    (folders.matches() / "foreign.tabletop").write_text("hello")
    saved, bad = matches.waiting()
    assert len(saved) == 1
    assert [str(each) for each in bad] == [
        '"foreign.tabletop" is no record of a match of this program.'
    ]


def test_the_list_of_replays_reads_first_and_last_lines_alone(monkeypatch):
    match = begin(10_000)
    match.journal.comment("well played", 3)
    match.journal.rename("the long one")
    matches.keep(match.journal.path)

    def no_reading(path: object) -> None:
        raise AssertionError("read whole")

    monkeypatch.setattr(matches, "read", no_reading)
    (kept,) = matches.finished()
    assert kept.name == "the long one"
    assert kept.end.scores == match.state.result.scores
    assert kept.header.game == "sun"


def test_a_replay_of_the_first_format_is_listed_too():
    folders.replays().mkdir(parents=True)
    corpus = Path(__file__).with_name("corpus") / "format-1"
    for name in ("sun-2", "sun-unfinished"):
        shutil.copy(corpus / f"{name}.tabletop", folders.replays())
    (kept,) = matches.finished()
    assert kept.end == End((0,), (10, 7))


def test_a_match_that_ended_as_the_program_died_is_kept_at_the_next_start():
    over, on = begin(10_000), begin(5)
    matches.tidy()
    assert [kept.end.scores for kept in matches.finished()] == [over.state.result.scores]
    assert [saved.path for saved in matches.unfinished()] == [on.journal.path]


def test_the_trash_is_emptied_of_what_has_lain_there_for_thirty_days():
    old, new = begin(4, age=90 * 24 * 3600), begin(4)
    old, new = matches.delete(old.journal.path), matches.delete(new.journal.path)
    matches.tidy()
    assert old.is_file(), "it was deleted today, however old it is"
    assert new.is_file()
    for days in (29, 31):
        day = (date.today() - timedelta(days=days)).isoformat()
        (folders.trash() / day).mkdir()
        shutil.copy(old, folders.trash() / day)
    (folders.trash() / "not ours").mkdir()
    matches.tidy()
    left = sorted(folder.name for folder in folders.trash().iterdir())
    assert left == [
        (date.today() - timedelta(days=29)).isoformat(),
        date.today().isoformat(),
        "not ours",
    ]


def test_without_any_folder_there_is_nothing_to_tidy():
    matches.tidy()
    assert not folders.trash().exists()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_told_and_nothing_is_harmed():
    match = begin(4)
    folders.matches().chmod(0o500)
    try:
        with pytest.raises(StorageError, match="it is not permitted"):
            matches.begin(SUN, PLAYERS)
        with pytest.raises(StorageError, match="it is not permitted"):
            matches.delete(match.journal.path)
        play(match, 1)
    finally:
        folders.matches().chmod(0o700)
    assert read(match.journal.path).entries == tuple(match.record)


def test_a_match_recorded_elsewhere_is_kept_once():
    match = Match(SUN.game, SUN.backs, PLAYERS, None, "elsewhere")
    play(match)
    path = matches.keep_copy(match)
    assert [kept.path for kept in matches.finished()] == [path]
    journal = Journal(path)
    journal.comment("Remember this.", 2)
    journal.close()
    assert matches.keep_copy(match) == path
    assert read(path).comments == {2: "Remember this."}
