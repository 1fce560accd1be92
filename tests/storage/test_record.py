"""The file format: written records are read again, and anything else gets one sentence."""

import errno
import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some

from tabletop.bots.random_bot import RandomBot
from tabletop.catalogue import catalogue
from tabletop.engine.model import Move
from tabletop.engine.play import Illegal
from tabletop.engine.scratch import FastRng
from tabletop.files import file_lock
from tabletop.files.atomic_write import write_atomically
from tabletop.files.errors import BadFile, StorageError, write_error
from tabletop.match.history import Entry
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from tabletop.storage.journal import JournalFile, write_journal_header
from tabletop.storage.record import (
    FORMAT,
    MAX_RECORD_BYTES,
    MAX_RECORD_LINES,
    Header,
    new_header,
    read,
    replay,
    save_as,
)
from tabletop.storage.salvage import salvage_record
from tabletop.storage.verification import verify_record
from tests.storage.odd_disks import Stubborn, forbid, on_disk
from tests.storage.redigested import redigested

SUN = catalogue.load("sun")
PLAYERS = (Player("Ann", "sun"), Player("ベア", kind="bot", level="random"))


def played(moves: int, seed: str = "record", journal: JournalFile | None = None) -> Match:
    """A match of so many entries, the third of them a take-back."""
    match = Match(SUN, PLAYERS, None, seed)
    match.journal = journal
    seats, bot = [Seat.at_table(match, 0), Seat.at_table(match, 1)], RandomBot(seed)
    while len(match.record) < moves:
        if len(match.record) == 2:
            match.undo(None)
            continue
        seat = next(seat for seat in seats if match.asks(seat.number))
        seat.send(bot.answer(seat, match.asks(seat.number)[0]))
    return match


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "match.tabletop"


def journaled(path: Path, moves: int) -> Match:
    write_journal_header(path, new_header(SUN, PLAYERS, seed="record"))
    journal = JournalFile(path)
    match = played(moves, journal=journal)
    journal.close()
    return match


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def refused(path: Path) -> BadFile:
    with pytest.raises(BadFile) as refusal:
        replay(read(path))
    return refusal.value


# Journal


def test_a_header_names_the_game():
    head = new_header(SUN, PLAYERS, seed="s")
    assert (head.format, head.game, head.rules) == (FORMAT, "sun", SUN.box.rules)
    assert (head.players, head.seed) == (PLAYERS, "s")
    assert head.created is not None
    assert abs((datetime.now(UTC) - head.created).total_seconds()) < 60
    assert new_header(SUN, PLAYERS).seed != new_header(SUN, PLAYERS).seed


def test_a_journal_is_one_header_and_a_line_for_each_entry(path):
    match = journaled(path, 6)
    first, *lines = lines_of(path)
    assert first.startswith(b'{"tabletop":2,"game":"sun"')
    assert [msgspec.json.decode(line, type=Entry) for line in lines] == match.record
    assert match.record[2] == Entry(undo=1)


def test_a_journal_gives_the_match_again(path):
    match = journaled(path, 9)
    record = read(path)
    assert record.path == path
    assert not record.torn
    assert record.header.players == PLAYERS
    again = replay(record)
    assert again.plies == match.plies
    assert again.undone_plies == match.undone_plies == 1
    assert again.journal is None


def test_a_concession_is_kept_and_replayed(path):
    match = journaled(path, 6)
    match.journal = JournalFile(path)
    match.concede(1)
    match.journal.close()
    assert lines_of(path)[-1].startswith(b'{"seat":1,"concede":true,"told":[["said",')
    again = replay(read(path))
    assert again.plies == match.plies
    assert again.state.result.winners == (0,)


def test_after_a_concession_nothing_follows_in_a_record(path):
    journaled(path, 6)
    with path.open("ab") as file:
        file.write(b'{"seat":1,"concede":true}\n{"undo":1}\n')
    assert refused(path).line == 9


def test_part_of_a_record_is_replayed(path):
    journaled(path, 9)
    assert replay(read(path), 0).state.ply == 0
    assert replay(read(path), 3).record == list(read(path).entries[:3])


def test_an_entry_is_on_the_disk_when_write_returns(path, monkeypatch):
    synced = []
    write_journal_header(path, new_header(SUN, PLAYERS, seed="record"))
    journal = JournalFile(path)
    monkeypatch.setattr(
        os, "fsync", lambda number, sync=os.fsync: (synced.append(path.read_bytes()), sync(number))
    )
    journal.write(Entry(1, Move(0, "place", (3,), "grid/0,0", "+1")))
    assert synced == [path.read_bytes()]
    assert len(lines_of(path)) == 2


def test_a_journal_does_not_overwrite(path):
    path.write_text("mine")
    with pytest.raises(StorageError):
        write_journal_header(path, new_header(SUN, PLAYERS))
    assert path.read_text() == "mine"


@pytest.mark.parametrize("end", [b"\n", b"\n\n", b"\r\n", b"  \n", b" "])
def test_blank_lines_at_the_end_arent_damage(path: Path, end: bytes) -> None:
    match = journaled(path, 5)
    whole = path.read_bytes()
    path.write_bytes(whole + end)
    record = read(path)
    assert record.entries == tuple(match.record)
    assert not record.torn
    assert salvage_record(path).broken is None
    verify_record(record)
    journal = JournalFile(path)
    assert path.read_bytes() == whole + end, "nothing is cut off before there is more"
    journal.write_comment("a good move", 3)
    journal.close()
    assert path.read_bytes().startswith(whole + b'{"comment":')
    assert read(path).comments == {3: "a good move"}


def test_wherever_the_last_line_is_torn_the_rest_stands(path):
    match = journaled(path, 5)
    whole = path.read_bytes()
    start = len(whole) - len(lines_of(path)[-1])
    for length in range(start, len(whole)):
        path.write_bytes(whole[:length])
        record = read(path)
        assert record.entries == tuple(match.record[:4])
        assert record.torn == (length > start)
        journal = JournalFile(path)
        assert path.read_bytes() == whole[:length], "nothing is cut off before there is more"
        journal.write(match.record[4], match.plies[-1].events)
        journal.close()
        assert path.read_bytes() == whole


def test_a_full_disk_is_reported_and_the_journal_unchanged(path):
    match = journaled(path, 5)
    before = path.read_bytes()
    journal = JournalFile(path)
    with on_disk(journal, 20), pytest.raises(StorageError, match="the disk is full"):
        journal.write(match.record[0])
    assert path.read_bytes() == before
    with on_disk(journal, 10_000):
        journal.write(match.record[0])
    assert path.read_bytes() == before + lines_of(path)[-1]
    assert read(path).entries[-1] == match.record[0]


def test_a_line_torn_by_the_disk_is_cut_off_before_the_next(path):
    match = journaled(path, 5)
    before = path.read_bytes()
    journal = JournalFile(path)
    with on_disk(journal, 20, Stubborn), pytest.raises(StorageError):
        journal.write(match.record[0])
    assert len(path.read_bytes()) == len(before) + 20
    journal.write(match.record[0])
    assert path.read_bytes() == before + lines_of(path)[-1]


def test_one_window_writes_a_match(path):
    match = journaled(path, 5)
    first = JournalFile(path)
    with pytest.raises(StorageError, match="is open in another window"):
        JournalFile(path)
    first.write(match.record[0])
    first.close()
    JournalFile(path).write(match.record[1])
    assert read(path).entries[5:] == tuple(match.record[:2])


@pytest.fixture
def _no_locks(monkeypatch):
    """The disk knows no locks, as some of a network's."""

    def unsupported(descriptor: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(file_lock, "_lock", unsupported)


@pytest.mark.usefixtures("_no_locks")
def test_two_windows_do_not_write_over_each_other(path):
    match = journaled(path, 5)
    first, second = JournalFile(path), JournalFile(path)
    first.write(match.record[0])
    whole = path.read_bytes()
    with pytest.raises(StorageError, match="is open in another window"):
        second.write(match.record[1])
    assert path.read_bytes() == whole
    first.write(match.record[1])


@pytest.mark.usefixtures("_no_locks")
@pytest.mark.parametrize("more", [0, 1, 2])
def test_a_stale_end_cuts_off_nothing_that_another_wrote(path, more):
    """A window whose disk refused a move and would not cut it off, while another plays on."""
    match = journaled(path, 5)
    stale = JournalFile(path)
    with on_disk(stale, 20, Stubborn), pytest.raises(StorageError):
        stale.write(match.record[0])
    other = JournalFile(path)
    for entry in match.record[1 : 1 + more]:
        other.write(entry)
    whole = path.read_bytes()
    if more:
        with pytest.raises(StorageError, match="is open in another window"):
            stale.write(match.record[0])
        assert path.read_bytes() == whole
    else:
        stale.write(match.record[0])
    assert len(read(path).entries) == 5 + max(more, 1)


@pytest.mark.usefixtures("_no_locks")
def test_a_file_that_became_shorter_is_not_filled_up(path):
    match = journaled(path, 5)
    journal = JournalFile(path)
    short = b"".join(lines_of(path)[:-1])
    path.write_bytes(short)
    with pytest.raises(StorageError, match="is open in another window"):
        journal.write(match.record[0])
    assert path.read_bytes() == short


def test_a_match_goes_on_in_memory_once_the_disk_refused(path):
    write_journal_header(path, new_header(SUN, PLAYERS, seed="record"))
    match = played(4, journal=JournalFile(path))
    before, recorded = match.state, read(path).entries
    (number,) = [number for number in (0, 1) if match.asks(number)]
    seat = Seat.at_table(match, number)
    move = RandomBot(1).answer(seat, match.asks(number)[0])
    with on_disk(match.journal, 0), pytest.raises(StorageError):
        seat.send(move)
    assert match.state is before
    match.journal = None
    seat.send(move)
    assert match.state.ply == before.ply + 1
    assert read(path).entries == recorded


@pytest.mark.parametrize("content", [b"mine", b"", b'{"tabletop":3'])
def test_a_foreign_journal_is_refused_and_left_alone(path, content):
    path.write_bytes(content)
    with pytest.raises(BadFile):
        JournalFile(path)
    assert path.read_bytes() == content


def test_a_journal_of_no_file_is_refused(path):
    with pytest.raises(StorageError, match="Can't write"):
        JournalFile(path)


# Saves


def test_a_save_gives_the_match_again(path):
    match = played(11)
    save_as(match, path)
    again = replay(read(path))
    assert again.plies == match.plies
    assert again.record == match.record
    assert again.kit is SUN


def test_a_save_replaces_a_file_whole_or_not_at_all(path, monkeypatch):
    save_as(played(4), path)
    save_as(played(8), path)
    assert len(read(path).entries) == 8

    def broken(number: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(StorageError, match="Input/output error"):
        save_as(played(11), path)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir() if file.is_file()] == [path.name]


def test_a_save_makes_its_folder(tmp_path):
    deep = tmp_path / "a" / "b" / "c.tabletop"
    save_as(played(1), deep)
    assert len(read(deep).entries) == 1


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (PermissionError(errno.EACCES, "x"), 'Can\'t write "f": permission denied.'),
        (OSError(errno.ENOSPC, "x"), 'Can\'t write "f": the disk is full.'),
        (OSError(errno.EROFS, "x"), 'Can\'t write "f": the disk is read-only.'),
        (OSError(errno.EIO, "Broken"), 'Can\'t write "f": Broken.'),
        (OSError(), 'Can\'t write "f".'),
    ],
)
def test_a_refusal_of_the_disk_is_a_sentence(error, sentence):
    trouble = write_error(error, "f")
    assert str(trouble) == sentence
    assert trouble.reason.text.format(**trouble.reason.args) == sentence


def test_writing_into_no_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError):
        write_atomically(tmp_path / "file" / "x", b"")


# Files that are not what they should be


def test_there_is_no_such_file(path):
    assert str(refused(path)) == 'There is no file "match.tabletop".'
    assert "There is no file" in str(refused(path.parent))


def test_a_file_that_may_not_be_read(path, monkeypatch):
    path.write_text("")
    forbid(path, monkeypatch)
    assert str(refused(path)) == 'Can\'t read "match.tabletop": permission denied.'


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"hello\n",
        b"\x89PNG\r\n\x1a\n\x00\x00",
        b"{}\n",
        b'{"tabletop":"one"}\n',
        b'{"tabletop":1',
        b"\xff\xfe\n",
        b"[" * 100_000 + b"\n",
        b'{"tabletop":' + b"9" * 5000 + b"}\n",
    ],
)
def test_a_foreign_file(path, content):
    path.write_bytes(content)
    assert str(refused(path)) == '"match.tabletop" isn\'t a Tabletop save or replay.'
    assert refused(path).line == 0


def test_a_file_of_a_newer_version(path):
    path.write_bytes(b'{"tabletop":3,"surprise":[]}\n')
    assert "was written by a newer version of Tabletop" in str(refused(path))


def altered(path: Path, **changes: object) -> None:
    """The journal with another header."""
    first, *rest = lines_of(path)
    head = msgspec.json.decode(first) | changes
    path.write_bytes(redigested(b"".join([msgspec.json.encode(head), b"\n", *rest])))


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": ""},
        {"seed": 7},
        {"players": []},
        {"players": [{"name": "a"}] * 17},
        {"players": [{"name": "x" * 81}]},
        {"players": [{"name": "one too many"}] * 3},
        {"created": "yesterday"},
    ],
)
def test_a_damaged_header(path, changes):
    journaled(path, 4)
    altered(path, **changes)
    assert str(refused(path)) == '"match.tabletop" is damaged at line 1.'
    assert refused(path).line == 1


def test_a_record_of_a_game_that_is_not_here(path):
    journaled(path, 4)
    altered(path, game="../sun")
    assert 'needs the game "../sun", which isn\'t installed' in str(refused(path))


def test_a_record_of_other_rules(path):
    journaled(path, 4)
    altered(path, rules=SUN.box.rules + 1)
    assert f"played by version {SUN.box.rules + 1} of the rules" in str(refused(path))


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b"null",
        b"{",
        b"\x00\x00\x00",
        b'{"undo":-1}',
        b'{"undo":0}',
        b'{"undo":1,"move":{"ask":0,"verb":"place"}}',
        b'{"concede":false}',
        b'{"concede":true,"undo":1}',
        b'{"withdraw":true,"undo":1}',
        b'{"concede":true,"move":{"ask":0,"verb":"place"}}',
        b'{"seat":2,"concede":true}',
        b'{"seat":2,"move":{"ask":0,"verb":"place"}}',
        b'{"seat":-1,"move":{"ask":0,"verb":"place"}}',
        b'{"move":{"ask":0,"verb":"place","cards":["__import__"]}}',
        b'{"move":{"ask":0,"verb":"' + b"x" * 81 + b'"}}',
        b'{"a":' * 50_000,
    ],
)
def test_a_damaged_line_is_named(path, line):
    journaled(path, 5)
    lines = lines_of(path)
    lines[3] = line + b"\n"
    path.write_bytes(redigested(b"".join(lines)))
    assert str(refused(path)) == '"match.tabletop" is damaged at line 4.'
    assert refused(path).line == 4


def test_a_move_that_is_no_longer_offered_replays(path, monkeypatch):
    def first_move(match: Match) -> tuple[int, Move]:
        (ask,) = match.state.asks
        return ask.seat, full_offers(match.kit.rules, match.state, ask)[0].sample(
            ask.id, FastRng(1)
        )

    rules = type(SUN.rules)
    full_offers = rules.offers
    match = Match(SUN, PLAYERS, None, "record")
    for _ in range(4):
        match.submit(*first_move(match))
    save_as(match, path)
    monkeypatch.setattr(rules, "offers", lambda *args: full_offers(*args)[1:])
    with pytest.raises(BadFile):
        replay(read(path))
    monkeypatch.setattr(rules, "former_offers", lambda *args: full_offers(*args)[:1], raising=False)
    again = replay(read(path))
    assert again.state == match.state
    assert verify_record(read(path))[-1].state == match.state
    with pytest.raises(Illegal):
        again.submit(*first_move(again))
    assert again.state == match.state


def test_the_first_line_that_does_not_fit_is_named(path):
    journaled(path, 6)
    lines = lines_of(path)
    lines[4], lines[5] = lines[5], lines[4]
    path.write_bytes(redigested(b"".join(lines)))
    trouble = refused(path)
    assert trouble.line == 5
    assert str(trouble).startswith('Line 5 of "match.tabletop" has an illegal move')


def test_a_file_too_large(path):
    path.write_bytes(b" " * (MAX_RECORD_BYTES + 1))
    assert str(refused(path)) == '"match.tabletop" is too large for a save or replay.'
    path.write_bytes(b"\n" * (MAX_RECORD_LINES + 1))
    assert "too large" in str(refused(path))


@given(content=some.binary(max_size=300), at=some.integers(0, 400))
def test_whatever_is_in_a_file_it_is_read_or_refused(tmp_path_factory, content, at):
    path = tmp_path_factory.mktemp("any") / "any.tabletop"
    whole = (
        msgspec.json.encode(Header(1, "sun", 1, PLAYERS, "record"))
        + b"\n"
        + b"".join(msgspec.json.encode(entry) + b"\n" for entry in played(3).record)
    )
    path.write_bytes(whole[:at] + content + whole[at + len(content) :])
    with suppress(BadFile):
        match = replay(read(path))
        assert match.record == list(read(path).entries)


def test_a_record_names_an_outside_games_digest(path):
    journaled(path, 4)
    altered(path, game="pond_night-0123456789ab", folder="0123456789abcdef" * 4)
    assert 'needs the game "pond_night" (version 1, digest 0123456789ab)' in str(refused(path))
