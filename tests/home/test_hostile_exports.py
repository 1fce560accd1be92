"""The worst that a stranger can put into an export of a home, one kind each."""

import json
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.engine.model import Result
from tabletop.files import folders
from tabletop.files.errors import BadFile
from tabletop.files.small_file import add_digest
from tabletop.home.home_file import MAX_FOLDERS
from tabletop.home.known_hosts import KnownHosts
from tabletop.match.match import Player
from tabletop.storage import settings
from tabletop.storage.statistics import open_statistics
from tests.home.crafted_exports import imported


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def entry(name: str, **headers: str) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.pax_headers = {key.replace("__", "."): value for key, value in headers.items()}
    return info


def test_more_folders_than_anybody_has_are_refused_unwritten(tmp_path: Path, home: Path) -> None:
    many = [(f"games/g{number}/x", b"") for number in range(MAX_FOLDERS + 1)]
    with pytest.raises(BadFile, match="holds more than 2000 folders"):
        imported(tmp_path, *many)
    assert list(home.iterdir()) == []


@pytest.mark.parametrize(
    "headers",
    [
        {"GNU__sparse__size": "99999999999", "GNU__sparse__map": "0,1"},
        {"GNU__sparse__major": "0", "GNU__sparse__map": "0,1", "GNU__sparse__size": "1" * 12},
        {"comment": "9" * 3000},
        {"comment": "x" * 100_000},
        {"path": "../outside.tabletop"},
    ],
)
def test_an_odd_header_is_refused(headers: dict[str, str], tmp_path: Path, home: Path) -> None:
    with pytest.raises(BadFile, match=r"no whole file|not made by"):
        imported(tmp_path, (entry("matches/a.tabletop", **headers), b"x"))
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("time", [-5.0, 1e18, 253_402_300_800.0])
def test_a_file_of_no_time_is_a_new_one(time: float, tmp_path: Path) -> None:
    info = tarfile.TarInfo("matches/a.tabletop")
    info.mtime = time
    imported(tmp_path, (info, b"x"))
    assert 0 < (folders.matches() / "a.tabletop").stat().st_mtime < 10_000_000_000


VISIT = {
    "place": {"hosts": ["192.0.2.1"], "port": 1},
    "ticket": {"table": "t", "seats": {"1": "token"}},
    "name": "Friday",
    "game": "sun",
    "visited": "2026-05-01T12:00:00Z",
}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("visited", "0001-01-01T00:00:00+14:00"),
        ("visited", "0001-01-01T00:00:00"),
        ("visited", "2026-05-01T12:00:00"),
        ("visited", "9999-12-31T23:59:59-14:00"),
        ("waited", 2**64 - 1),
        ("waited", -1),
        ("place", {"hosts": ["192.0.2.1"], "port": 2**70}),
        ("place", {"hosts": []}),
        ("ticket", {"table": "t", "seats": {str(2**40): "token"}}),
        ("ticket", {"table": "t", "starts": {"unfinished": 2**64 - 1}}),
    ],
)
def test_a_way_back_that_cannot_be_is_left(
    field: str, value: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    KnownHosts(folders.known_hosts()).trust("club", "cd" * 32)
    for sound in (False, True):
        visit = VISIT if sound else VISIT | {field: value}
        content = json.dumps({"tables": {"t": visit}}).encode()
        assert imported(tmp_path, ("keyring.json", add_digest(content))).remarks == []
        hosts = KnownHosts(folders.known_hosts())
        assert [back.name for back in hosts.rejoinable_tables] == ["Friday"] * sound
        assert hosts.fingerprint_of("club") == "cd" * 32


def test_settings_that_would_fill_the_file_are_left(tmp_path: Path) -> None:
    ours = replace(settings.Settings(), players=("Ann",), keys={"a": "x" * 500_000})
    settings.save(ours)
    theirs = {"keys": {"b": "y" * 900_000}}
    merged = imported(tmp_path, ("settings.json", json.dumps(theirs).encode()))
    assert merged.remarks == ['"settings.json" would be too large.']
    now, problem = settings.load()
    assert (now.players, [*now.keys], problem) == (("Ann",), ["a"], None)


def test_settings_of_no_program_are_left(tmp_path: Path) -> None:
    settings.save(replace(settings.Settings(), players=("Ann",)))
    deep = b'{"other":' * 300 + b"1" + b"}" * 300
    theirs = b'{"theme": "dark", "other": %s, "tables": {"sun": {"seats": [], "other": %s}}}'
    assert imported(tmp_path, ("settings.json", theirs % (deep, deep))).remarks == []
    assert (settings.load()[0].players, settings.load()[0].theme) == (("Ann",), "dark")
    assert b"other" not in folders.settings().read_bytes()


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TRIGGER t AFTER INSERT ON seat BEGIN DELETE FROM match; END",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TABLE t (a CHECK (length(hex(randomblob(99999999))) > 0))",
        "UPDATE seat SET won = 9223372036854775807",
        "UPDATE seat SET score = -9223372036854775808",
        "UPDATE match SET ended = '0001-01-01T00:00:00+14:00'",
        "UPDATE match SET ended = '9999-12-31T23:59:59-14:00'",
        "UPDATE match SET key = CAST(zeroblob(5000000) AS TEXT)",
        "UPDATE seat SET name = CAST(x'ff' AS TEXT)",
        "UPDATE figure SET args = '" + '{"a":' * 2000 + "1" + "}" * 2000 + "'",
    ],
)
def test_statistics_that_no_match_leaves_are_left(sql: str, tmp_path: Path) -> None:
    with open_statistics() as kept:
        kept.add_match("theirs", "sun", (Player("Theo"), Player("Bea")), Result((0,), (5, 3)))
        content = kept.to_bytes()
    folders.statistics().unlink()
    with open_statistics() as kept:
        kept.add_match("ours", "sun", (Player("Ann"), Player("Bea")), Result((0,), (5, 3)))
    with closing(sqlite3.connect(":memory:")) as base:
        base.deserialize(content)
        base.execute("INSERT INTO figure VALUES (1, 0, 0, 'a', '{}', 1)")
        base.execute(sql)
        base.commit()
        content = base.serialize()
    assert imported(tmp_path, ("statistics.sqlite", content)).remarks == [
        '"statistics.sqlite" of the other computer was damaged: its statistics are missing.'
    ]
    with open_statistics() as kept:
        assert kept.list_people() == ("Ann", "Bea")
        assert [seat.won for seat in kept.seat_statistics("Ann", "sun")] == [1]


def test_a_folder_that_is_no_game_is_left(tmp_path: Path) -> None:
    merged = imported(tmp_path, ("games/pond/notes.txt", b"x"), ("games/sea/cards.toml", b""))
    assert merged.remarks == [
        'The game in "pond" was not taken in: it isn\'t a game, or is damaged.'
    ]
    assert [path.name for path in folders.games().iterdir()] == ["sea"]


def test_a_table_that_is_none_is_left(tmp_path: Path) -> None:
    merged = imported(tmp_path, ("hosted/a.table", b"[" * 100_000), ("hosted/b.table", b"{}"))
    assert merged.remarks == ['"a.table" is no table.', '"b.table" is no table.']
    assert not folders.hosted().exists() or list(folders.hosted().iterdir()) == []


def test_a_received_game_without_a_note_is_refused(tmp_path: Path) -> None:
    merged = imported(
        tmp_path,
        ("received/pond-0123456789ab/cards.toml", b""),
        ("received/sea-0123456789ab/received.json", b"[" * 100_000),
    )
    why = "its note on where it came from is missing or damaged"
    assert merged.remarks == [
        f'The game in "{name}-0123456789ab" was not taken in: {why}.' for name in ("pond", "sea")
    ]
