"""A file is one process's alone while it is written, on every system that the program knows.

Windows' own module is not to be had elsewhere: `Msvcrt` does what Python's and Microsoft's
documentation say of `msvcrt.locking`, so that a plain mistake would show.
"""

import errno
import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tabletop.files import file_lock


class Msvcrt(ModuleType):
    """Locks the bytes from a descriptor's position on, for that descriptor alone; mandatory."""

    LK_UNLCK, LK_LOCK, LK_NBLCK, LK_RLCK, LK_NBRLCK = range(5)
    TRIES = 10

    def __init__(self) -> None:
        super().__init__("msvcrt")
        self.regions: list[tuple[int, int, range]] = []
        """The file, the descriptor and the bytes of each lock."""
        self.tried = 0

    def locking(self, descriptor: int, mode: int, count: int, /) -> None:
        begin = os.lseek(descriptor, 0, os.SEEK_CUR)
        if begin + count > 2**31 or mode not in range(5):  # the C library asks as 32 bits
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        mine = os.fstat(descriptor).st_ino, descriptor, range(begin, begin + count)
        if mode == self.LK_UNLCK:
            if mine not in self.regions:
                raise OSError(errno.EACCES, os.strerror(errno.EACCES))
            self.regions.remove(mine)
            return
        waits = mode in (self.LK_LOCK, self.LK_RLCK)
        for _ in range(self.TRIES if waits else 1):
            self.tried += 1
            if not any(
                file == mine[0] and max(bytes_.start, begin) < min(bytes_.stop, begin + count)
                for file, _, bytes_ in self.regions
            ):
                self.regions.append(mine)
                return
        number = errno.EDEADLK if waits else errno.EACCES
        raise OSError(number, os.strerror(number))


@pytest.fixture
def msvcrt(monkeypatch: pytest.MonkeyPatch) -> Msvcrt:
    windows = Msvcrt()
    monkeypatch.setitem(sys.modules, "msvcrt", windows)
    return windows


@pytest.fixture(params=["here", "windows"])
def lock(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    if request.param == "here":
        yield file_lock
        return
    request.getfixturevalue("msvcrt")
    yield as_on_windows(monkeypatch)


def as_on_windows(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module as it is there."""
    spec = importlib.util.spec_from_file_location("locks_of_windows", file_lock.__file__)
    module = importlib.util.module_from_spec(spec)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "platform", "win32")
        spec.loader.exec_module(module)
    return module


def test_one_has_a_file_at_a_time(lock: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "file"
    first, second, third = (path.open("ab") for _ in range(3))
    assert lock.try_lock(first)
    assert not lock.try_lock(second)
    lock.unlock_and_close(second)  # a lock that was not got stays with its owner
    assert second.closed
    assert not lock.try_lock(third)
    lock.unlock_and_close(first)
    lock.unlock_and_close(first)
    assert lock.try_lock(third)
    lock.unlock_and_close(third)
    with (tmp_path / "another").open("wb") as other, path.open("rb") as reader:
        assert lock.try_lock(other)
        assert lock.try_lock(reader)


@pytest.mark.parametrize("mode", ["r+b", "ab", "rb"])
@pytest.mark.parametrize("buffering", [0, -1])
def test_writes_stay_in_their_folder(
    lock: ModuleType, mode: str, buffering: int, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"begun ")
    with path.open(mode, buffering=buffering) as file:
        if mode != "ab":
            file.read(3)
        before = file.tell()
        assert lock.try_lock(file)
        assert file.tell() == before
        if mode == "r+b":
            file.seek(0, os.SEEK_END)
        if mode != "rb":
            file.write(b"and done")
            file.flush()
        assert path.read_bytes() == (b"begun " if mode == "rb" else b"begun and done")
        lock.unlock_and_close(file)
    assert path.stat().st_size < 20


def test_windows_locks_a_byte_beyond_any_match(
    msvcrt: Msvcrt, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    windows = as_on_windows(monkeypatch)
    with (tmp_path / "file").open("ab") as first, (tmp_path / "file").open("ab") as second:
        assert windows.try_lock(first)
        ((_, _, locked),) = msvcrt.regions
        assert locked.start > 2**30
        assert not windows.try_lock(second)
        assert msvcrt.tried == 2, "who waits has a thread of its own, and looks again by itself"
        windows.unlock_and_close(first)
        assert msvcrt.regions == []


@pytest.mark.parametrize("number", [0, errno.EACCES, errno.EDEADLOCK])
def test_windows_names_a_conflict_in_several_ways(
    number: int, msvcrt: Msvcrt, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    windows = as_on_windows(monkeypatch)

    def refuses(*_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(msvcrt, "locking", refuses)
    with (tmp_path / "file").open("ab") as file:
        assert not windows.try_lock(file)


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP])
def test_on_a_disk_without_locks_everybody_gets_a_file(
    number: int, msvcrt: Msvcrt, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    windows = as_on_windows(monkeypatch)

    def refuses(*_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(msvcrt, "locking", refuses)
    if sys.platform != "win32":
        monkeypatch.setattr("fcntl.flock", refuses)
    for module in (windows, file_lock):
        with (tmp_path / "file").open("ab") as file:
            assert module.try_lock(file)
            module.unlock_and_close(file)
