"""One rule for all small files: a damaged one is set aside, reported, and replaced."""

import codecs
import logging
import multiprocessing
import random
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from tabletop.engine.model import Reason, Result, ScoreLine
from tabletop.files import folders, small_file
from tabletop.files.errors import StorageError
from tabletop.files.small_file import SmallFile
from tabletop.home.known_hosts import KnownHosts
from tabletop.match.match import Player
from tabletop.net.certificate import load_certificate
from tabletop.net.guest.join_attempt import Ticket
from tabletop.protocol.invitation import Address
from tabletop.storage import seal, settings
from tabletop.storage.seal import Seal
from tabletop.storage.settings import Settings
from tabletop.storage.statistics import Statistics, open_statistics
from tests.private_files import is_private

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
PLACE = Address(("192.168.1.5",), 18920, "ab")
LIKED = Settings(theme="dark", volume=5, players=("Mio", "蓮"), keys={"undo": "Ctrl+U"})


class Kind(NamedTuple):
    """One of the program's small files: how it is made, and used as on every day, which gives what
    it holds."""

    name: str
    make: Callable[[], object]
    use: Callable[[], object]
    path: Callable[[], Path]


def _make_settings() -> None:
    settings.save(LIKED)


def _use_settings() -> object:
    found, notice = settings.load()
    if notice is not None:
        small_file.notify_user(notice)
    settings.save(found)
    assert settings.load() == (found, None)
    return found


def _make_keyring() -> None:
    keys = KnownHosts(folders.known_hosts())
    keys.trust("anns-pc", "ab" * 32)
    keys.add_rejoinable(PLACE, Ticket("t1", "K7MPQ2", "", {1: "secret"}), "Ann's table", "sun")


def _use_keyring() -> object:
    keys = KnownHosts(folders.known_hosts())
    found = (keys.fingerprint_of("anns-pc"), keys.rejoinable_tables)
    keys.trust("bobs-pc", "cd" * 32)
    assert KnownHosts(folders.known_hosts()).fingerprint_of("bobs-pc") == "cd" * 32
    return found


def _use_key() -> object:
    mine = Seal(b"k" * seal.KEY_BYTES)
    assert seal.seal_of_locked_key(mine.locked_key()).open_key() == mine.open_key()
    return folders.key().read_bytes()


def _use_certificate() -> object:
    found = load_certificate(folders.hosted())
    found.make_tls_context()
    assert load_certificate(folders.hosted()) == found
    return found


def _count(kept: Statistics, key: str) -> None:
    sheet = (ScoreLine("Attack {n}", (4, 1), (), {"n": 1}),)
    kept.add_match(key, "sun", (Player("Mio"), Player("Ren")), Result((0,), (4, 1), sheet), NOON)


def _make_statistics() -> None:
    with open_statistics() as kept:
        for number in range(12):
            _count(kept, str(number))


def _use_statistics() -> object:
    with open_statistics() as kept:
        found = kept.to_csv()
        for name in kept.list_people():
            kept.totals(name), kept.line_statistics(name, "sun"), kept.rivals(name)
        _count(kept, "one more")
    with open_statistics() as kept:
        assert kept.totals("Mio", "sun").played
    return found


KINDS = {
    "settings": Kind("settings.json", _make_settings, _use_settings, folders.settings),
    "keyring": Kind("keyring.json", _make_keyring, _use_keyring, folders.known_hosts),
    "key": Kind("seal.key", _use_key, _use_key, folders.key),
    "certificate": Kind(
        "host.pem",
        _use_certificate,
        _use_certificate,
        lambda: folders.hosted() / "host.pem",
    ),
    "statistics": Kind("statistics.sqlite", _make_statistics, _use_statistics, folders.statistics),
}
FLIPS = 60


def flipped(content: bytes, chance: random.Random) -> bytes:
    """The content with one bit of it turned round, or with its end missing."""
    at = chance.randrange(len(content))
    if chance.random() < 0.1:
        return content[:at]
    bit = 1 << chance.randrange(8)
    return content[:at] + bytes([content[at] ^ bit]) + content[at + 1 :]


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_byte_is_damaged_the_file_serves_again(
    kind: str, told: list[Reason], caplog: pytest.LogCaptureFixture
) -> None:
    small, chance = KINDS[kind], random.Random(kind)
    caplog.set_level(logging.CRITICAL)
    small.make()
    path = small.path()
    good = path.read_bytes()
    small.use()
    for _ in range(FLIPS):
        bad = flipped(good, chance)
        path.write_bytes(bad)
        small.use()
        for aside in path.parent.glob(f"{small.name}.broken-*"):
            assert aside.read_bytes() == bad, "nothing of it is lost"
            assert told.pop().args["aside"] == aside.name
            aside.unlink()
        assert [reason for reason in told if "aside" in reason.args] == []


@pytest.mark.parametrize("kind", ["keyring", "key", "certificate"])
def test_a_damaged_file_never_passes_for_a_sound_one(kind: str, told: list[Reason]) -> None:
    small, chance = KINDS[kind], random.Random(f"{kind} again")
    small.make()
    path = small.path()
    good = path.read_bytes()
    for _ in range(FLIPS):
        path.write_bytes(flipped(good, chance))
        told.clear()
        small.use()
        assert [reason.args["file"] for reason in told] == [small.name]


@pytest.mark.parametrize("kind", KINDS)
def test_a_sound_file_is_left_as_it_is(kind: str, told: list[Reason]) -> None:
    small = KINDS[kind]
    small.make()
    small.use()
    assert small.use() == small.use()
    assert told == []
    assert list(small.path().parent.glob("*.broken-*")) == []


@pytest.mark.parametrize("kind", ["settings", "keyring", "certificate"])
def test_a_byte_order_mark_of_an_editor_harms_nothing(kind: str, told: list[Reason]) -> None:
    small = KINDS[kind]
    small.make()
    used = small.use()
    path = small.path()
    path.write_bytes(codecs.BOM_UTF8 + path.read_bytes())
    again = small.use()
    assert told == []
    assert again == used or kind == "keyring"
    assert list(path.parent.glob("*.broken-*")) == []


@pytest.mark.parametrize("kind", ["keyring", "key", "certificate"])
def test_a_file_of_former_times_without_a_digest_holds(kind: str, told: list[Reason]) -> None:
    small = KINDS[kind]
    small.make()
    path = small.path()
    held = small_file.strip_digest(path.read_bytes())
    path.write_bytes(held)
    small.use()
    assert told == []
    assert small_file.strip_digest(path.read_bytes())[:20] == held[:20]


@pytest.mark.parametrize("kind", ["keyring", "key", "certificate", "settings"])
def test_a_small_file_is_for_this_person_alone(kind: str) -> None:
    KINDS[kind].make()
    assert is_private(KINDS[kind].path())


def test_without_a_window_it_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    _make_keyring()
    folders.known_hosts().write_bytes(b"{")
    KnownHosts(folders.known_hosts())
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.message.startswith('"keyring.json" was damaged and moved to "keyring.')


def _number(path: Path) -> SmallFile[int]:
    return SmallFile(path, int, lambda number: str(number).encode(), '"{file}" is "{aside}" now.')


def _add_up(path: Path, times: int) -> None:
    for _ in range(times):
        _number(path).update(lambda number: (number or 0) + 1)


def test_several_processes_write_one_file_and_no_change_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "number"
    others = [
        multiprocessing.get_context("spawn").Process(target=_add_up, args=(path, 25))
        for _ in range(2)
    ]
    for other in others:
        other.start()
    _add_up(path, 25)
    for other in others:
        other.join()
    assert _number(path).read() == 75


def test_a_file_that_stays_locked_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "number"
    _number(path).update(lambda _: 7)
    monkeypatch.setattr(small_file, "LOCK_TIMEOUT_S", 0.0)
    with (
        small_file.lock_file(path),
        pytest.raises(StorageError, match='"number" is being written in another window'),
    ):
        _number(path).update(lambda _: 8)
    assert _number(path).read() == 7


def test_a_second_window_sets_no_mended_file_aside(tmp_path: Path, told: list[Reason]) -> None:
    path = tmp_path / "number"
    path.write_text("seven")
    mended = []

    def decode(content: bytes) -> int:
        if not mended:
            mended.append(True)
            path.write_text("7")
        return int(content)

    assert SmallFile(path, decode, bytes, "", signed=False).read() == 7
    assert told == []
    assert path.read_text() == "7"


def test_cached_values_come_back_or_not_at_all(tmp_path: Path) -> None:
    path, content = tmp_path / "cache" / "thing", bytes(range(256))
    assert small_file.read_cache(path) is None
    small_file.write_cache(path, content)
    assert small_file.read_cache(path) == content
    good, chance = path.read_bytes(), random.Random("cache")
    for _ in range(500):
        path.write_bytes(flipped(good, chance))
        assert small_file.read_cache(path) is None
    (tmp_path / "file").touch()
    small_file.write_cache(tmp_path / "file" / "thing", content)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE match SET ended = 'yesterday'",
        "UPDATE match SET ended = '2026-05-01'",
        "UPDATE match SET game = x'ff00'",
        "UPDATE seat SET name = CAST(x'ff' AS TEXT)",
        "UPDATE seat SET score = 'many'",
        "UPDATE figure SET args = '{'",
        "UPDATE figure SET points = 1.5",
        "DROP TABLE figure",
        "DROP INDEX seat_name",
    ],
)
def test_statistics_that_could_not_be_shown_begin_anew(damage: str, told: list[Reason]) -> None:
    _make_statistics()
    with sqlite3.connect(folders.statistics()) as base:
        base.execute(damage)
    base.close()
    assert len(str(_use_statistics()).splitlines()) == 1, "nothing but the head"
    assert [reason.args["file"] for reason in told] == ["statistics.sqlite"]


@pytest.mark.parametrize("number", [0, -5, 20_000])
def test_statistics_whose_version_alone_was_damaged_lose_nothing(
    number: int, told: list[Reason]
) -> None:
    _make_statistics()
    with sqlite3.connect(folders.statistics()) as base:
        base.execute(f"PRAGMA user_version = {number}")
    base.close()
    assert len(str(_use_statistics()).splitlines()) == 25
    assert told == []
