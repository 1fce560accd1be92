"""Statistics: what is counted once stays, and can be forgotten; no file brings the program down."""

import csv
import io
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tabletop.engine.model import Result, ScoreLine
from tabletop.files import file_lock, folders
from tabletop.files.database_file import schema_of
from tabletop.files.errors import StorageError
from tabletop.match.match import Player
from tabletop.storage import statistics_file
from tabletop.storage.statistics import (
    Partner,
    PlayedMatch,
    PlayerStatistics,
    Rival,
    SeatStatistics,
    Statistics,
    open_statistics,
)

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
MIO, REN = Player("Mio"), Player("Ren")
WEAK, STRONG = Player("Kuro", kind="bot", level="easy"), Player("Shiro", kind="bot", level="hard")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def kept() -> Iterator[Statistics]:
    with open_statistics() as statistics:
        yield statistics


def test_nothing_is_known_before_a_match(kept: Statistics) -> None:
    assert kept.list_people() == ()
    assert kept.totals("Mio", "sun") == PlayerStatistics()
    assert kept.rivals("Mio") == ()
    assert kept.to_csv().splitlines() == ["match,ended,game,seat,name,kind,level,won,score,figures"]


def played(kept: Statistics, key: str, players: tuple[Player, ...], *scores: int) -> None:
    """A match in which the highest score wins, one day after the match of the key before."""
    winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
    sheet = (
        ScoreLine("Attack {n}", scores, (), {"n": 1}),
        ScoreLine("Attack {n}", scores, (), {"n": 2}),
    )
    day = NOON + timedelta(days=int(key))
    kept.add_match(key, "sun", players, Result(winners, scores, sheet), day)


def test_matches_scores_and_victories_in_a_row(kept: Statistics) -> None:
    for key, scores in enumerate([(9, 3), (8, 1), (2, 7), (5, 4), (6, 5), (7, 0)]):
        played(kept, str(key), (MIO, REN), *scores)
    assert kept.list_people() == ("Mio", "Ren")
    assert kept.totals("Mio", "sun") == PlayerStatistics(6, 5, 9, 37 / 6, 3, 3)
    assert kept.totals("Ren", "sun") == PlayerStatistics(6, 1, 7, 20 / 6, 0, 1)
    assert kept.matches("Mio", "sun")[2] == PlayedMatch(NOON + timedelta(days=2), False, 2, "sun")
    assert kept.count_by_game("Mio") == {"sun": 6}
    assert kept.matches("Mio", "chains") == ()


def test_over_all_games_there_are_no_scores(kept: Statistics) -> None:
    played(kept, "1", (MIO, REN), 4, 1)
    kept.add_match("c", "chains", (MIO,), Result((), (9,)), NOON)
    assert kept.totals("Mio") == PlayerStatistics(2, 1, None, None, 1, 1)
    assert kept.count_by_game("Mio") == {"chains": 1, "sun": 1}


def test_a_match_counted_twice_counts_once_as_it_ended_last(kept: Statistics) -> None:
    played(kept, "1", (MIO, REN), 4, 1)
    played(kept, "1", (MIO, REN), 2, 3)
    assert kept.totals("Mio", "sun") == PlayerStatistics(1, 0, 2, 2.0, 0, 0)
    assert len(kept.line_statistics("Mio", "sun")) == 2


def test_a_match_given_up_has_a_winner_but_no_scores(kept: Statistics) -> None:
    kept.add_match("1", "sun", (MIO, REN), Result((1,), (), (), "{seat} conceded.", {"seat": 0}))
    assert kept.totals("Ren", "sun") == PlayerStatistics(1, 1, None, None, 1, 1)
    assert kept.matches("Mio", "sun")[0].score is None


def test_the_lines_of_the_score_sheet(kept: Statistics) -> None:
    played(kept, "1", (MIO, REN), 4, 1)
    played(kept, "2", (REN, MIO), 9, 1)
    first, second = kept.line_statistics("Mio", "sun")
    assert first.line == ScoreLine("Attack {n}", (), (), {"n": 1})
    assert (first.mean, first.best, first.matches) == (2.5, 4, 2)
    assert second.line.args == {"n": 2}


def test_the_log_is_behind_the_score_sheet(kept: Statistics) -> None:
    result = Result((0,), (4, 1), (ScoreLine("Attack {n}", (4, 1), (), {"n": 1}),))
    for key, magic in (("1", (3, 0)), ("2", (5, 1))):
        told = (ScoreLine("Magic used", magic),)
        kept.add_match(key, "sun", (MIO, REN), result, NOON, told)
    sheet, log = kept.line_statistics("Mio", "sun")
    assert (sheet.line.text, sheet.tally) == ("Attack {n}", False)
    assert (log.line.text, log.tally, log.mean, log.best) == ("Magic used", True, 4.0, 5)
    assert kept.to_csv().splitlines()[1].endswith("Attack 1: 4; Magic used: 3")


def test_results_are_counted_by_seat(kept: Statistics) -> None:
    played(kept, "1", (MIO, REN), 4, 1)
    played(kept, "2", (REN, MIO), 9, 1)
    played(kept, "3", (REN, MIO), 1, 9)
    assert kept.seat_statistics("Mio", "sun") == (SeatStatistics(0, 1, 1), SeatStatistics(1, 2, 1))
    assert kept.seat_statistics("Mio", "chains") == ()


def test_rivals_are_persons_by_name_and_bots_by_level(kept: Statistics) -> None:
    played(kept, "1", (MIO, REN, WEAK), 4, 1, 2)
    played(kept, "2", (MIO, WEAK, STRONG), 4, 9, 2)
    played(kept, "3", (MIO, REN), 4, 4)
    played(kept, "4", (MIO, WEAK, WEAK), 4, 1, 2)
    assert kept.rivals("Mio", "sun") == (
        Rival("easy", True, 3, 2, 1),
        Rival("Ren", False, 2, 2, 1),
        Rival("hard", True, 1, 0, 0),
    )
    assert kept.list_people() == ("Mio", "Ren"), "bots are no people"


PAIRS = ((0, 2), (1, 3))


def test_partners_win_together_and_are_no_rivals(kept: Statistics) -> None:
    for key, winners in (("1", (0, 2)), ("2", (1, 3)), ("3", (0, 2))):
        result = Result(winners, (0,) * 4, teams=PAIRS)
        kept.add_match(key, "tricks", (MIO, REN, STRONG, WEAK), result, NOON)
    assert kept.totals("Mio").won == 2
    assert kept.partners("Mio") == (Partner("hard", True, 3, 2),)
    assert kept.rivals("Mio") == (Rival("Ren", False, 3, 2, 1), Rival("easy", True, 3, 2, 1))
    assert kept.partners("Ren", "tricks") == (Partner("easy", True, 3, 1),)
    assert kept.partners("Ren", "sun") == ()


def test_statistics_from_before_there_were_teams_go_on() -> None:
    before = sqlite3.connect(folders.statistics())
    before.executescript(statistics_file.TABLES)
    before.execute("PRAGMA user_version = 1")
    before.execute("INSERT INTO match VALUES (1, 'old', 'sun', '2026-05-01T12:00:00+00:00')")
    before.execute("INSERT INTO seat VALUES (1, 0, 'Mio', 'person', '', 1, 4)")
    before.commit()
    before.close()
    with open_statistics() as kept:
        kept.add_match("new", "tricks", (MIO, REN, MIO, REN), Result((), (), teams=PAIRS), NOON)
        assert kept.totals("Mio", "sun").won == 1
        assert [partner.name for partner in kept.partners("Ren")] == ["Ren"]


def test_a_forgotten_player_leaves_the_others_their_matches(kept: Statistics) -> None:
    played(kept, "1", (MIO, REN), 4, 1)
    played(kept, "2", (MIO, WEAK), 4, 1)
    kept.forget_player("Mio")
    assert kept.list_people() == ("Ren",)
    assert kept.totals("Ren", "sun").played == 1
    assert kept.rivals("Ren") == ()
    assert "Mio" not in kept.to_csv()
    assert len(kept.to_csv().splitlines()) == 3, "a match that nobody is left of is gone"


def test_the_table_is_read_by_spreadsheets_and_runs_nothing(kept: Statistics) -> None:
    played(kept, "1", (Player('=HYPERLINK("x"),"'), REN), 4, 1)
    head, first, second = csv.reader(io.StringIO(kept.to_csv()))
    assert dict(zip(head, first, strict=True)) == {
        "match": "1",
        "ended": "2026-05-02T12:00:00+00:00",
        "game": "sun",
        "seat": "1",
        "name": '\'=HYPERLINK("x"),"',
        "kind": "person",
        "level": "",
        "won": "1",
        "score": "4",
        "figures": "Attack 1: 4; Attack 2: 4",
    }
    assert second[4] == "Ren"


def test_a_damaged_files_rollback_is_ignored(home: Path) -> None:
    folders.statistics().write_bytes(b"no database")
    beside = home / "statistics.sqlite-journal"
    beside.write_bytes(b"what SQLite would roll back")
    with open_statistics() as kept:
        played(kept, "1", (MIO, REN), 4, 1)
    assert not beside.exists()
    assert len(list(home.glob("statistics.sqlite.broken-*-journal"))) == 1


def test_a_file_of_a_newer_version_is_left_alone() -> None:
    with open_statistics():
        pass
    with sqlite3.connect(folders.statistics()) as base:
        base.execute("PRAGMA user_version = 99")
    with pytest.raises(StorageError, match="newer version"), open_statistics():
        pass


def test_an_unwritable_file_is_named_in_a_sentence(home: Path) -> None:
    with open_statistics() as kept:
        other = sqlite3.connect(folders.statistics())
        kept._base.execute("PRAGMA busy_timeout = 1")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StorageError, match="database is locked"):
            played(kept, "1", (MIO, REN), 4, 1)
        other.close()
        assert kept.list_people() == ()


def test_a_folder_that_cannot_be_made_is_named_in_a_sentence(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "file").touch()
    monkeypatch.setenv("TABLETOP_HOME", str(home / "file"))
    with pytest.raises(StorageError, match="Can't write"), open_statistics():
        pass


def test_a_file_is_checked_again_once_it_changes() -> None:
    with open_statistics() as kept:
        kept.add_match("one", "sun", (MIO, REN), Result((0,), (3, 2), ()), NOON)
    for _ in range(2):
        with open_statistics() as kept:
            assert kept.list_people() == ("Mio", "Ren")
    path = folders.statistics()
    content = path.read_bytes()
    path.write_bytes(content.replace(b"Mio", b"\xff\xfe\xfd"))
    with open_statistics() as kept:
        assert kept.list_people() == ()
    assert list(path.parent.glob("statistics.sqlite.broken-*"))


def test_another_window_meets_all_tables_or_none(home: Path) -> None:
    path = folders.statistics()
    seen: list[list[tuple[str, str]]] = []
    with sqlite3.connect(path) as own, sqlite3.connect(path) as other:

        def look(_: str) -> None:
            seen.append(schema_of(other))

        own.set_trace_callback(look)
        statistics_file._prepare_tables(own, path)
        own.set_trace_callback(None)
        look("")
        assert [] in seen
        assert all(tables in ([], seen[-1]) for tables in seen)
        statistics_file._create_tables(other, statistics_file.TABLES + statistics_file.TEAM_TABLE)
    own.close()
    other.close()
    with open_statistics() as kept:
        played(kept, "1", (MIO, REN), 4, 1)
    assert list(home.glob("*.broken-*")) == []


def test_a_box_counts_matches_and_own_wins_apart(kept: Statistics) -> None:
    played(kept, "1", (MIO, REN), 3, 1)
    played(kept, "2", (MIO, REN), 1, 3)
    played(kept, "3", (MIO, WEAK), 1, 3)
    box = kept.statistics_by_game(["Mio"])["sun"]
    assert (box.played, box.won) == (3, 1)
    assert (
        kept.statistics_by_game(["Ren"])["sun"].played,
        kept.statistics_by_game(["Ren"])["sun"].won,
    ) == (2, 1)
    assert kept.statistics_by_game(["Mio", "Ren"])["sun"].won == 2, "two names of one person"


def test_where_no_locks_are_known_the_file_is_written_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with open_statistics() as kept:
        played(kept, "1", (MIO, REN), 4, 1)
    with sqlite3.connect(folders.statistics()) as held:  # as such a disk has SQLite believe
        held.execute("BEGIN EXCLUSIVE")
        with monkeypatch.context() as disk:
            disk.setattr(file_lock, "supports_range_locks", lambda file: False)
            with open_statistics(0) as kept:
                played(kept, "2", (MIO, REN), 1, 4)
        held.rollback()
    held.close()
    with open_statistics() as kept:
        assert [each.won for each in kept.matches("Mio")] == [True, False]
