"""Creation of many files at once, each atomically.

Syncing tens of thousands of files one by one would take minutes.
"""

import errno
import os
import shutil
import sys
from pathlib import Path

from tabletop.files.atomic_write import make_folder, rename_to_new, sync_folder, write_new
from tabletop.files.errors import StorageError, write_error


class NewFiles:
    """Files that are already written and get their final names together."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Path, Path]] = []

    def add(self, written: Path, target: Path) -> None:
        """Register the file `written` to be moved to the unused path `target` by `commit`."""
        self._waiting.append((written, target))

    def commit(self) -> list[StorageError]:
        """Sync all registered files to disk and move them to their targets.

        Return an error for each file that couldn't be moved.
        """
        waiting, self._waiting = self._waiting, []
        refused = []
        try:
            for folder in {target.parent for _, target in waiting}:
                make_folder(folder)
            _sync_files([written for written, _ in waiting])
        except OSError as error:
            return [write_error(error, waiting[0][1].name)]
        for written, target in waiting:
            try:
                _rename_or_copy(written, target)
            except StorageError as error:
                refused.append(error)
        try:
            for folder in {target.parent for _, target in waiting}:
                sync_folder(folder)
        except OSError as error:
            refused.append(write_error(error, waiting[0][1].name))
        return refused


MAX_SINGLE_SYNCS = 50
"""The maximum number of files to sync one by one; for more files, `os.sync` is faster."""


def _sync_files(files: list[Path]) -> None:
    # `os.sync` also waits for other programs' writes, and only on Linux until they are safe
    if len(files) > MAX_SINGLE_SYNCS and sys.platform == "linux":
        os.sync()
        return
    for path in files:
        with open(path, "r+b") as file:
            os.fsync(file.fileno())


def _rename_or_copy(written: Path, target: Path) -> None:
    try:
        rename_to_new(written, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise write_error(error, target.name) from error
        write_new(target, written.read_bytes())
        shutil.copystat(written, target)
