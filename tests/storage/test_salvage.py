"""A damaged record is good up to its last move before that, to be watched and gone on with."""

import random
from contextlib import suppress
from pathlib import Path
from unittest.mock import ANY

import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.files import folders
from tabletop.files.errors import BadFile, RulesMismatch, StorageError
from tabletop.match.match import Match, Player
from tabletop.storage import saved_matches
from tabletop.storage.damaged_matches import can_repair, repair_match
from tabletop.storage.journal import JournalFile
from tabletop.storage.plies import permitted_viewers, plies
from tabletop.storage.record import public_record, read, record_of, replay, save, save_as
from tabletop.storage.salvage import salvage_record
from tests.storage.played_matches import begun, play
from tests.storage.redigested import redigested, undigested

SUN = catalogue.load("sun")


def waiting(moves: int = 9, kind: str = "person") -> tuple[Match, Path]:
    """A match that waits, and its file."""
    match = saved_matches.begin(SUN, (Player("Ann"), Player("Bob", kind=kind)), seed="salvage")
    play(match, moves)
    match.journal.close()
    return match, match.journal.path


def damage(path: Path, line: int) -> bytes:
    """Change a byte in the middle of a line; gives the content before."""
    content = path.read_bytes()
    lines = content.splitlines(keepends=True)
    lines[line - 1] = lines[line - 1][:30] + b"~" + lines[line - 1][31:]
    path.write_bytes(b"".join(lines))
    return content


@pytest.mark.parametrize("kind", ["person", "bot"])
@pytest.mark.parametrize("line", [3, 7, 11])
def test_lines_before_the_damage_are_good(line: int, kind: str) -> None:
    match, path = waiting(kind=kind)
    damage(path, line)
    with pytest.raises(BadFile, match=f"is damaged at line {line}"):
        read(path)
    record = salvage_record(path)
    assert record.entries == tuple(match.record[: line - 3])
    assert record.broken.args == {"file": path.name, "line": line}
    assert record.secret == (kind == "bot")


def test_a_good_file_has_nothing_broken() -> None:
    match, path = waiting()
    assert salvage_record(path) == read(path)
    assert salvage_record(path).broken is None
    path.write_bytes(path.read_bytes()[:-5])
    assert salvage_record(path).broken is None
    assert salvage_record(path).entries == tuple(match.record[:-1])


def test_an_illegal_move_ends_the_good_part() -> None:
    match, path = waiting()
    lines = undigested(path.read_bytes()).splitlines(keepends=True)
    lines[5], lines[6] = lines[6], lines[5]
    for content in (b"".join(lines), redigested(b"".join(lines))):
        path.write_bytes(content)
        record = salvage_record(path)
        assert record.entries == tuple(match.record[:3])
        assert "Line 6 of" in record.broken.text.format(**record.broken.args)


@pytest.mark.parametrize("kind", ["person", "bot"])
def test_names_may_be_garbled_as_long_as_the_deal_is_the_same(kind: str) -> None:
    match, path = waiting(kind=kind)
    good = path.read_bytes()
    path.write_bytes(good.replace(b'"Ann"', b'"Anm"', 1))
    with pytest.raises(BadFile, match="is damaged at line 1"):
        read(path)
    assert salvage_record(path).entries == tuple(match.record)
    known = "Ann" if kind == "bot" else "Anm"  # a sealed deal has the players
    assert salvage_record(path).header.players[0].name == known


@pytest.mark.parametrize(
    ("old", "new"), [(b'"game":"sun"', b'"game":"sum"'), (b"salvage", b"salvagf")]
)
def test_of_another_game_or_seed_nothing_is_good(old: bytes, new: bytes) -> None:
    _, path = waiting()
    assert old in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(old, new, 1))
    with pytest.raises(BadFile):
        salvage_record(path)


@pytest.mark.parametrize("content", [b"", b"hello\n", b'{"tabletop":9}\n', b'{"tabletop":2}\n'])
def test_other_files_have_no_good_part(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "odd.tabletop"
    path.write_bytes(content)
    with pytest.raises(BadFile):
        salvage_record(path)


def test_a_finished_record_without_its_end_stays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, path = waiting(10_000, "bot")
    path = saved_matches.move_to_replays(path)
    damage(path, 9)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "another home"))
    record = salvage_record(path)
    assert record.entries == tuple(match.record[:6])
    assert not record.secret
    assert None in permitted_viewers(record, plies(record)[-1].state)


def test_a_stripped_one_is_watched_as_far_as_it_is_good(tmp_path: Path) -> None:
    match, path = begun("chains", 8), tmp_path / "public.tabletop"
    save(public_record(record_of(match, path), match), path)
    damage(path, 6)
    record = salvage_record(path)
    assert len(plies(record)) == 4
    with pytest.raises(RulesMismatch):
        repair_match(path)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("kind", ["person", "bot"])
def test_a_match_goes_on_in_a_copy_and_the_damaged_file_is_kept(kind: str) -> None:
    match, path = waiting(kind=kind)
    saved_matches.picture_path(path).write_bytes(b"picture")
    damage(path, 8)
    broken = path.read_bytes()
    found, (told,) = saved_matches.unfinished_matches()
    assert found == ()
    assert told.path == path
    assert can_repair(told)

    copy, aside = repair_match(path)
    assert aside.read_bytes() == broken
    assert aside.name.startswith(path.name + ".broken-")
    assert not path.exists()
    (saved,), bad = saved_matches.unfinished_matches()
    assert (saved.path, bad) == (copy, ())
    assert saved.picture is not None
    again = saved_matches.resume(copy)
    assert again.record == match.record[:5]
    assert again.seed == match.seed
    play(again)
    again.journal.close()
    assert replay(read(copy)).state.result is not None


def test_a_match_that_was_over_lies_among_the_replays_then() -> None:
    match, path = waiting(10_000)
    journal = JournalFile(path)
    journal.write_name("Friday")
    journal.close()
    damage(path, len(path.read_bytes().splitlines()))
    copy, aside = repair_match(path)
    assert copy.parent == folders.replays()
    assert aside.exists()
    assert read(copy).end is not None
    assert replay(read(copy)).state == match.state


@pytest.mark.parametrize("kind", ["person", "bot"])
@pytest.mark.parametrize("line", [8, -1])
def test_a_damaged_replay_is_still_listed(line: int, kind: str) -> None:
    _, path = waiting(10_000, kind)
    kept = saved_matches.move_to_replays(path)
    (listed,), _ = saved_matches.finished_matches()
    lines = kept.read_bytes().splitlines(keepends=True)
    lines[line] = lines[line].replace(b'"', b"'", 1)
    kept.write_bytes(b"".join(lines))
    assert saved_matches.finished_matches() == ((replace(listed, changed=ANY),), ())
    lines[line] = lines[line].replace(b"'", b'"', 1).replace(b"[0]", b"[1]", 1)
    kept.write_bytes(b"".join(lines))
    assert [each.end for each in saved_matches.finished_matches()[0]] == [listed.end]


def test_a_replay_that_lost_its_end_is_listed_with_its_reason() -> None:
    _, path = waiting(10_000)
    kept = saved_matches.move_to_replays(path)
    damage(kept, len(kept.read_bytes().splitlines()))
    damage(kept, 8)
    found, bad = saved_matches.finished_matches()
    assert found == ()
    assert [str(each) for each in bad] == [f'"{kept.name}" is damaged at line 8.']


def test_another_windows_match_is_left_alone() -> None:
    _, path = waiting()
    journal = JournalFile(path)
    damage(path, 8)
    before = path.read_bytes()
    with pytest.raises(StorageError, match="is open in another window"):
        repair_match(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]
    journal.close()


def test_only_damaged_matches_are_continued_in_a_copy() -> None:
    _, path = waiting()
    assert not can_repair(BadFile("odd"))
    path.write_bytes(path.read_bytes().replace(b'"rules":1', b'"rules":0'))
    _, (told,) = saved_matches.unfinished_matches()
    assert not can_repair(told)


def test_the_good_part_is_true_wherever_the_damage_is(tmp_path: Path) -> None:
    chance, path = random.Random("salvage"), tmp_path / "match.tabletop"
    match = begun("sun", 20)
    save_as(match, path)
    content = path.read_bytes()
    for _ in range(150):
        spot = bytearray(content)
        for _ in range(chance.randrange(1, 4)):
            spot[chance.randrange(len(spot))] = chance.randrange(256)
        path.write_bytes(spot)
        with suppress(BadFile):
            record = salvage_record(path)
            assert record.entries == tuple(match.record[: len(record.entries)])
            assert plies(record)
