"""Windows refuses to replace or rename a file that another program has open: a virus scanner, an
indexer, another window."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pytest

from tabletop.files import atomic_write
from tabletop.files.atomic_write import move_file, write_atomically, write_new, write_without_sync
from tabletop.files.errors import StorageError
from tabletop.files.small_file import set_aside
from tests.private_files import is_private

Writes = Callable[[Path], object]
WAYS: dict[str, Writes] = {
    "whole": lambda path: write_atomically(path, b"new"),
    "passing": lambda path: write_without_sync(path, b"new"),
    "moved": lambda path: move_file(path, path.with_name("moved")),
    "aside": lambda path: set_aside(path, "{file} is {aside} now."),
}


class Scanner:
    """A program that has a file open, and closes it while it is waited for so often."""

    def __init__(self, path: Path, waits: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.waits = waits
        self.file: IO[bytes] | None = path.open("rb")
        monkeypatch.setattr(atomic_write, "LOCKS_OPEN_FILES", True)
        monkeypatch.setattr(time, "sleep", self._wait)
        if sys.platform != "win32":
            for name in ("replace", "rename"):
                monkeypatch.setattr(os, name, self._refusing(getattr(os, name)))

    def close(self) -> None:
        if self.file is not None:
            self.file.close()
        self.file = None

    def _wait(self, seconds: float) -> None:
        self.waits -= 1
        if not self.waits:
            self.close()

    def _refusing(self, real: Callable[..., None]) -> Callable[..., None]:
        def act(*paths: Any) -> None:
            if self.file is not None:
                raise PermissionError(13, "The process cannot access the file")
            real(*paths)

        return act


@pytest.mark.parametrize("way", WAYS)
def test_a_file_that_is_open_elsewhere_is_waited_for(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    scanner = Scanner(path, 3, monkeypatch)
    WAYS[way](path)
    assert scanner.file is None
    if way in ("whole", "passing"):
        assert path.read_bytes() == b"new"
        assert [*tmp_path.iterdir()] == [path]
    else:
        (moved,) = tmp_path.iterdir()
        assert moved != path
        assert moved.read_bytes() == b"old"


def test_one_that_stays_open_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    scanner = Scanner(path, 1_000, monkeypatch)
    with pytest.raises(StorageError, match="permission denied"):
        write_atomically(path, b"new")
    scanner.close()
    assert path.read_bytes() == b"old"
    assert [*tmp_path.iterdir()] == [path]


def test_a_new_file_is_named_without_links_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object) -> None:
        raise OSError(1, "no links here")

    monkeypatch.setattr(os, "link", refuses)
    write_new(tmp_path / "file", b"new")
    with pytest.raises(StorageError, match="exists"):
        write_new(tmp_path / "file", b"newer")
    assert (tmp_path / "file").read_bytes() == b"new"


def test_nobody_else_can_open_a_private_file(tmp_path: Path) -> None:
    path = tmp_path / "private"
    write_atomically(path, b"secret", private=True)
    assert path.read_bytes() == b"secret"
    assert is_private(path)
