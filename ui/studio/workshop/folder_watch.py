"""Hears of every saved change in a folder and the folders inside it, also when the folder itself is
replaced by another of its name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

DEBOUNCE = 50
"""Milliseconds of quiet after the last change: an editor writes, renames and deletes in a row."""


class FolderWatch(QObject):
    """A folder of a few hundred files at most, such as a game's."""

    changed = Signal()
    """Files were saved, and have been quiet since."""

    def __init__(self, folder: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._folder = folder
        self._watcher = QFileSystemWatcher(self)
        self._numbers: dict[str, int] = {}
        """The file system's number of each watched file and folder."""
        self._quiet = QTimer(self, singleShot=True, interval=DEBOUNCE)
        self._quiet.timeout.connect(self.changed)
        self._watcher.fileChanged.connect(self._note)
        self._watcher.directoryChanged.connect(self._note)
        self._watch_new()

    def end(self) -> None:
        """Hear nothing any more."""
        self.blockSignals(True)  # signals about files just saved may still be on their way
        self._quiet.stop()
        self._watcher.deleteLater()

    def _note(self, path: str) -> None:
        fresh = self._watch_new()
        if fresh or path != str(self._folder.parent):  # other editors save beside the folder first
            self._quiet.start()

    def _watch_new(self) -> bool:
        """Watch what is there now; return whether any of it is new. What was replaced under its
        name is another file or folder, which Qt does not watch by itself."""
        there = {path: _file_number(path) for path in _watched_paths(self._folder)}
        watched = {*self._watcher.files(), *self._watcher.directories()}
        replaced = [path for path in watched if there.get(path) != self._numbers.get(path)]
        if replaced:
            self._watcher.removePaths(replaced)
        fresh = [path for path in there if path not in watched or path in replaced]
        if fresh:
            self._watcher.addPaths(fresh)
        self._numbers = there
        return bool(fresh)


def _watched_paths(folder: Path) -> Iterator[str]:
    """The folder, and all in it but what is hidden or compiled."""
    yield str(folder.parent)  # notices when the folder goes, or another one takes its name
    yield str(folder)
    for above, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if _counts(name)]
        for name in (*folders, *filter(_counts, files)):
            yield os.path.join(above, name)


def _file_number(path: str) -> int:
    try:
        return os.stat(path).st_ino
    except OSError:
        return 0


def _counts(name: str) -> bool:
    return not name.startswith(".") and name != "__pycache__"
