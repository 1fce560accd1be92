"""Records that hide cards from anyone who opens the file, until the match is over."""

from pathlib import Path

import pytest

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE
from tabletop.files import folders
from tabletop.files.errors import BadFile, StorageError
from tabletop.files.small_file import add_digest
from tabletop.match.match import Match, Player
from tabletop.storage import saved_matches, seal
from tabletop.storage.journal import JournalFile
from tabletop.storage.plies import permitted_viewers, plies
from tabletop.storage.record import read, replay, save_as
from tabletop.storage.record_lines import End, RecordLine, encode_line, end_of
from tests.storage.odd_disks import on_disk
from tests.storage.played_matches import play
from tests.storage.redigested import redigested

SUN = catalogue.load("sun")
WITH_BOT = (Player("Ann"), Player("Bob", kind="bot", level="random"))
FRIENDS = (Player("Ann"), Player("Bea"))


def begun(players: tuple[Player, ...] = WITH_BOT, moves: int = 10_000) -> Match:
    match = saved_matches.begin(SUN, players, seed="the secret seed")
    play(match, moves)
    return match


def left(match: Match) -> Path:
    """The file of a match that is on no table any more."""
    match.journal.close()
    return match.journal.path


def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """From now on this is another computer."""
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "another home"))


def test_a_bot_matchs_file_reveals_nothing_hidden():
    match = begun(moves=9)
    content = match.journal.path.read_text("utf-8")
    assert '"hidden":"sealed"' in content
    for secret in ("secret seed", '"move"', '"moved"', '"verb"', "grid/", match.seed):
        assert secret not in content
    again = saved_matches.resume(left(match))
    assert again.plies == match.plies
    assert again.seed == match.seed


def test_a_key_that_cannot_be_read_is_no_other_computers_key() -> None:
    path = left(begun(moves=3))
    aside = folders.key().with_name("aside")
    folders.key().rename(aside)
    folders.key().mkdir()  # the system refuses to read it, even if root asks
    with pytest.raises(BadFile, match=f'"{folders.key().name}"'):
        read(path)
    folders.key().rmdir()
    aside.rename(folders.key())
    assert read(path).entries


def test_a_hot_seat_record_says_only_the_curtain_hides():
    content = begun(FRIENDS, 9).journal.path.read_text("utf-8")
    assert '"hidden":"curtain"' in content
    assert '"moved"' in content


def test_a_sealed_match_opens_elsewhere_once_it_is_over(monkeypatch, tmp_path):
    unfinished, over = left(begun(moves=9)), begun()
    kept = saved_matches.move_to_replays(left(over))
    elsewhere(monkeypatch, tmp_path)
    with pytest.raises(BadFile, match="is sealed until its match is over"):
        read(unfinished)
    with pytest.raises(BadFile, match="is sealed"):
        saved_matches.resume(unfinished)
    assert replay(read(kept)).state == over.state


def test_a_save_is_sealed_until_its_match_is_over(tmp_path):
    match = begun(moves=9)
    save_as(match, tmp_path / "a.tabletop")
    assert '"move"' not in (tmp_path / "a.tabletop").read_text("utf-8")
    assert replay(read(tmp_path / "a.tabletop")).plies == match.plies
    play(match)
    save_as(match, tmp_path / "b.tabletop")
    content = (tmp_path / "b.tabletop").read_text("utf-8")
    assert '"hidden":"open"' in content
    assert '"move"' in content


def test_a_torn_sealed_line_is_cut_off_and_played_again():
    match = begun(moves=9)
    path = match.journal.path
    match.journal.close()
    path.write_bytes(path.read_bytes()[:-9])
    again = saved_matches.resume(path)
    assert again.record == match.record[:8]
    play(again, 1)
    assert read(path).entries == tuple(again.record)


@pytest.mark.parametrize("key", [b"", b"short", b"x" * 33])
def test_a_damaged_key_is_set_aside_and_replaced(
    key: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path = begun(moves=3).journal.path
    folders.key().write_bytes(key)
    with pytest.raises(BadFile, match="is sealed"):
        read(path)
    assert caplog.text.count('"seal.key" was damaged') == 1
    (aside,) = folders.key().parent.glob("seal.key.broken-*")
    assert aside.read_bytes() == key
    assert saved_matches.resume(left(begun(moves=3))).record


def test_an_old_key_opens_its_records_and_gets_a_digest():
    path = begun(moves=3).journal.path
    key = folders.key().read_bytes()[: seal.KEY_BYTES]
    folders.key().write_bytes(key)
    assert len(read(path).entries) == 3
    begun(moves=1)
    assert folders.key().read_bytes() == add_digest(key)
    assert len(read(path).entries) == 3


def test_a_lost_key_is_told():
    path = begun(moves=3).journal.path
    folders.key().unlink()
    with pytest.raises(BadFile, match="is sealed"):
        read(path)
    assert not folders.key().exists()


@pytest.mark.parametrize("key", ["", "!", "QUJD", "A" * 44])
def test_an_end_counts_only_with_the_key(key):
    path = left(finished := begun())
    journal = JournalFile(path)
    journal.write_end(end_of(finished.state.result))
    journal.close()
    head, _ = path.read_bytes().rsplit(b'"key":"', 1)
    path.write_bytes(redigested(head + b'"key":"' + key.encode() + b'"}\n'))
    line = head.count(b"\n") + 1
    with pytest.raises(BadFile, match=f"is damaged at line {line}"):
        read(path)


@pytest.mark.parametrize(
    "line",
    [
        b'{"end":{}}',
        b'{"end":{"winners":[0],"scores":[9,1]}}',
        b'{"end":{},"key":"QUJD"}',
        b'{"concede":true}',
        b'{"seat":1,"concede":true,"told":[["said","x"]]}',
        b'{"undo":1}',
        b'{"withdraw":true}',
        b'{"deal":[]}',
        b'{"heard":[]}',
    ],
)
def test_no_line_that_is_added_opens_a_sealed_match(line):
    path = left(begun(moves=9))
    path.write_bytes(redigested(path.read_bytes() + line + b"\n"))
    with pytest.raises(BadFile, match="is damaged at line 12"):
        read(path)


def test_a_sealed_match_that_says_it_is_open_is_refused():
    path = left(begun(moves=9))
    for other in (b"open", b"curtain", b"stripped"):
        said = path.read_bytes().replace(b'"hidden":"sealed"', b'"hidden":"' + other + b'"')
        path.with_stem("odd").write_bytes(redigested(said))
        with pytest.raises(BadFile, match="is damaged at line 1"):
            read(path.with_stem("odd"))


@pytest.mark.parametrize("saved", [False, True], ids=["journal", "save"])
def test_nobody_takes_another_seat_in_a_sealed_match(saved, tmp_path):
    match = begun(moves=9)
    path = left(match)
    if saved:
        path = tmp_path / "saved.tabletop"
        save_as(match, path)
    content = path.read_bytes()
    swapped = content.replace(
        b'"Ann","symbol":"","kind":"person"', b'"Ann","symbol":"","kind":"bot"'
    )
    swapped = swapped.replace(
        b'"Bob","symbol":"","kind":"bot"', b'"Bob","symbol":"","kind":"person"'
    )
    assert swapped != content
    path.write_bytes(redigested(swapped))
    with pytest.raises(BadFile, match="is damaged at line 1"):
        read(path)


def test_a_name_does_not_lock_a_sealed_match():
    path = left(begun(moves=9))
    path.write_bytes(redigested(path.read_bytes() + b'{"name":"Friday","key":"QUJD"}\n'))
    assert read(path).name == "Friday"
    assert read(path).secret


def test_viewers_of_an_unfinished_match():
    def may_look(match: Match) -> tuple[int | None, ...]:
        record = read(match.journal.path)
        return permitted_viewers(record, plies(record)[-1].state)

    assert may_look(begun(moves=9)) == (0, AUDIENCE)
    assert may_look(begun(moves=9, players=(*WITH_BOT[1:], *WITH_BOT[1:]))) == (AUDIENCE,)
    assert may_look(begun(FRIENDS, 9)) == (0, 1, AUDIENCE, None)
    assert may_look(begun()) == (0, 1, AUDIENCE, None)


def test_comments_and_names_stay_readable():
    match = begun(moves=4)
    journal = match.journal
    journal.write_comment("Now!", 3)
    journal.write_name("Friday")
    content = journal.path.read_text("utf-8")
    assert '{"comment":"Now!","at":3,' in content
    assert '{"name":"Friday",' in content
    play(match, 2)
    record = read(journal.path)
    assert (record.comments, record.name, len(record.entries)) == ({3: "Now!"}, "Friday", 6)


def test_a_sealed_line_that_holds_a_sealed_line_is_refused():
    match = begun(moves=2)
    journal = match.journal
    inner = RecordLine(sealed="QUJD")
    journal._append(RecordLine(sealed=journal._seal.lock(encode_line(inner), journal._next)))
    with pytest.raises(BadFile, match="damaged at line 5"):
        read(journal.path)


def test_an_end_that_was_taken_back_is_none():
    match = begun()
    match.journal.write_end(End())
    assert read(match.journal.path).end is not None
    match.undo(None)
    assert read(match.journal.path).end is None


def test_a_full_disk_leaves_a_sealed_journal_as_it_was():
    match = begun(moves=4)
    journal = match.journal
    before = journal.path.read_bytes()
    with on_disk(journal, 20), pytest.raises(StorageError, match="the disk is full"):
        play(match, 1)
    assert journal.path.read_bytes() == before
    play(match, 3)
    assert read(journal.path).entries == tuple(match.record)
    assert len(match.record) == 7
