"""A stranger's export of a home ends in a sentence, and takes nothing away from the home here.

A small home is exported once, with a match in each folder, a hosted table, games, statistics,
settings and known hosts. Each trial changes it in one way: bytes of the archive, an entry of it, or
the content of one of its files.
"""

import asyncio
import gzip
import io
import json
import random
import shutil
import sqlite3
import tarfile
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from tabletop.background import worker_process
from tabletop.catalogue import catalogue, game_folders
from tabletop.engine.model import Result
from tabletop.files import folders, small_file
from tabletop.files.errors import BadFile, StorageError
from tabletop.games import received_games
from tabletop.home.home_file import export_home
from tabletop.home.known_hosts import KnownHosts
from tabletop.home.merge import merge_home
from tabletop.match.match import Player
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.host.table_disk import read_table, table_files_in
from tabletop.protocol.invitation import Address
from tabletop.storage import line_digests, playtest_notes, saved_matches, settings
from tabletop.storage.record import read
from tabletop.storage.statistics import open_statistics
from tests.home.kept_things import (
    ANN_AND_BEA,
    ANN_AND_BOT,
    added_game,
    begun,
    played_table,
    received_game,
)

TRIALS = 600
SQL = (
    "CREATE TRIGGER own AFTER INSERT ON match BEGIN DELETE FROM seat; END",
    "CREATE VIEW own AS SELECT 1",
    "UPDATE match SET key = zeroblob(3000000)",
    "UPDATE match SET key = hex(zeroblob(900000))",
    "UPDATE match SET ended = '0001-01-01T00:00:00+14:00'",
    "UPDATE match SET ended = '9999-12-31T23:59:59-14:00'",
    "UPDATE seat SET won = 9223372036854775807",
    "UPDATE seat SET score = -9223372036854775808",
    "UPDATE seat SET seat = 9223372036854775807 - seat",
    "UPDATE figure SET points = 9223372036854775807",
    "UPDATE seat SET name = CAST(x'ff00fe' AS TEXT)",
    "UPDATE match SET id = -9223372036854775808",
    "PRAGMA journal_mode = WAL",
    "PRAGMA user_version = 99",
    "PRAGMA user_version = -1",
    "CREATE TABLE wide (a CHECK (length(hex(randomblob(1000000))) > 0))",
    "DELETE FROM seat",
    "DROP INDEX seat_name",
)
NAMES = (
    "matches/../../outside",
    "/outside",
    "matches/" + "x" * 300 + ".tabletop",
    "MATCHES/one.tabletop",
    "matches/one.TABLETOP",
    "trash/not a day/one.tabletop",
    "trash/0001-01-01/one.tabletop",
    "games/pond/.hidden",
    "games/pond/" + "/".join("abcdefghijklmnop") + "/one",
    "games/Pond/cards.toml",
    "games/pond/cards.toml/inside",
    "received/pond-000000000000/cards.toml",
    "received/../x/cards.toml",
    "hosted/one/two/host.pem",
    "home.json",
    "seal.key",
    "matches/con.tabletop",
    "matches/a\udcff.tabletop",
    "",
    ".",
)
TIMES = (-(2**70), 2**70, -1.0, 1e300, float("nan"), float("inf"), 253402300800, -62135596801)
KINDS = (b"1", b"2", b"3", b"4", b"5", b"6", b"7", b"S", b"L", b"K", b"x", b"g", b"V", b"\0", b"Z")
FIELDS = ((0, 100), (100, 8), (124, 12), (136, 12), (156, 1), (157, 100), (345, 155))
"""Where a header has its name, mode, size, time, kind, target of a link and prefix; their sizes."""
PAX: tuple[dict[str, str], ...] = (
    {"size": "9" * 30},
    {"size": "-5"},
    {"size": "1e9"},
    {"mtime": "9" * 400},
    {"mtime": "nan"},
    {"mtime": "inf"},
    {"mtime": "x"},
    {"path": "../outside"},
    {"path": "x" * 100_000},
    {"GNU.sparse.map": "0,9999999999999"},
    {"GNU.sparse.map": "0"},
    {"GNU.sparse.map": "9" * 5000 + ",1"},
    {"GNU.sparse.size": "99999999999", "GNU.sparse.map": "0,10"},
    {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": "9" * 20},
    {"uid": "9" * 5000},
    {"linkpath": "/etc/passwd"},
    {"hdrcharset": "BINARY"},
)
ODD: tuple[Any, ...] = (
    10**400,
    2**63,
    2**64,
    -(2**70),
    2**63 - 1,
    1e308,
    -0.0,
    "0001-01-01T00:00:00",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-14:00",
    "9999-12-31T23:59:59Z",
    "0001-01-01",
    "\0",
    "é́" * 500,
    "x" * 200_000,
    "\u202e../../x",
    None,
    True,
    [],
    {},
    [[]],
    {"": {}},
)


class Export(NamedTuple):
    names: tuple[str, ...]
    tar: bytes
    members: dict[str, bytes]


@pytest.fixture(autouse=True)
def without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read hundreds of homes in this process: a worker for each would take minutes."""
    monkeypatch.setattr(worker_process, "in_child_process", lambda: True)


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Export, Path]:
    """A stranger's export, and a home of one's own to copy."""
    with pytest.MonkeyPatch.context() as patch:
        place = tmp_path_factory.mktemp("homes")
        patch.setenv("TABLETOP_HOME", str(place / "theirs"))
        game_folders.clear_cache()
        path = begun("one", 9)
        playtest_notes.add(playtest_notes.notes_path(path), playtest_notes.make_note("slow", 3, 0))
        saved_matches.picture_path(path).write_bytes(b"a picture")
        saved_matches.move_to_replays(begun("two", 10_000))
        saved_matches.move_to_trash(begun("three", 4))
        fill_home("Theo")
        asyncio.run(played_table())
        received_game()
        added_game()
        exported = place / "home.tar.gz"
        assert export_home(exported).remarks == []
        tar = gzip.decompress(exported.read_bytes())
        with tarfile.open(fileobj=io.BytesIO(tar)) as archive:
            members = {each.name: archive.extractfile(each).read() for each in archive}  # type: ignore[union-attr]
        patch.setenv("TABLETOP_HOME", str(place / "ours"))
        game_folders.clear_cache()
        begun("ours", 5, ANN_AND_BEA)
        begun("sealed", 5, ANN_AND_BOT)
        fill_home("Ann")
    game_folders.clear_cache()
    return Export(tuple(members), tar, members), place / "ours"


def fill_home(name: str) -> None:
    with open_statistics() as kept:
        kept.add_match(name, "sun", (Player(name), Player("Bea")), Result((0,), (5, 3)))
    settings.save(replace(settings.Settings(), players=(name, "Bea"), theme="dark"))
    hosts = KnownHosts(folders.known_hosts())
    hosts.trust(name, "cd" * 32)
    hosts.add_server(name, "ab" * 32)
    here = Address(("192.0.2.1",), fingerprint="cd" * 32)
    hosts.add_address(name, here)
    hosts.add_rejoinable(here, Ticket(name * 10, seats={1: "token"}), "Friday", "sun")
    hosts.count_today()


@pytest.mark.parametrize("part", range(6))
def test_a_changed_export_ends_in_a_sentence(
    part: int,
    homes: tuple[Export, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    exported, ours = homes
    for trial in range(part, TRIALS, 6):
        place = tmp_path / str(trial)
        place.mkdir()
        monkeypatch.setenv("TABLETOP_HOME", str(place / "home"))
        shutil.copytree(ours, place / "home")
        before = ours_in(folders.data())
        file = place / "home.tar.gz"
        file.write_bytes(changed(exported, random.Random(f"home/{trial}")))
        try:
            for remark in merge_home(file).remarks:
                assert remark.isprintable(), trial
        except (BadFile, StorageError):
            pass
        except Exception as error:
            raise AssertionError(f"trial {trial}") from error
        assert sorted(path.name for path in place.iterdir()) == ["home", "home.tar.gz"], trial
        try:
            check_kept(before)
        except Exception as error:
            raise AssertionError(f"trial {trial}: what was here before") from error
        shutil.rmtree(place)


def ours_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "matches").glob("*.tabletop")}


def check_kept(matches: dict[str, bytes]) -> None:
    """Read all that was in the home before, and what came in, as the program does."""
    assert not list(folders.data().rglob("*.broken-*"))
    assert not list(folders.data().glob(".tabletop-*"))
    assert matches.items() <= ours_in(folders.data()).items()
    found, _ = saved_matches.unfinished_matches()
    assert {each.path.name for each in found} >= matches.keys()
    saved_matches.finished_matches()
    for each in found:
        with suppress(BadFile):
            read(each.path)
    now, problem = settings.load()
    assert (now.players, now.theme, problem) == (("Ann", "Bea"), "dark", None)
    settings.save(replace(now, theme="light"))
    hosts = KnownHosts(folders.known_hosts())
    assert hosts.fingerprint_of("Ann") == "cd" * 32
    assert "Ann" * 10 in [back.ticket.table for back in hosts.rejoinable_tables]
    for back in hosts.rejoinable_tables:
        back.visited.astimezone()
        back.visited.timestamp()
    assert hosts.played_hosts
    hosts.trust("another", "ef" * 32)
    with open_statistics() as kept:
        assert kept.list_people()
        assert len(kept.matches("Ann")) == 1
        for name in kept.list_people():
            for game in ("sun", ""):
                [each.ended.astimezone() for each in kept.matches(name, game)]
                kept.totals(name, game)
                kept.seat_statistics(name, "sun")
                kept.line_statistics(name, "sun")
                kept.rivals(name, game)
        kept.statistics_by_game(["Ann"])
        kept.to_csv()
    for table in table_files_in(folders.hosted()):
        with suppress(ValueError, OSError):
            read_table(table)
    for _, note in received_games.find_received_games(folders.received()):
        note.when.astimezone()
    game_folders.clear_cache()
    catalogue.list_entries()


def changed(exported: Export, chance: random.Random) -> bytes:
    """An export that is changed in one way."""
    way = chance.choice((change_bytes, change_header, change_entry, *(change_content,) * 6))
    return way(exported, chance)


def change_bytes(exported: Export, chance: random.Random) -> bytes:
    content = mutilate(exported.tar, chance)
    packed = gzip.compress(content, 1)
    return mutilate(packed, chance) if chance.random() < 0.3 else packed


def change_header(exported: Export, chance: random.Random) -> bytes:
    """Change a field of an entry's header, with a checksum that fits."""
    content = bytearray(exported.tar)
    starts = [each for each in range(0, len(content), 512) if content[each + 257 :][:5] == b"ustar"]
    at = chance.choice(starts)
    field = chance.choice(FIELDS)
    value = chance.choice(
        (
            chance.randbytes(field[1]),
            b"7" * field[1],
            b"\xff" * field[1],
            b"\x80" + b"\x7f" * (field[1] - 1),
            b"-1",
            b"",
            chance.choice(KINDS),
        )
    )
    content[at + field[0] : at + sum(field)] = value.ljust(field[1], b"\0")[: field[1]]
    head = content[at : at + 148] + b" " * 8 + content[at + 156 : at + 512]
    content[at + 148 : at + 156] = b"%06o\0 " % sum(head)
    return gzip.compress(bytes(content), 1)


def change_entry(exported: Export, chance: random.Random) -> bytes:
    """Add an odd entry, or a second one of a name."""
    at, name = chance.randrange(len(exported.names)), chance.choice(exported.names)
    odd = tarfile.TarInfo(name)
    odd.mtime = 1.5
    content = exported.members[name]
    match chance.randrange(5):
        case 0:
            odd.name = chance.choice(NAMES)
        case 1:
            odd.mtime = chance.choice(TIMES)
        case 2:
            odd.type = chance.choice(KINDS)
            odd.linkname = chance.choice(("/etc/passwd", "../../x", *exported.names))
        case 3:
            odd.pax_headers = chance.choice(PAX)
        case 4:
            odd.name = name.swapcase()
    replaced = chance.random() < 0.7
    whole = [(each, exported.members[each]) for each in exported.names]
    entries: list[tuple[str | tarfile.TarInfo, bytes]] = [*whole]
    entries[at : at + replaced] = [(odd, content)]
    return packed(entries)


def change_content(exported: Export, chance: random.Random) -> bytes:
    """Change the content of one file as its kind is changed."""
    kinds: dict[str, Callable[[bytes, random.Random], bytes]] = {
        ".sqlite": change_database,
        ".json": change_json,
        ".table": change_json,
        ".tabletop": change_lines,
    }
    ending = chance.choice((*kinds, *kinds, ""))
    name = chance.choice([each for each in exported.names if each.endswith(ending)])
    change = kinds.get(ending, mutilate) if chance.random() < 0.8 else mutilate
    return packed(
        [
            (each, change(content, chance) if each == name else content)
            for each, content in exported.members.items()
        ]
    )


def change_json(content: bytes, chance: random.Random) -> bytes:
    if chance.random() < 0.1:
        return deep(chance)
    signed, mark, _ = content.rpartition(small_file.DIGEST_PREFIX)
    whole = json.loads(signed if mark else content)
    places = [*places_in(whole)]
    if places:
        holder, key = chance.choice(places)
        odd = chance.choice(ODD)
        if isinstance(holder, dict) and chance.random() < 0.2:
            holder[str(odd)] = holder[key]
        else:
            holder[key] = odd
    text = json.dumps(whole).encode()
    if chance.random() < 0.1:
        text = text.replace(b"null", deep(chance), 1)
    return small_file.add_digest(text) if mark else text


def change_lines(content: bytes, chance: random.Random) -> bytes:
    """Change a line of a record, with digests that fit."""
    lines = [line_digests.strip_digest(line) for line in content.splitlines()]
    at = chance.choice((0, chance.randrange(len(lines))))
    match chance.randrange(3):
        case 0:
            lines[at] = chance.choice((b"", b"{}", deep(chance), chance.randbytes(50)))
        case 1:
            lines[at] = change_json(lines[at], chance)
        case _:
            del lines[at]
    return b"".join(line_digests.rechain_lines(lines[1:], lines[0])) if lines else b""


def places_in(value: Any) -> list[tuple[Any, Any]]:
    """Each holder in a value with its key or index."""
    keys = [*range(len(value))] if isinstance(value, list) else [*value]
    inner = [value[key] for key in keys if isinstance(value[key], list | dict)]
    return [(value, key) for key in keys] + [each for held in inner for each in places_in(held)]


def deep(chance: random.Random) -> bytes:
    depth = chance.choice((300, 900, 5_000, 100_000))
    begin, end = chance.choice(((b"[", b"]"), (b'{"theme":', b"}")))
    inside = begin * depth + b"1" + end * depth
    return chance.choice((inside, b'{"theme": "light", "other": ' + inside + b"}"))


def change_database(content: bytes, chance: random.Random) -> bytes:
    with closing(sqlite3.connect(":memory:")) as base:
        base.deserialize(content)
        for _ in range(chance.choice((1, 1, 2))):
            with suppress(sqlite3.Error):
                base.execute(chance.choice(SQL))
                base.commit()
        return base.serialize()


def mutilate(content: bytes, chance: random.Random) -> bytes:
    made, at = bytearray(content), chance.randrange(len(content) + 1)
    size = chance.choice((1, 4, 512, 5000))
    match chance.randrange(4):
        case 0:
            made[at : at + size] = chance.randbytes(size)
        case 1:
            del made[at : at + size]
        case 2:
            made[at:at] = made[:size]
        case 3:
            del made[at:]
    return bytes(made)


def packed(entries: list[tuple[str | tarfile.TarInfo, bytes]]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz", compresslevel=1, errors="surrogateescape") as tar:
        for entry, content in entries:
            info = tarfile.TarInfo(entry) if isinstance(entry, str) else entry
            if "size" not in info.pax_headers:
                info.size = len(content)
            with suppress(ValueError, OverflowError):
                tar.addfile(info, io.BytesIO(content))
    return made.getvalue()
