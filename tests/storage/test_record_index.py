"""The index of records makes lists quick; without it, or with a bad one, they are the same."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tabletop.files import file_lock, folders
from tabletop.storage import record_index_file, saved_matches
from tabletop.storage.saved_matches import SavedReplay
from tests.storage.corpus import LATEST

NAMES = ("chains-1", "royale-2", "sun-2")


@pytest.fixture
def files(home: Path) -> list[Path]:
    """Three replays, none of them in the index yet."""
    folders.replays().mkdir(parents=True)
    return [
        Path(shutil.copy(LATEST / f"{name}.tabletop", folders.replays() / f"{name}.tabletop"))
        for name in NAMES
    ]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the replays that were read."""
    names: list[str] = []
    contents = saved_matches.read_content

    def noting(path: Path) -> bytes:
        names.append(path.name)
        return contents(path)

    monkeypatch.setattr(saved_matches, "read_content", noting)
    return names


def kept() -> tuple[SavedReplay, ...]:
    found, bad = saved_matches.finished_matches()
    assert bad == ()
    return found


def index() -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(folders.record_index(), isolation_level=None))


def test_replays_are_read_once(files: list[Path], read: list[str]) -> None:
    first = kept()
    assert sorted(read) == sorted(file.name for file in files)
    read.clear()
    assert kept() == first
    assert read == []
    assert saved_matches.read_finished_match(files[0]) in first


def test_the_index_holds_no_seed(files: list[Path]) -> None:
    seeds = [saved_matches.read(file).header.seed for file in files]
    assert all(each.header.seed == "" for each in (*kept(), *kept()))
    content = folders.record_index().read_bytes()
    assert all(seed.encode() not in content for seed in seeds)


def _delete_index(index: Path) -> None:
    index.unlink()


def _write_nonsense(index: Path) -> None:
    index.write_bytes(b"no database" * 1000)


def _cut(index: Path) -> None:
    index.write_bytes(index.read_bytes()[:6000])


def _overwrite_middle(index: Path) -> None:
    content = index.read_bytes()
    index.write_bytes(content[:4096] + b"\x55" * (len(content) - 4096))


def _lay_out_otherwise(index: Path) -> None:
    index.unlink()
    with closing(sqlite3.connect(index)) as other:
        other.execute("CREATE VIEW entry AS SELECT 1 AS part")


def _write_other_types(index: Path) -> None:
    with closing(sqlite3.connect(index)) as other, other:
        other.execute("UPDATE entry SET content = 1, digest = 0, stamp = 3")


def _write_odd_text(index: Path) -> None:
    with closing(sqlite3.connect(index)) as other, other:
        other.execute("UPDATE entry SET stamp = CAST(X'FF' AS TEXT)")


def _swap_contents(index: Path) -> None:
    with closing(sqlite3.connect(index)) as other, other:
        rows = other.execute("SELECT content, digest FROM entry ORDER BY name").fetchall()
        names = [name for (name,) in other.execute("SELECT name FROM entry ORDER BY name")]
        for name, row in zip(names, (*rows[1:], rows[0]), strict=True):
            other.execute("UPDATE entry SET content = ?, digest = ? WHERE name = ?", (*row, name))


def _put_large_content(index: Path) -> None:
    with closing(sqlite3.connect(index)) as other, other:
        other.execute("UPDATE entry SET content = zeroblob(40 * 1024 * 1024)")


DAMAGES = (
    *(_delete_index, _write_nonsense, _cut, _overwrite_middle, _lay_out_otherwise),
    *(_write_other_types, _write_odd_text, _swap_contents, _put_large_content),
)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_index_is_made_anew(
    damage: Callable[[Path], None], files: list[Path], read: list[str]
) -> None:
    first = kept()
    damage(folders.record_index())
    assert kept() == first
    kept()  # a damaged file is deleted when it is noticed, and a new one is written after that
    read.clear()
    assert kept() == first
    assert read == []


def test_entries_of_another_program_do_not_count(
    files: list[Path], read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = kept()
    monkeypatch.setattr("tabletop.storage.record_index.__version__", "99.0")
    read.clear()
    assert kept() == first
    assert len(read) == 3


@pytest.mark.parametrize("lock", ["BEGIN EXCLUSIVE", "BEGIN IMMEDIATE"])
def test_an_index_in_use_keeps_no_replay_from_being_listed(
    lock: str, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_index_file, "LOCK_TIMEOUT_S", 0.01)
    saved_matches.read_finished_match(files[0])
    with index() as other:
        other.execute(lock)
        first = kept()
        assert len(first) == 3
        other.execute("ROLLBACK")
    assert kept() == first


def test_a_thread_that_holds_the_index_keeps_no_list_waiting(
    files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_index_file, "LOCK_TIMEOUT_S", 0.01)
    with record_index_file._thread_lock:
        assert len(kept()) == 3


def test_on_a_disk_without_locks_there_is_no_index(
    files: list[Path], read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = kept()
    monkeypatch.setattr(file_lock, "supports_range_locks", lambda file: False)
    read.clear()
    assert kept() == kept() == first
    assert len(read) == 6


@pytest.mark.parametrize("error", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR])
def test_what_the_disk_refuses_costs_the_entries_alone(
    error: int, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    saved_matches.read_finished_match(files[0])
    before = folders.record_index().read_bytes()

    def refuse(*_: object) -> bool:
        refusal = sqlite3.OperationalError("the disk refuses")
        refusal.sqlite_errorcode = error
        raise refusal

    monkeypatch.setattr(record_index_file, "_prepare", refuse)
    assert len(kept()) == 3
    assert folders.record_index().read_bytes() == before, "a sound index stays"


def test_a_full_index_takes_nothing_more(
    files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_index_file, "MAX_INDEX_BYTES", 2 * record_index_file.PAGE_BYTES)
    assert len(kept()) == len(kept()) == 3


def test_an_index_too_large_is_made_anew(
    files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept()
    with folders.record_index().open("r+b") as file:
        file.truncate(record_index_file.MAX_INDEX_BYTES + 1)
    assert len(kept()) == 3
    assert folders.record_index().stat().st_size < record_index_file.MAX_INDEX_BYTES


def test_an_index_that_cannot_be_written_is_read(
    files: list[Path], read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = kept()
    connect = sqlite3.connect

    def connect_to_read(path: Path, timeout: float) -> sqlite3.Connection:
        return connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=timeout)

    monkeypatch.setattr(sqlite3, "connect", connect_to_read)
    read.clear()
    assert kept() == first
    assert read == []
    files[0].touch()
    assert kept() == kept() == first
    assert read == [files[0].name] * 2


def test_a_cache_folder_that_cannot_be_made_costs_the_index(files: list[Path], home: Path) -> None:
    folders.cache().write_text("no folder")
    assert len(kept()) == len(kept()) == 3


def test_only_its_owner_can_read_the_index(files: list[Path]) -> None:
    kept()
    if sys.platform != "win32":
        assert folders.record_index().stat().st_mode & 0o077 == 0


def test_a_changed_replay_is_read_again(files: list[Path], read: list[str]) -> None:
    kept()
    saved_matches.rename(files[0], "Friday")
    read.clear()
    assert [each.name for each in kept() if each.path == files[0]] == ["Friday"]
    assert read == [files[0].name]


@pytest.mark.skipif(sys.platform == "win32", reason="it keeps no time that cannot be set back")
def test_a_replaced_file_of_the_same_size_and_date_is_read_again(
    files: list[Path], read: list[str]
) -> None:
    kept()
    content, date = files[2].read_bytes(), files[2].stat()
    assert b"nonsense" not in content
    files[2].unlink()
    files[2].write_bytes(b"nonsense".ljust(len(content), b"\n"))
    os.utime(files[2], ns=(date.st_atime_ns, date.st_mtime_ns))
    found, (bad,) = saved_matches.finished_matches()
    assert (len(found), bad.path) == (2, files[2])


def test_a_renamed_replay_is_listed_once_under_its_new_name(
    files: list[Path], read: list[str]
) -> None:
    kept()
    moved = files[0].rename(files[0].with_stem("moved"))
    assert {each.path for each in kept()} == {moved, *files[1:]}


def test_a_deleted_replay_disappears_and_the_index_forgets_it(files: list[Path]) -> None:
    kept()
    files[0].unlink()
    assert {each.path for each in kept()} == set(files[1:])
    saved_matches.sweep_index()
    with index() as known:
        names = {name for (name,) in known.execute("SELECT name FROM entry")}
    assert names == {os.fsencode(file.name) for file in files[1:]}


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names of files are text there")
def test_a_name_that_is_no_text_is_known(files: list[Path], read: list[str]) -> None:
    odd = files[0].rename(files[0].with_name("odd \udcff.tabletop"))
    assert odd in [each.path for each in kept()]
    read.clear()
    assert odd in [each.path for each in kept()]
    assert read == []


def test_pages_come_in_order_those_that_are_known_first(
    files: list[Path], read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_matches, "MAX_REPLAYS_PER_BATCH", 2)
    first = kept()
    new = Path(shutil.copy(files[0], files[0].with_stem("new")))
    pages = [[each.path for each in page.kept] for page in saved_matches.iter_replay_batches()]
    assert pages == [[first[0].path, first[1].path], [first[2].path], [new]]


def test_what_was_read_before_the_caller_stopped_is_known(
    files: list[Path], read: list[str]
) -> None:
    listing = saved_matches.iter_replay_batches()
    next(listing)
    listing.close()
    assert len(read) == 1
    kept()
    assert sorted(read) == sorted(file.name for file in files)


LISTING = """
from tabletop.storage import saved_matches
for _ in range(30):
    kept, bad = saved_matches.finished_matches()
    assert (len(kept), bad) == (3, ()), (kept, bad)
    saved_matches._replay_index.delete_others(())
"""


def test_two_processes_use_the_index_at_once(files: list[Path]) -> None:
    first = kept()
    processes = [subprocess.Popen([sys.executable, "-c", LISTING]) for _ in range(2)]
    assert [process.wait(300) for process in processes] == [0, 0]
    assert kept() == first
    with index() as sound:
        assert sound.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
