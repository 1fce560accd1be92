"""Files that are written whole, where they really are: behind links, and on other disks."""

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tabletop.files import atomic_write
from tabletop.files.atomic_write import (
    STALE_AFTER_S,
    TEMPORARY_SUFFIX,
    delete_leftovers,
    make_folder,
    move_file,
    rename_to_new,
    sync_folder,
    write_atomically,
    write_new,
    write_without_sync,
)
from tabletop.files.errors import StorageError

posix = pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
MEMORY = Path("/dev/shm")
"""A file system of its own on most Linux systems."""


@posix
@pytest.mark.parametrize("write", [write_atomically, write_without_sync])
@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_a_link(write, there: bool, tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    file, link = tmp_path / "dotfiles" / "settings.json", tmp_path / "settings.json"
    if there:
        file.write_bytes(b"old")
    link.symlink_to(Path("dotfiles") / file.name)
    write(link, b"new")
    assert link.is_symlink()
    assert file.read_bytes() == link.read_bytes() == b"new"
    assert sorted(each.name for each in tmp_path.rglob("*")) == [
        "dotfiles",
        "settings.json",
        "settings.json",
    ]


def test_a_file_moves_to_another_disk(tmp_path: Path) -> None:
    if not MEMORY.is_dir() or MEMORY.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is no other disk here")
    with TemporaryDirectory(dir=MEMORY) as other:
        file, target = tmp_path / "a", Path(other) / "b"
        file.write_bytes(b"content")
        os.utime(file, (1, 2))
        move_file(file, target)
        assert not file.exists()
        assert target.read_bytes() == b"content"
        assert target.stat().st_mtime == 2, "its date is that of its last move"
        move_file(target, file)
        assert file.read_bytes() == b"content"
        assert list(Path(other).iterdir()) == []


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders that were synced, in order."""
    folders: list[Path] = []
    monkeypatch.setattr(atomic_write, "sync_folder", folders.append)
    return folders


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders; the first one has a file `a`."""
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
    (one / "a").write_bytes(b"content")
    return one, other


def refuse_to_cross_disks(monkeypatch: pytest.MonkeyPatch, between: tuple[Path, Path]) -> None:
    """Simulate that both folders are on different disks."""
    replace = Path.replace

    def replace_on_one_disk(self: Path, target: Path) -> Path:
        if {self.parent, target.parent} == set(between):
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", replace_on_one_disk)


def test_a_move_syncs_both_folders(folders: tuple[Path, Path], synced: list[Path]) -> None:
    one, other = folders
    move_file(one / "a", other / "b")
    assert synced == [other, one]
    assert (other / "b").read_bytes() == b"content"
    synced.clear()
    move_file(other / "b", other / "c")
    assert synced == [other]


def test_a_move_to_another_disk_syncs_the_copy_before_it_deletes(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = folders
    steps: list[object] = []

    def sync(folder: Path) -> None:
        steps.append((folder, (one / "a").exists(), (other / "b").exists()))

    monkeypatch.setattr(atomic_write, "sync_folder", sync)
    monkeypatch.setattr(os, "fsync", lambda _: steps.append("content"))
    refuse_to_cross_disks(monkeypatch, folders)
    os.utime(one / "a", (1, 2))
    move_file(one / "a", other / "b")
    assert steps == ["content", (other, True, True), (one, False, True)]
    assert (other / "b").read_bytes() == b"content"
    assert (other / "b").stat().st_mtime == 2
    assert list(other.iterdir()) == [other / "b"]


def test_another_failure_of_a_move_is_reported(folders: tuple[Path, Path]) -> None:
    one, other = folders
    with pytest.raises(FileNotFoundError):
        move_file(one / "none", other / "b")
    assert list(other.iterdir()) == []


@pytest.mark.parametrize("write", [write_atomically, write_new, write_without_sync])
def test_a_written_file_is_synced_before_its_name(
    write: Callable[[Path, bytes], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, steps = tmp_path / "a", []
    monkeypatch.setattr(os, "fsync", lambda _: steps.append(("content", file.exists())))
    monkeypatch.setattr(
        atomic_write, "sync_folder", lambda folder: steps.append((folder, file.exists()))
    )
    write(file, b"content")
    safe = [("content", False), (tmp_path, True)]
    assert steps == ([] if write is write_without_sync else safe)
    assert list(tmp_path.iterdir()) == [file]


def test_every_missing_parent_is_synced(tmp_path: Path, synced: list[Path]) -> None:
    make_folder(tmp_path / "a" / "b" / "c")
    assert sorted(synced) == [tmp_path, tmp_path / "a", tmp_path / "a" / "b"]
    synced.clear()
    make_folder(tmp_path / "a" / "b" / "c")
    assert synced == []


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(NotADirectoryError) as raised:
        make_folder(tmp_path / "a")
    assert raised.value.errno == errno.ENOTDIR


@posix
def test_a_folder_gets_its_mode(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        make_folder(tmp_path / "private", 0o700)
        make_folder(tmp_path / "public")
    finally:
        os.umask(before)
    modes = [(tmp_path / name).stat().st_mode & 0o777 for name in ("private", "public")]
    assert modes == [0o700, 0o755]


def test_an_error_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for write in (write_atomically, write_new):
        with pytest.raises(StorageError) as raised:
            write(tmp_path / "file" / "cards.csv", b"content")
        assert "cards.csv" in str(raised.value)
    write_without_sync(tmp_path / "file" / "cards.csv", b"content")
    (tmp_path / "folder").mkdir()
    with pytest.raises(StorageError, match='"folder"'):
        write_atomically(tmp_path / "folder", b"content")


@posix
def test_syncing_a_folder_syncs_it_and_closes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    descriptors: list[int] = []

    def fsync(descriptor: int) -> None:
        assert os.path.samestat(os.fstat(descriptor), tmp_path.stat())
        descriptors.append(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    sync_folder(tmp_path)
    (descriptor,) = descriptors
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)


@pytest.mark.parametrize("linked", [True, False], ids=["hard links", "no hard links"])
def test_a_new_file_replaces_none(
    linked: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not linked:

        def link(*_: object) -> None:
            raise PermissionError(errno.EPERM, "no hard links")

        monkeypatch.setattr(os, "link", link)
    file, taken = tmp_path / "a", tmp_path / "b"
    file.write_bytes(b"new")
    taken.write_bytes(b"old")
    with pytest.raises(FileExistsError) as raised:
        rename_to_new(file, taken)
    assert raised.value.errno == errno.EEXIST
    assert (file.read_bytes(), taken.read_bytes()) == (b"new", b"old")
    rename_to_new(file, tmp_path / "c")
    assert (tmp_path / "c").read_bytes() == b"new"
    with pytest.raises(StorageError):
        write_new(taken, b"new")
    assert taken.read_bytes() == b"old"
    assert not list(tmp_path.glob(f".*{TEMPORARY_SUFFIX}"))


def test_a_new_file_that_cannot_be_synced_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(folder: Path) -> None:
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(atomic_write, "sync_folder", fail)
    with pytest.raises(StorageError):
        write_new(tmp_path / "a", b"content")
    assert list(tmp_path.iterdir()) == []


@posix
@pytest.mark.parametrize(
    ("write", "private"),
    [
        (write_new, True),
        (write_without_sync, True),
        (lambda path, content: write_atomically(path, content, private=True), True),
        (write_atomically, False),
    ],
    ids=["new", "without sync", "atomically and private", "atomically"],
)
def test_a_private_file_is_its_owners_alone(
    write: Callable[[Path, bytes], None], private: bool, tmp_path: Path
) -> None:
    before = os.umask(0o022)
    try:
        write(tmp_path / "a", b"content")
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == (0o600 if private else 0o644)


def test_only_regular_files_are_replaced(tmp_path: Path) -> None:
    for path in (tmp_path, Path("")):
        with pytest.raises(StorageError, match="not a regular file"):
            write_atomically(path, b"content")


@pytest.mark.parametrize("age", [STALE_AFTER_S - 60, STALE_AFTER_S + 60])
def test_only_abandoned_temporary_files_are_deleted(
    age: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = (f".a{TEMPORARY_SUFFIX}", f"a{TEMPORARY_SUFFIX}", ".a")
    for name in names:
        (tmp_path / name).write_bytes(b"")
        os.utime(tmp_path / name, (1_000, 1_000))
    monkeypatch.setattr("time.time", lambda: 1_000 + age)
    delete_leftovers(tmp_path)
    kept = {each.name for each in tmp_path.iterdir()}
    assert kept == set(names[1:] if age > STALE_AFTER_S else names)
    delete_leftovers(tmp_path / "none")


@pytest.mark.parametrize("locks", [True, False])
def test_a_locked_file_is_tried_again_on_systems_that_lock(
    locks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(atomic_write, "LOCKS_OPEN_FILES", locks)
    monkeypatch.setattr("time.sleep", waits.append)
    tries: list[None] = []

    def act() -> str:
        tries.append(None)
        if len(tries) < 3:
            raise PermissionError
        return "done"

    if locks:
        assert atomic_write.retry_if_locked(act) == "done"
        assert waits == list(atomic_write.RETRY_DELAYS_S[:2])
    else:
        with pytest.raises(PermissionError):
            atomic_write.retry_if_locked(act)
        assert waits == []
