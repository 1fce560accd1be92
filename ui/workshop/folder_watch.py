"""Hears of every saved change in a folder and the folders inside it."""

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
        self._quiet = QTimer(self, singleShot=True, interval=DEBOUNCE)
        self._quiet.timeout.connect(self.changed)
        self._watcher.fileChanged.connect(self._note)
        self._watcher.directoryChanged.connect(self._note)
        self._look()

    def end(self) -> None:
        """Hear nothing any more."""
        self.blockSignals(True)  # the signals of files just saved are still on their way
        self._quiet.stop()
        self._watcher.deleteLater()

    def _note(self, _: str) -> None:
        self._look()
        self._quiet.start()

    def _look(self) -> None:
        """Watch what is there now: a file that was replaced under its name is another one, which
        Qt does not watch by itself."""
        known = {*self._watcher.files(), *self._watcher.directories()}
        fresh = [path for path in _paths(self._folder) if path not in known]
        if fresh:
            self._watcher.addPaths(fresh)


def _paths(folder: Path) -> Iterator[str]:
    """The folder, and all in it but what is hidden or compiled."""
    yield str(folder)
    for above, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if _counts(name)]
        for name in (*folders, *filter(_counts, files)):
            yield os.path.join(above, name)


def _counts(name: str) -> bool:
    return not name.startswith(".") and name != "__pycache__"
