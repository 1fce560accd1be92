"""File system watcher for games that are added to the user's games folder."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

DEBOUNCE_MS = 200
"""The time without changes before `games_changed` is emitted, in milliseconds.

The files of a new game are written one after another.
"""
MAX_FOLDERS = 200
"""The maximum number of games that are watched while their files are written."""


class GamesWatch(QObject):
    """Watches a folder of game folders, which needn't exist yet."""

    games_changed = Signal()
    """Games were added or removed, and no other change followed for `DEBOUNCE_MS`."""

    def __init__(self, games: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._games = games
        self._watcher = QFileSystemWatcher(self)
        self._quiet = QTimer(self, singleShot=True, interval=DEBOUNCE_MS)
        self._quiet.timeout.connect(self.games_changed)
        self._watcher.directoryChanged.connect(self._on_folder_changed)
        self._watch_new()

    def _on_folder_changed(self, folder: str) -> None:
        appeared = self._watch_new()
        if appeared or Path(folder).is_relative_to(self._games):
            self._quiet.start()

    def _watch_new(self) -> bool:
        """Watch the folders that exist now. Return whether the games folder is newly watched."""
        if os.path.isdir(self._games):
            inside: list[Path] = []
            with suppress(OSError):
                inside = sorted(each for each in self._games.iterdir() if os.path.isdir(each))
            wanted = [self._games, *inside[:MAX_FOLDERS]]
        else:
            wanted = [next(each for each in self._games.parents if os.path.isdir(each))]
        watched = set(self._watcher.directories())
        fresh = [path for path in map(str, wanted) if path not in watched]
        if fresh:
            self._watcher.addPaths(fresh)
        return str(self._games) in fresh
