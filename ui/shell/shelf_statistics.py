"""The statistics of each game for the shelf, read in the background."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from tabletop.files import folders
from tabletop.files.errors import StorageError
from ui.shell.background_call import run_in_background
from ui.shell.player_names import name_variants

if TYPE_CHECKING:
    from tabletop.storage.statistics import GameStatistics


class ShelfStatistics(QObject):
    """The statistics as last read; the window never waits for the disk or another process."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.by_game: dict[str, GameStatistics] = {}
        """The statistics of each game that was played to the end, by the game's ID."""
        self.is_loaded = False
        """Whether the statistics have been read."""

    def read(self, players: Sequence[str]) -> None:
        """Start reading the statistics of the first of `players`, then emit `changed`."""
        names = [name for player in players[:1] for name in name_variants(player)]
        run_in_background(partial(_read_boxes, names), "statistics", self._on_read)

    def is_new(self, game: str) -> bool:
        """Return whether `game` has never been played to the end on this computer.

        Returns False for all games until existing statistics have been read.
        """
        return game not in self.by_game and (self.is_loaded or not folders.statistics().is_file())

    def _on_read(self, boxes: dict[str, GameStatistics]) -> None:
        self.by_game, self.is_loaded = boxes, True
        self.changed.emit()


def _read_boxes(names: Sequence[str]) -> dict[str, GameStatistics]:
    """Return the statistics of all games, by ID; empty if they can't be read."""
    from tabletop.storage.statistics import open_statistics

    try:
        if not folders.statistics().is_file():
            return {}
        with open_statistics() as kept:
            return kept.statistics_by_game(names)
    except (OSError, StorageError):
        return {}  # the statistics dialog shows the error
