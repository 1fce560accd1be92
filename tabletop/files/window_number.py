"""Numbers that identify the open windows of a user, each reserved by a file lock."""

from contextlib import suppress
from pathlib import Path
from typing import IO

from tabletop.files import file_lock, folders

MAX_NUMBER = 99


class WindowNumber:
    """The lowest free number from 1, reserved for this window; 0 if none could be reserved."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self.number = 0
        with suppress(OSError):
            folders.cache().mkdir(parents=True, exist_ok=True)
            self._take()

    def _take(self) -> None:
        for number in range(1, MAX_NUMBER + 1):
            file = self._path(number).open("ab")
            if file_lock.try_lock(file):
                self._file, self.number = file, number
                return
            file.close()

    def release(self) -> None:
        """Make the number available to other windows."""
        if self._file is not None:
            file_lock.unlock_and_close(self._file)

    @staticmethod
    def _path(number: int) -> Path:
        return folders.cache() / f".window-{number}.lock"
