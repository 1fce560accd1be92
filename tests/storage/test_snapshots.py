"""A long match is gone on with as it was left: the same as if it was played through."""

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.bots.random_bot import RandomBot
from tabletop.catalogue import catalogue
from tabletop.files import folders
from tabletop.match.link import Local
from tabletop.match.match import FairStart, Match, Player
from tabletop.storage import record, record_lines, save_summaries, saved_matches, snapshots
from tabletop.storage.journal import JournalFile
from tabletop.storage.record import read, replay
from tabletop.storage.record_lines import RecordLine

PEOPLE = tuple(Player(f"P{n}") for n in range(4))
WITH_BOT = (*PEOPLE[1:], Player("Bot", kind="bot", level="easy"))


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))


def play(match: Match, moves: int, luck: str = "snapshots") -> None:
    bot, links = RandomBot(luck), [Local(match, seat) for seat in range(len(match.players))]
    for _ in range(moves):
        link = next(link for link in links if match.asks(link.seat))
        link.send(bot.answer(link, match.asks(link.seat)[0]))


def begun(players: tuple[Player, ...] = PEOPLE, moves: int = 90) -> Match:
    kit = catalogue.load("royale")
    match = saved_matches.begin(kit, players, seed="a long match")
    play(match, moves)
    match.undo(None)
    play(match, 2)
    return match


def left(match: Match) -> Path:
    """The file of a match that is left as a window leaves it."""
    assert isinstance(match.journal, JournalFile)
    match.journal.close()
    save_summaries.remember(match)
    return match.journal.path


def kept() -> Path:
    (snapshot,) = folders.seen().glob("*.snapshot")
    return snapshot


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many moves were played, of each match that was opened."""
    counts: list[int] = []
    go_on = record.go_on

    def noting(match: Match, found: record.Record, first: int, behind: int | None = None) -> None:
        counts.append(len(found.entries[first:behind]))
        go_on(match, found, first, behind)

    monkeypatch.setattr(record, "go_on", noting)
    monkeypatch.setattr(snapshots, "go_on", noting)
    return counts


def same(one: Match, other: Match) -> None:
    """Everything about two matches is equal, early tables too."""
    assert one.state == other.state
    assert one.record == other.record
    assert (one.players, one.seed, one.takebacks) == (other.players, other.seed, other.takebacks)
    for viewer in one.viewers:
        assert one.reset(viewer) == other.reset(viewer)
    assert list(one.disclosures) == list(other.disclosures)
    assert len(one.plies) == len(other.plies)
    assert one.plies == other.plies


@pytest.mark.parametrize("players", [PEOPLE, WITH_BOT], ids=["open", "sealed"])
def test_a_match_that_was_left_is_the_same_without_being_played(
    players: tuple[Player, ...], played: list[int]
) -> None:
    match = begun(players)
    again = saved_matches.resume(left(match))
    assert played == [0]
    same(again, match)
    match.journal = None
    for each in (again, match):
        play(each, 20, "on")
    same(again, match)


@pytest.mark.parametrize("players", [PEOPLE, WITH_BOT], ids=["open", "sealed"])
def test_lines_that_a_snapshot_covers_are_not_read_again(
    players: tuple[Player, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = left(begun(players))
    again = saved_matches.resume(path)
    play(again, 3, "behind the snapshot")
    assert isinstance(again.journal, JournalFile)
    again.journal.close()
    before = len(path.read_bytes().splitlines()) - 3
    taken: list[int] = []
    read_line = record_lines.read_line

    def noting(line: bytes, number: int, name: str) -> RecordLine:
        taken.append(number)
        return read_line(line, number, name)

    monkeypatch.setattr(record_lines, "read_line", noting)
    match, _ = snapshots.resumed(path)
    assert sorted(set(taken)) == [before + 1, before + 2, before + 3]
    same(match, again)


def test_what_the_seed_was_made_of_is_known_without_reading(tmp_path: Path) -> None:
    fair = FairStart("table", 1, "seal", "share", {0: "a"}, {0: "b"}, restarts=2)
    match = begun()
    whole = replace(record.record_of(match, tmp_path / "one.tabletop"), fair=fair)
    again = saved_matches.take_in(whole, folders.matches() / "one.tabletop")
    play(again, 1)
    assert saved_matches.resume(left(again)).fair_start == fair


@pytest.mark.parametrize("count", [1, 29, 30, 50])
def test_moves_are_taken_back_beyond_what_the_snapshot_holds(count: int) -> None:
    match = begun()
    again = saved_matches.resume(left(match))
    for each in (again, match):
        each.journal = None
        for _ in range(count):
            each.undo(None)
        play(each, 5, "another way")
    same(again, match)


@pytest.mark.parametrize("players", [PEOPLE, WITH_BOT], ids=["open", "sealed"])
def test_what_was_played_after_it_was_left_is_played_on(
    players: tuple[Player, ...], played: list[int]
) -> None:
    path = left(begun(players))
    again = saved_matches.resume(path)
    play(again, 7, "then it is killed")
    again.journal.close()  # type: ignore[union-attr]
    third = saved_matches.resume(path)
    assert played == [0, 7]
    same(third, again)


def test_a_sealed_match_keeps_nothing_open() -> None:
    match = begun(WITH_BOT)
    left(match)
    content = kept().read_bytes()
    assert b"made_known" not in content
    assert match.seed.encode() not in content
    begin_open = begun(PEOPLE)
    kept().unlink()
    left(begin_open)
    assert b"made_known" in kept().read_bytes(), "where the record is open it is too"


def test_a_snapshot_of_other_bytes_or_damaged_is_not_believed(played: list[int]) -> None:
    match = begun(WITH_BOT)
    path = left(match)
    good, chance = kept().read_bytes(), random.Random("snapshot")
    for _ in range(8):
        at = chance.randrange(len(good))
        kept().write_bytes(good[:at] + bytes([good[at] ^ 2]) + good[at + 1 :])
        played.clear()
        same(snapshots.resumed(path)[0], match)
        assert played == [len(match.record)]
    other = left(begun(WITH_BOT, 60))
    snapshots.place(path).write_bytes(snapshots.place(other).read_bytes())
    played.clear()
    same(snapshots.resumed(path)[0], match)
    assert played == [len(match.record)]


def test_a_snapshot_of_another_program_is_not_believed(
    played: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begun()
    path = left(match)
    monkeypatch.setattr(snapshots, "__version__", "99.0")
    same(snapshots.resumed(path)[0], match)
    assert played == [len(match.record)]


def test_a_record_that_was_cut_short_is_played_through(played: list[int]) -> None:
    path = left(begun())
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-3]))
    found = read(path)
    same(snapshots.resumed(path)[0], replay(found))
    assert played[0] == len(found.entries)


def test_short_matches_have_none() -> None:
    left(begun(moves=10))
    assert list(folders.seen().glob("*.snapshot")) == []
