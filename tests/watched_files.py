"""Files that nobody may open: the system reports every opening, also those in Qt's own code."""

import ctypes
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

OPENED = 0x20  # IN_OPEN

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")


class Watched:
    """These files from now on."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._system = ctypes.CDLL(None, use_errno=True)
        self._line = self._system.inotify_init1(os.O_NONBLOCK)
        assert self._line >= 0
        for file in files:
            assert self._system.inotify_add_watch(self._line, os.fsencode(file), OPENED) >= 0

    def opened(self) -> bool:
        """Whether one of them was opened since the last time."""
        try:
            return bool(os.read(self._line, 4096))
        except BlockingIOError:
            return False

    def close(self) -> None:
        os.close(self._line)
