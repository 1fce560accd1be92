"""The rows of the list of replays: months, replays, and files that can't be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from tabletop.catalogue.catalogue import BrokenGame, UnknownGame
from tabletop.language import labels
from tabletop.language.spoken_text import aloud
from tabletop.language.table_text import points_text
from tabletop.language.words import Words
from ui.replay.replay_filter import Facets, month_text
from ui.shell.language import title, versus, when_text
from ui.widgets.lists import Index

if TYPE_CHECKING:
    from pathlib import Path

    from tabletop.storage.saved_matches import SavedReplay

FILE = Qt.ItemDataRole.UserRole
LINES = Qt.ItemDataRole.UserRole + 1
"""The role of the lines under a picture."""
MONTH = Qt.ItemDataRole.UserRole + 2
"""The role that marks a heading: the month of the replays after it."""

ROOT = QModelIndex()
"""The parent of all rows."""
FETCHED_ROWS = 300
"""Rows that the view gets at once."""


class ListedReplay(Struct, frozen=True, eq=False):
    """A replay as its card shows it, in one language."""

    kept: SavedReplay
    facets: Facets
    lines: tuple[str, ...]
    """What it is called, who played, when and how it ended."""


def describe(kept: SavedReplay, words: Words) -> ListedReplay:
    """Describe a replay in the language of `words`. Call this in any thread."""
    game, players = _game_and_players(kept, words)
    called = words.join_facts((kept.name, game))
    end = _end(kept, words, players)
    if kept.end.points_by_side:
        end = words.with_note(end, words.join_scores(kept.end.points_by_side))
    who = versus(players, kept.header.players)
    lines = called, who, words.join_facts((when_text(words, kept.changed), end))
    seated = tuple(players.seat(seat) for seat in range(len(kept.header.players)))
    month = kept.changed.astimezone().date().replace(day=1)
    return ListedReplay(kept, Facets(game, seated, month, "\n".join(lines).casefold()), lines)


def spoken_text(kept: SavedReplay, words: Words) -> str:
    """Return what is on a card as it is heard, with every score's player."""
    game, players = _game_and_players(kept, words)
    called = words.join_facts((kept.name, game))
    scores = [
        words.with_label(players.seat(seat), points_text(points, players))
        for seat, points in enumerate(kept.end.points_by_side)
    ]
    who, when = versus(players, kept.header.players), when_text(words, kept.changed)
    return words.sentences((called, who, when, _end(kept, words, players), *scores))


def _game_and_players(kept: SavedReplay, words: Words) -> tuple[str, Words]:
    """The title of the game, and words that know the players."""
    try:
        kit = kept.header.load_kit()
    except (UnknownGame, BrokenGame):
        return kept.header.game, words
    return title(kit, words.language), Words(words.language, kit, kept.header.players)


def _end(kept: SavedReplay, words: Words, players: Words) -> str:
    won = words.join_list(players.seat(seat) for seat in kept.end.winners)
    nobody = words("everyone lost") if kept.end.lost else words("nobody won")
    return words(labels.WON, names=won) if won else nobody


Row = ListedReplay | date | str
"""A replay, the month of a heading, or what is wrong with a file."""


class ReplayModel(QAbstractListModel):
    """Replays by months, where there are several; after them, what is wrong with other files.

    The view gets the first rows, and more as it scrolls: it asks Python for the size of each row
    whenever it lays them out.
    """

    def __init__(self, words: Words, parent: QObject) -> None:
        super().__init__(parent)
        self.words = words
        self._rows: list[Row] = []
        """The rows that the view has."""
        self._every: list[Row] = []
        self._counts: Counter[date] = Counter()

    def show(
        self, replays: Sequence[ListedReplay], unreadable: Sequence[str], *, grown: bool
    ) -> None:
        """Show these. `grown`: all rows so far are among them, so selections stay."""
        counts = Counter(replay.facets.month for replay in replays)
        rows: list[Row] = []
        for replay in replays:
            month = replay.facets.month
            if len(counts) > 1 and not (rows and _month(rows[-1]) == month):
                rows.append(month)
            rows.append(replay)
        rows += unreadable
        self._every, self._counts = rows, counts
        if grown and self._rows:
            last = len(rows) - 1 - rows[::-1].index(self._rows[-1])
            self._insert(rows[: max(last + 1, FETCHED_ROWS)])
            self.dataChanged.emit(self.index(0), self.index(0))  # a month has more replays
            return
        self.beginResetModel()
        self._rows = rows[:FETCHED_ROWS]
        self.endResetModel()

    def canFetchMore(self, parent: Index) -> bool:
        return len(self._rows) < len(self._every)

    def fetchMore(self, parent: Index) -> None:
        self._fetch(len(self._rows) + FETCHED_ROWS)

    def fetch_all(self) -> None:
        """Give the view all rows."""
        self._fetch(len(self._every))

    def row_near(self, row: int) -> int | None:
        """Return the row of the replay that is nearest to this row."""
        rows = (number for number, each in enumerate(self._rows) if isinstance(each, ListedReplay))
        return min(rows, key=lambda each: abs(each - row), default=None)

    def row_of(self, path: Path) -> int | None:
        """Return the row of the replay in this file, which the view has then."""
        for number, each in enumerate(self._every):
            if isinstance(each, ListedReplay) and each.kept.path == path:
                self._fetch(number + 1)
                return number
        return None

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if isinstance(self._rows[index.row()], ListedReplay):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.ItemIsEnabled  # focusable, so that it is read out, but not selectable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self._rows[index.row()]
        if role == MONTH:
            return isinstance(row, date)
        if role == FILE:
            return row.kept.path if isinstance(row, ListedReplay) else None
        if role == LINES:
            return self._lines(row)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return "\n".join(self._lines(row))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._heard(row)
        return None

    def _lines(self, row: Row) -> tuple[str, ...]:
        if isinstance(row, ListedReplay):
            return row.lines
        if isinstance(row, str):
            return (row,)
        called = month_text(row, self.words.language)
        return (self.words("{month} ({n})", month=called, n=self._counts[row]),)

    def _heard(self, row: Row) -> str | None:
        words = self.words
        if isinstance(row, str):
            return None
        if isinstance(row, ListedReplay):
            return aloud(spoken_text(row.kept, words), words)
        count = self._counts[row]
        replays = words("1 replay") if count == 1 else words("{n} replays", n=count)
        return aloud(words.with_label(month_text(row, words.language), replays), words)

    def _fetch(self, count: int) -> None:
        start, end = len(self._rows), min(count, len(self._every))
        if start < end:
            self.beginInsertRows(ROOT, start, end - 1)
            self._rows = self._every[:end]
            self.endInsertRows()

    def _insert(self, rows: list[Row]) -> None:
        """Insert what is new in `rows`, run by run."""
        at = 0
        while at < len(rows):
            if at < len(self._rows) and self._rows[at] == rows[at]:
                at += 1
                continue
            end = rows.index(self._rows[at], at) if at < len(self._rows) else len(rows)
            self.beginInsertRows(ROOT, at, end - 1)
            self._rows[at:at] = rows[at:end]
            self.endInsertRows()
            at = end


def _month(row: Row) -> date | None:
    return row.facets.month if isinstance(row, ListedReplay) else None
