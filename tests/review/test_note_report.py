"""Notes as Markdown: each with the table that its writer saw, shown to nobody too early."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tabletop.catalogue import catalogue
from tabletop.commands import window as program_screens
from tabletop.commands.command_line import main
from tabletop.engine.model import AUDIENCE
from tabletop.language.words import Words
from tabletop.match.match import Match, Player
from tabletop.match.playback import Playback
from tabletop.review.note_report import (
    MAX_LOG_LINES,
    Moment,
    beat_of,
    escape,
    moment_of,
    readable_notes,
    report,
)
from tabletop.storage import playtest_notes
from tabletop.storage.playtest_notes import make_note, notes_path
from tabletop.storage.plies import plies
from tabletop.storage.record import Record, read, save_as
from tests.storage.played_matches import play

SUN = catalogue.load("sun")
PEOPLE = (Player("Ann"), Player("Bea"))
BOT = Player("Bot", kind="bot", level="easy")


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))


@pytest.fixture
def drawn(monkeypatch) -> list[tuple[object, ...]]:
    """A stand-in for the screens that keeps whose table of which move was drawn where."""
    shots: list[tuple[object, ...]] = []

    def shot(seat, kit, size, scale, language, theme, out, public) -> None:
        shots.append((seat.view.ply, seat.viewer, out.name))

    monkeypatch.setattr(program_screens, "import_module", lambda name: SimpleNamespace(shot=shot))
    return shots


def match_of(moves: int, players: tuple[Player, ...] = PEOPLE) -> Match:
    match = Match(SUN, players, catalogue.options(SUN), "notes")
    play(match, moves)
    return match


def saved(match: Match, path: Path) -> tuple[Record, Playback]:
    save_as(match, path)
    record = read(path)
    return record, Playback(SUN, record.header.players, plies(record))


def said(capsys, *arguments: object) -> tuple[int, str]:
    code = main(["notes", *map(str, arguments)])
    return code, capsys.readouterr().err


def test_while_a_match_runs_a_note_is_its_writers_alone(tmp_path):
    _, running = saved(match_of(6), tmp_path / "a.tabletop")
    _, over = saved(match_of(10_000), tmp_path / "b.tabletop")
    mine, hers, open_ = (
        make_note("I hold the 7", 2, 0),
        make_note("me too", 3, 1),
        make_note("all", 4, None),
    )
    found = (mine, hers, open_)
    assert readable_notes(found, running, 0) == (mine,)
    assert readable_notes(found, running, AUDIENCE) == ()
    assert readable_notes(found, running, None) == found
    assert readable_notes(found, over, AUDIENCE) == found


def test_a_note_shows_a_table_that_was_undone(tmp_path):
    match = match_of(4)
    before = match.view(0)
    seen = make_note("here", before.ply, 0, len(match.record))
    match.undo(None)
    play(match, 3)
    record, playback = saved(match, tmp_path / "a.tabletop")
    assert moment_of(seen, record, playback).view == before
    later = playback.view(beat_of(seen, playback), 0)
    assert later.ply == before.ply - 1, "in the match as it was played: the table before"


def test_where_the_entries_are_not_known_the_move_tells(tmp_path):
    match = match_of(5)
    seen = make_note("far away", match.view(1).ply, 1)
    table = match.view(1)
    play(match, 3)
    record, playback = saved(match, tmp_path / "a.tabletop")
    assert moment_of(seen, record, playback).view == table


def test_what_no_table_knows_is_shown_as_near_as_can_be(tmp_path):
    match = match_of(10_000)
    record, playback = saved(match, tmp_path / "a.tabletop")
    odd = moment_of(make_note("?", 99_999, 7, 99_999), record, playback)
    assert (odd.at, odd.viewer) == (playback.last_beat, AUDIENCE)


def test_the_command_writes_each_note_with_its_picture(tmp_path, capsys, drawn):
    file, out = tmp_path / "a.tabletop", tmp_path / "out"
    save_as(match_of(10_000), file)
    first, second = make_note("# Not *clear*\n<b>", 2, 0, 2), make_note("Long wait", 5, 1, 5)
    playtest_notes.add(notes_path(file), second, first)
    assert said(capsys, file, "--out", out) == (0, "")
    assert drawn == [(2, 0, "notes-1.png"), (5, 1, "notes-2.png")]
    text = (out / "notes.md").read_text("utf-8")
    assert text.startswith("# Playtest notes: Children of the Sun\n\nAnn, Bea\n\n")
    assert "## 1. Move 2: " in text
    assert "> \\# Not \\*clear\\*  \n> \\<b\\>" in text
    assert "![The table as Bea saw it](<notes-2.png>)" in text
    assert "**Bea**" in text
    assert text.count("\nLatest events\n") == 2


def test_the_command_writes_in_japanese(tmp_path, capsys, drawn):
    file, out = tmp_path / "a.tabletop", tmp_path / "out"
    save_as(match_of(10_000), file)
    playtest_notes.add(notes_path(file), make_note("長い", 2, 0, 2))
    assert said(capsys, file, "--out", out, "--lang", "ja") == (0, "")
    assert "テストプレイのメモ：太陽の子供たち" in (out / "notes.md").read_text("utf-8")


def test_the_command_tells_no_secret_of_a_running_match(tmp_path, capsys, drawn):
    file, out = tmp_path / "a.tabletop", tmp_path / "out"
    save_as(match_of(6), file)
    playtest_notes.add(notes_path(file), make_note("Ann's", 2, 0, 2), make_note("Bea's", 3, 1, 3))
    code, told = said(capsys, file, "--out", out)
    assert (code, "not over" in told) == (2, True)
    assert not out.exists()
    assert said(capsys, file, "--out", out, "--seat", "2") == (0, "")
    text = (out / "notes.md").read_text("utf-8")
    assert ("Bea's" in text, "Ann's" in text) == (True, False)
    assert drawn == [(3, 1, "notes-1.png")]


def test_against_bots_the_one_person_is_meant_and_no_other(tmp_path, capsys, drawn):
    file, out = tmp_path / "a.tabletop", tmp_path / "out"
    save_as(match_of(6, (PEOPLE[0], BOT)), file)
    playtest_notes.add(notes_path(file), make_note("mine", 2, 0, 2), make_note("bot's", 3, 1, 3))
    assert said(capsys, file, "--out", out, "--seat", "all")[0] == 2
    assert said(capsys, file, "--out", out) == (0, "")
    assert drawn == [(2, 0, "notes-1.png")]


def test_the_command_overwrites_nothing(tmp_path, capsys, drawn):
    file, out = tmp_path / "a.tabletop", tmp_path / "out"
    save_as(match_of(10_000), file)
    code, told = said(capsys, file, "--out", out)
    assert (code, "has no notes" in told) == (2, True)
    playtest_notes.add(notes_path(file), make_note("x", 2, 0, 2))
    out.mkdir()
    (out / "mine.txt").write_text("kept")
    code, told = said(capsys, file, "--out", out)
    assert (code, "isn't empty" in told) == (2, True)
    assert drawn == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain words, 3 of 4.", "plain words, 3 of 4."),
        ("- no list", "\\- no list"),
        ("12. no list", "12\\. no list"),
        ("![x](y) `z` <i> a_b", "\\!\\[x\\](y) \\`z\\` \\<i\\> a\\_b"),
        ("one\n# two", "one \\# two"),
    ],
)
def test_markdown_shows_a_text_as_it_is(text, shown):
    assert escape(text) == shown


def test_the_log_of_a_note_ends_with_the_last_line_of_its_moment(tmp_path):
    _, playback = saved(match_of(8), tmp_path / "match.tabletop")
    words = Words("en", SUN, PEOPLE)
    ends = [at for at, _ in playback.log(0)]
    at = ends[len(ends) // 2]
    moment = Moment(make_note("Here", seat=0, name="Ann", ply=1), playback, at, 0)
    written = report([moment], ["note.png"], playback, words)
    shown = [words.log_line(line, 0) for when, line in playback.log(0) if when <= at]
    assert written.count("\n- ") == min(len(shown), MAX_LOG_LINES)
    assert written.rstrip().endswith(f"- {escape(shown[-1])}")
