"""Notes are beside the record, bounded and harmless, and go with it."""

import os
import shutil
from pathlib import Path

import pytest

from tabletop.catalogue import catalogue
from tabletop.files import folders, small_file
from tabletop.files.errors import StorageError
from tabletop.match.match import Player
from tabletop.storage import playtest_notes, saved_matches
from tabletop.storage.damaged_matches import repair_match
from tabletop.storage.playtest_notes import (
    MAX_NOTE_LENGTH,
    MAX_NOTES,
    add,
    make_note,
    notes,
    notes_path,
    shared_notes_path,
)
from tests.storage.corpus import LATEST
from tests.storage.played_matches import play

DAY = 24 * 3600


def begun(moves: int) -> Path:
    """The record of a match that is on no table any more."""
    match = saved_matches.begin(catalogue.load("sun"), (Player("Ann"), Player("Bea")), seed="n")
    play(match, moves)
    match.journal.close()
    return match.journal.path


def texts(path: Path) -> list[str]:
    return [each.text for each in notes(path)]


def test_notes_are_kept_with_their_moment_the_first_moment_first(tmp_path):
    path = tmp_path / "a.tabletop.notes.json"
    assert notes(path) == ()
    late, early = make_note("late", 9, 1, 11), make_note("early", 2, None)
    add(path, late)
    add(path, early)
    assert notes(path) == (early, late)
    assert late.seat == 1
    assert (late.ply, late.entries) == (9, 11)


def test_a_text_is_made_harmless_and_keeps_its_lines():
    assert make_note(" one \u202e\x1b[31m\n\n two\t2 ", 0, 0).text == "one [31m\n\ntwo 2"
    assert len(make_note("x" * 9 * MAX_NOTE_LENGTH, 0, 0).text) == MAX_NOTE_LENGTH
    assert make_note("\n" * 1000 + "x", 0, 0).text == ""


def test_so_many_and_no_more(tmp_path):
    path = tmp_path / "a.tabletop.notes.json"
    add(path, *(make_note(str(n), n, 0) for n in range(MAX_NOTES)))
    with pytest.raises(StorageError, match="300 notes"):
        add(path, make_note("one more", 0, 0))
    assert len(notes(path)) == MAX_NOTES


@pytest.mark.parametrize("content", [b"hello", b'[{"text":1}]', b"[" * 5000])
def test_a_damaged_file_is_set_aside_and_told(tmp_path, monkeypatch, content):
    told = []
    monkeypatch.setattr(small_file, "_notice_handlers", [told.append])
    path = tmp_path / "a.tabletop.notes.json"
    path.write_bytes(content)
    assert notes(path) == ()
    (aside,) = tmp_path.glob("a.tabletop.notes.json.broken-*")
    assert aside.read_bytes() == content
    assert [reason.args["aside"] for reason in told] == [aside.name]


def test_notes_follow_their_record_to_the_trash_and_back():
    record = begun(10_000)
    add(notes_path(record), make_note("here", 3, 0))
    kept = saved_matches.move_to_replays(record)
    assert kept.parent == folders.replays()
    assert texts(notes_path(kept)) == ["here"]
    thrown = saved_matches.move_to_trash(kept)
    assert texts(notes_path(thrown)) == ["here"]
    back = saved_matches.restore_match(thrown, folders.replays())
    assert texts(notes_path(back)) == ["here"]
    left = [path.name for path in record.parent.iterdir() if "notes" in path.name]
    assert left == []
    assert [each.path for each in saved_matches.finished_matches()[0]] == [back]


def test_they_follow_where_a_name_is_taken():
    record = begun(4)
    add(notes_path(record), make_note("here", 3, 0))
    thrown = saved_matches.move_to_trash(record)
    shutil.copy(thrown, record)
    back = saved_matches.restore_match(thrown)
    assert back != record
    assert texts(notes_path(back)) == ["here"]
    assert texts(notes_path(record)) == []


def test_a_damaged_match_takes_them_along():
    record = begun(6)
    add(notes_path(record), make_note("here", 3, 0))
    lines = record.read_bytes().split(b"\n")
    record.write_bytes(b"\n".join([*lines[:5], lines[5][:-9] + b"#########", *lines[6:]]))
    copy, _ = repair_match(record)
    assert texts(notes_path(copy)) == ["here"]


def test_notes_of_a_shared_table_join_its_record(tmp_path):
    waiting, target = shared_notes_path("table/1"), notes_path(tmp_path / "shared.tabletop")
    add(waiting, make_note("later", 8, 0))
    add(target, make_note("before", 1, 0))
    playtest_notes.move_notes(waiting, target)
    assert texts(target) == ["before", "later"]
    assert not waiting.exists()
    playtest_notes.move_notes(waiting, target)
    assert texts(target) == ["before", "later"]


def test_files_that_the_disk_refuses_stay_and_are_reported(tmp_path, monkeypatch):
    told = []
    monkeypatch.setattr(small_file, "_notice_handlers", [told.append])
    waiting = shared_notes_path("table/1")
    add(waiting, make_note("here", 8, 0))
    (tmp_path / "taken").write_text("no folder")
    playtest_notes.move_notes(waiting, tmp_path / "taken" / "a.notes.json")
    assert texts(waiting) == ["here"]
    assert told


def test_those_of_matches_that_never_ended_go_after_a_while():
    alone, kept = shared_notes_path("old/1"), notes_path(begun(2))
    for path in (alone, kept):
        add(path, make_note("x", 0, 0))
        os.utime(path, (0, 0))
    found = playtest_notes.find_orphans(folders.matches())
    assert found == [alone, alone.with_name(f".{alone.name}.lock")]


def test_records_do_not_notice_them(tmp_path):
    film = Path(shutil.copy(LATEST / "sun-2.tabletop", tmp_path / "film.tabletop"))
    before = film.read_bytes()
    add(notes_path(film), make_note("here", 3, 0))
    assert film.read_bytes() == before
