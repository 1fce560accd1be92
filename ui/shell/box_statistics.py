"""Played and won games of the shelf at this computer: read beside the window, which never waits for
the disk or for another process that writes them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from tabletop.files import folders
from tabletop.files.errors import StorageError
from ui.shell.background_call import run_in_background
from ui.shell.player_names import in_all_languages

if TYPE_CHECKING:
    from tabletop.storage.statistics import GameStatistics


class BoxCounts(QObject):
    """The statistics as they were read last."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.boxes: dict[str, GameStatistics] = {}
        """Every game that was played to its end, by its id, and how one person fared."""
        self.known = False
        """Whether the statistics have been read yet."""

    def read(self, players: Sequence[str]) -> None:
        """Read the statistics anew, for the first of the people who last played here."""
        names = [name for player in players[:1] for name in in_all_languages(player)]
        run_in_background(partial(_read_boxes, names), "statistics", self._take)

    def is_new(self, game: str) -> bool:
        """Whether nobody here has played this game to its end, as far as is known; nothing is new
        to a computer with statistics that are not read yet."""
        return game not in self.boxes and (self.known or not folders.statistics().is_file())

    def _take(self, boxes: dict[str, GameStatistics]) -> None:
        self.boxes, self.known = boxes, True
        self.changed.emit()


def _read_boxes(names: Sequence[str]) -> dict[str, GameStatistics]:
    """The statistics of every game; none where they can't be read."""
    from tabletop.storage.statistics import open_statistics

    try:
        if not folders.statistics().is_file():
            return {}
        with open_statistics() as kept:
            return kept.statistics_by_game(names)
    except (OSError, StorageError):
        return {}  # the statistics dialog says what is wrong with them
