"""File system watcher for a folder and its subfolders.

It also notices when the folder is replaced by another one with the same name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

DEBOUNCE_MS = 50
"""How long no file must change before `changed` is emitted, in milliseconds. Editors write, rename
and delete files in quick succession.
"""


class FolderWatch(QObject):
    """Watches a folder of at most a few hundred files, such as a game folder."""

    changed = Signal()
    """Files were changed, and no other change followed for `DEBOUNCE_MS`."""

    def __init__(self, folder: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._folder = folder
        self._watcher = QFileSystemWatcher(self)
        self._inodes: dict[str, int] = {}
        """The inode number of each watched file and folder."""
        self._quiet = QTimer(self, singleShot=True, interval=DEBOUNCE_MS)
        self._quiet.timeout.connect(self.changed)
        self._watcher.fileChanged.connect(self._on_path_changed)
        self._watcher.directoryChanged.connect(self._on_path_changed)
        self._watch_new()

    def end(self) -> None:
        """Stop watching the folder."""
        self.blockSignals(True)  # signals about files just saved may still be on their way
        self._quiet.stop()
        self._watcher.deleteLater()

    def _on_path_changed(self, path: str) -> None:
        fresh = self._watch_new()
        if fresh or path != str(self._folder.parent):  # other editors save beside the folder first
            self._quiet.start()

    def _watch_new(self) -> bool:
        """Watch the files that exist now. Return whether any of them is new.

        A file replaced under the same name counts as new, because Qt doesn't watch the replacement.
        """
        there = {path: _inode_of(path) for path in _watched_paths(self._folder)}
        watched = {*self._watcher.files(), *self._watcher.directories()}
        replaced = [path for path in watched if there.get(path) != self._inodes.get(path)]
        if replaced:
            self._watcher.removePaths(replaced)
        fresh = [path for path in there if path not in watched or path in replaced]
        if fresh:
            self._watcher.addPaths(fresh)
        self._inodes = there
        return bool(fresh)


def _watched_paths(folder: Path) -> Iterator[str]:
    """Yield the folder, its parent, and everything in it except hidden and compiled files."""
    yield str(folder.parent)  # notices when the folder goes, or another one takes its name
    yield str(folder)
    for above, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if _is_watched(name)]
        for name in (*folders, *filter(_is_watched, files)):
            yield os.path.join(above, name)


def _inode_of(path: str) -> int:
    try:
        return os.stat(path).st_ino
    except OSError:
        return 0


def _is_watched(name: str) -> bool:
    return not name.startswith(".") and name != "__pycache__"
