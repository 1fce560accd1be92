"""Crash logs: one file per process with its Python stack, to be attached to bug reports.

Python writes the stack while the process is dying, for example from a segmentation fault or when Qt
aborts. Empty files are deleted when their process ends, or at the next start.
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
"""The maximum number of crash logs kept."""
MAX_LOG_BYTES = 256 * KIB

_file: FileIO | None = None
"""The open crash log of this process; None if it has none."""
_path = Path()
"""The path of this process's crash log."""


def enable(name: str) -> None:
    """Write a crash log if this process crashes; `name` describes the process in the file name.

    Disk errors are ignored. Do nothing if stacks are already written elsewhere, as with
    PYTHONFAULTHANDLER or in a test run.
    """
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
    """Stop watching for crashes at the normal end of this process, and delete the empty log."""
    global _file, _path
    if _file is None:
        return
    path, file, _file = _path, _file, None
    faulthandler.disable()
    file_lock.unlock_and_close(file)
    _delete_empty(path)


def read_last() -> str:
    """Return the content of the latest crash log; "" if there is none."""
    for path in reversed(_logs_by_age(folders.crashes())):
        with suppress(OSError):
            if text := read_regular(path, MAX_LOG_BYTES).decode("utf-8", "replace"):
                return text
    return ""


def _delete_old_logs(folder: Path) -> None:
    """Delete the empty logs of killed processes, and all but the latest `MAX_LOGS` other logs."""
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
