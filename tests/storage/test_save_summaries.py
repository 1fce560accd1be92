"""Save summaries in a list need no replay, and are never wrong."""

import os
import random
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tabletop.catalogue import catalogue
from tabletop.engine.mask import mask
from tabletop.engine.model import AUDIENCE
from tabletop.files import folders
from tabletop.match.match import Match, Player
from tabletop.storage import record, record_index, save_summaries, saved_matches
from tabletop.storage.plies import plies
from tabletop.storage.record import Record
from tests.storage.played_matches import play
from tests.storage.tidied import tidy

SUN = catalogue.load("sun")
PEOPLE = (Player("Ann"), Player("Bea"))
WITH_BOT = (Player("Ann"), Player("Bob", kind="bot", level="easy"))


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of all files that were played through."""
    names: list[str] = []

    def noting(read: Record) -> object:
        names.append(read.path.name)
        return plies(read)

    monkeypatch.setattr(save_summaries, "plies", noting)
    return names


def begun(players: tuple[Player, ...] = PEOPLE, moves: int = 5) -> Match:
    match = saved_matches.begin(SUN, players)
    play(match, moves)
    return match


def left(match: Match) -> Path:
    """The file of a match that is left as a window leaves it."""
    match.journal.close()
    save_summaries.save_summary(match.journal.path, match)
    return match.journal.path


def known_names() -> set[str]:
    """The names of the records that the index knows."""
    with closing(sqlite3.connect(folders.record_index())) as index:
        return {name.decode() for (name,) in index.execute("SELECT name FROM entry")}


@pytest.mark.parametrize("players", [PEOPLE, WITH_BOT])
def test_a_left_match_is_listed_without_replaying_it(
    players: tuple[Player, ...], played: list[str]
) -> None:
    match = begun(players)
    path = left(match)
    tidy()
    (saved,) = saved_matches.unfinished_matches()[0]
    assert played == []
    assert (saved.path, saved.players) == (path, players)
    assert saved.view == mask(match.state, AUDIENCE)


def test_one_that_nobody_has_left_is_played_through_once(played: list[str]) -> None:
    match = begun()
    for _ in range(3):
        tidy()
        (saved,) = saved_matches.unfinished_matches()[0]
    assert saved.view == mask(match.state, AUDIENCE)
    assert played == [match.journal.path.name]
    play(match, 1)
    (saved,) = saved_matches.unfinished_matches()[0]
    assert saved.view == mask(match.state, AUDIENCE)
    assert len(played) == 2


def test_a_listed_match_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    path = left(begun())
    opened: list[str] = []
    monkeypatch.setattr(record, "read_regular", lambda file, _: opened.append(file.name))
    tidy()
    (saved,) = saved_matches.unfinished_matches()[0]
    assert (saved.path, opened) == (path, [])


def test_a_list_holds_no_seed() -> None:
    match = begun()
    for _ in range(2):
        (saved,) = saved_matches.unfinished_matches()[0]
        assert saved.header.seed == ""
    assert match.seed.encode() not in folders.record_index().read_bytes()


def test_a_name_is_known_without_a_replay(played: list[str]) -> None:
    path = left(begun())
    saved_matches.rename(path, "Friday")
    assert saved_matches.unfinished_matches()[0][0].name == "Friday"
    assert played == []


def test_a_sealed_matchs_summary_shows_nothing_hidden() -> None:
    match = begun(WITH_BOT, 9)
    left(match)
    assert match.seed.encode() not in folders.record_index().read_bytes()
    (saved,) = saved_matches.unfinished_matches()[0]
    assert saved.view == mask(match.state, AUDIENCE)
    assert saved.view != match.state


def test_a_sealed_match_without_its_key_is_not_playable() -> None:
    left(begun(WITH_BOT))
    folders.key().unlink()
    found, (bad,) = saved_matches.unfinished_matches()
    assert found == ()
    assert "is sealed until its match is over" in str(bad)


@pytest.mark.skipif(sys.platform == "win32", reason="it keeps no time that cannot be set back")
def test_one_changed_byte_of_the_record_is_noticed(played: list[str]) -> None:
    path = left(begun(WITH_BOT))
    good, stat = path.read_bytes(), path.stat()
    at = len(good) - 40
    path.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    found, (bad,) = saved_matches.unfinished_matches()
    assert found == ()
    assert "is damaged at line" in str(bad)


def test_a_changed_byte_of_a_summary_is_noticed(played: list[str]) -> None:
    match = begun()
    left(match)
    chance = random.Random("summary")
    for number in range(1, 21):
        with sqlite3.connect(folders.record_index()) as index:
            (good,) = index.execute("SELECT content FROM entry").fetchone()
            at = chance.randrange(len(good))
            bad = good[:at] + bytes([good[at] ^ 64]) + good[at + 1 :]
            index.execute("UPDATE entry SET content = ?", (bad,))
        index.close()
        (saved,) = saved_matches.unfinished_matches()[0]
        assert saved.view == mask(match.state, AUDIENCE)
        assert len(played) == number


def test_a_summary_of_another_program_is_made_anew(
    played: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    left(begun())
    monkeypatch.setattr(record_index, "__version__", "99.0")
    assert len(saved_matches.unfinished_matches()[0]) == 1
    assert len(played) == 1


def test_summaries_go_with_their_matches() -> None:
    first, second = left(begun()), left(begun())
    assert known_names() == {first.name, second.name}
    saved_matches.move_to_trash(first)
    tidy()
    assert known_names() == {second.name}


def test_summaries_in_files_of_their_own_are_cleared_away() -> None:
    former = folders.cache() / "matches"
    former.mkdir(parents=True)
    (former / "sun.tabletop.glimpse").write_bytes(b"a summary")
    tidy()
    assert not former.exists()


def test_without_a_cache_everything_is_listed_all_the_same(home: Path) -> None:
    home.mkdir()
    folders.cache().write_text("no folder")
    match = begun()
    left(match)
    tidy()
    assert saved_matches.unfinished_matches()[0][0].view == mask(match.state, AUDIENCE)
