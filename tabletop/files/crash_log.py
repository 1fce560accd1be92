"""Crash logs: a file for each process with its stack, which a bug report takes along.

Python writes it while the process dies (a fault in a library, an abort of Qt). A file that stays
empty is deleted at the end, or at the next start.
"""

import faulthandler
import os
from contextlib import suppress
from io import FileIO
from pathlib import Path

from tabletop.files import file_lock, folders
from tabletop.files.atomic_write import make_folder
from tabletop.files.regular_file import KIB, open_regular, read_regular

SUFFIX = ".crash"
MAX_LOGS = 5
"""The number of stacks that are kept; the oldest go first."""
MAX_LOG_BYTES = 256 * KIB

_file: FileIO | None = None
_path = Path()
"""The path of this process's file."""


def enable(name: str) -> None:
    """Write a crash of this process to a file from now on; `name` is what the process is. If the
    disk refuses there is no file, and nobody is bothered. Where stacks go somewhere else already
    (PYTHONFAULTHANDLER, a test run) they still do."""
    global _file, _path
    if faulthandler.is_enabled():
        return
    folder = folders.crashes()
    path = folder / f"{name}-{os.getpid()}{SUFFIX}"
    with suppress(OSError):
        make_folder(folder)
        _delete_old_logs(folder)
        file = open_regular(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        file_lock.try_lock(file)
        faulthandler.enable(file, all_threads=True)
        _file, _path = file, path


def disable() -> None:
    """Write no crash down any more; this process ends well."""
    global _file, _path
    if _file is None:
        return
    path, file, _file = _path, _file, None
    faulthandler.disable()
    file_lock.unlock_and_close(file)
    _delete_empty(path)


def read_last() -> str:
    """The stack of the last crash; "" where there was none."""
    for path in reversed(_logs_by_age(folders.crashes())):
        with suppress(OSError):
            if text := read_regular(path, MAX_LOG_BYTES).decode("utf-8", "replace"):
                return text
    return ""


def _delete_old_logs(folder: Path) -> None:
    """Delete what processes left that were killed, and all but the last stacks."""
    for path in _logs_by_age(folder):
        _delete_empty(path)
    stacks = []
    for path in _logs_by_age(folder):
        with suppress(OSError):
            if path.stat().st_size:  # an empty one belongs to a running process
                stacks.append(path)
    for path in stacks[:-MAX_LOGS]:
        with suppress(OSError):
            path.unlink()


def _delete_empty(path: Path) -> None:
    with suppress(OSError):
        with open_regular(path) as file:
            unused = file_lock.try_lock(file) and os.fstat(file.fileno()).st_size == 0
        if unused:  # closed first: Windows cannot delete an open file
            path.unlink()


def _logs_by_age(folder: Path) -> list[Path]:
    dated: list[tuple[float, Path]] = []
    with suppress(OSError):
        for path in folder.glob(f"*{SUFFIX}"):
            with suppress(OSError):
                dated.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(dated)]
