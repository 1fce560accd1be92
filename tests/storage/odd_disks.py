"""Disks that hold something odd, that nobody may look into, or that have little room."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path

import pytest

from tabletop.storage.journal import JournalFile

BEYOND = 253_402_300_800
"""The first second of the year 10000."""


def lock(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the system refuse everything within a folder, as where its mode is 000: it would not
    refuse it to the superuser, who runs tests too."""

    def refusing(name: str) -> Callable[..., object]:
        real = getattr(os, name)

        @wraps(real)
        def call(path: object, *args: object, **kwargs: object) -> object:
            if isinstance(path, str | Path) and folder in (Path(path), *Path(path).parents):
                inside = Path(path) != folder or name != "stat"
                if inside:
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
            return real(path, *args, **kwargs)

        return call

    for name in ("stat", "scandir", "listdir", "mkdir", "open", "rename", "replace", "unlink"):
        monkeypatch.setattr(os, name, refusing(name))
    opened = Path.open

    def open_file(self: Path, *args: object, **kwargs: object) -> object:
        if folder in self.parents:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self))
        return opened(self, *args, **kwargs)

    monkeypatch.setattr(Path, "open", open_file)


def forbid(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the system refuse to open this file."""
    real = os.open

    def refusing(at: object, *args: object, **kwargs: object) -> int:
        if isinstance(at, str | Path) and Path(at) == path:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(at))
        return real(at, *args, **kwargs)

    monkeypatch.setattr(os, "open", refusing)


def date(path: Path, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the system say that a file was changed then: not every disk can keep such a date."""
    real = os.stat

    def stat(at: object, *args: object, **kwargs: object) -> os.stat_result:
        found = real(at, *args, **kwargs)
        if not isinstance(at, str | Path) or Path(at) != path:
            return found
        return os.stat_result((*found[:8], seconds, found[9]))

    monkeypatch.setattr(os, "stat", stat)


class Disk:
    """A file on a disk that takes so many more bytes, at most seven at once."""

    def __init__(self, file, room: int) -> None:
        self.file = file
        self.room = room

    def write(self, content: bytes) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        taken = self.file.write(content[: min(self.room, 7)])
        self.room -= taken
        return taken

    def __getattr__(self, name: str) -> object:
        return getattr(self.file, name)


class Stubborn(Disk):
    """And one that cuts nothing off any more."""

    def truncate(self, size: int) -> None:
        raise OSError(errno.EIO, "Input/output error")


@contextmanager
def on_disk(journal: JournalFile, room: int, kind: type[Disk] = Disk) -> Iterator[None]:
    """Have the disk of a journal take so many more bytes."""
    file = journal._file
    journal._file = kind(file, room)
    yield
    journal._file = file
