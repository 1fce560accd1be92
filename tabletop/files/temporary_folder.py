"""Temporary folders on the same disk as the final files, deleted even if their process was killed.

Each folder has a lock file beside it, which is locked while the process is running. A folder whose
lock file isn't locked is abandoned; it is deleted at the next start, or when another temporary
folder is created beside it.
"""

import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

from tabletop.files import file_lock
from tabletop.files.atomic_write import STALE_AFTER_S
from tabletop.files.regular_file import open_regular

PREFIX = ".tabletop-"
LOCK_SUFFIX = ".lock"
_LOCK_NAME = re.compile(rf"{re.escape(PREFIX)}[0-9a-f]{{16}}{re.escape(LOCK_SUFFIX)}")


@contextmanager
def temporary_folder(parent: Path) -> Iterator[Path]:
    """Yield a new private folder in `parent`, and delete it afterwards.

    Abandoned temporary folders in `parent` are deleted too.

    Raises:
        OSError: the folder can't be created.
    """
    delete_abandoned(parent)
    lock, lock_path = _make_lock(parent)
    folder = _folder_of(lock_path)
    try:
        folder.mkdir(0o700)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        file_lock.unlock_and_close(lock)  # closed first: Windows cannot delete an open file
        _delete_lock(lock_path)


def delete_abandoned(parent: Path) -> None:
    """Delete the temporary folders in `parent` whose processes have ended, ignoring disk errors."""
    with suppress(OSError):
        for path in list(parent.glob(f"{PREFIX}*{LOCK_SUFFIX}")):
            if _LOCK_NAME.fullmatch(path.name):
                with suppress(OSError):
                    _delete_if_abandoned(path)


def _delete_if_abandoned(lock_path: Path) -> None:
    with open_regular(lock_path, os.O_RDWR) as lock:
        if not _is_abandoned(lock):
            return
        shutil.rmtree(_folder_of(lock_path), ignore_errors=True)
    _delete_lock(lock_path)


def _is_abandoned(lock: FileIO) -> bool:
    if file_lock.try_supported_lock(lock):
        return True
    # without locks, only the age shows whether it is abandoned
    return (
        file_lock.try_lock(lock) and time.time() - os.fstat(lock.fileno()).st_mtime > STALE_AFTER_S
    )


def _make_lock(parent: Path) -> tuple[FileIO, Path]:
    """Create and lock a lock file, retrying if another process deletes it as abandoned."""
    while True:
        path = parent / f"{PREFIX}{os.urandom(8).hex()}{LOCK_SUFFIX}"
        lock = open_regular(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        if file_lock.try_lock(lock) and path.exists():
            return lock, path
        lock.close()


def _folder_of(lock_path: Path) -> Path:
    return lock_path.with_name(lock_path.name.removesuffix(LOCK_SUFFIX))


def _delete_lock(lock_path: Path) -> None:
    """Delete a lock file if its folder no longer exists.

    As long as the folder exists, the lock file marks it as temporary.
    """
    if not _folder_of(lock_path).exists():
        with suppress(OSError):
            lock_path.unlink(missing_ok=True)
