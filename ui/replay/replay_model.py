"""The model of the replay list, with headings, replays and unreadable files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from tabletop.catalogue.catalogue import BrokenGame, UnknownGame
from tabletop.language import labels
from tabletop.language.spoken_text import to_spoken_text
from tabletop.language.table_text import points_text
from tabletop.language.words import Words
from ui.replay.replay_filter import ReplayFacets, month_text
from ui.shell.language import game_title, players_text, when_text
from ui.widgets.lists import Index

if TYPE_CHECKING:
    from pathlib import Path

    from tabletop.storage.saved_matches import SavedReplay

FILE_ROLE = Qt.ItemDataRole.UserRole
"""Role of the path of a replay's file."""
LINES_ROLE = Qt.ItemDataRole.UserRole + 1
"""Role of the text lines below a picture."""
MONTH_ROLE = Qt.ItemDataRole.UserRole + 2
"""Role that tells whether a row is a month's heading."""

ROOT_INDEX = QModelIndex()
"""The parent index of all rows."""
FETCHED_ROWS = 300
"""Number of rows that the view fetches at once."""


class ListedReplay(Struct, frozen=True, eq=False):
    """A replay with the texts of its card, in one language."""

    kept: SavedReplay
    """The header and result of the stored match."""
    facets: ReplayFacets
    """The properties for searching and filtering."""
    lines: tuple[str, ...]
    """The lines of the card: the title, the players, and the time with the result."""


def to_listed_replay(kept: SavedReplay, words: Words) -> ListedReplay:
    """Return the list entry of a replay, in the language of `words`. Thread-safe."""
    game, players = _game_and_players(kept, words)
    called = words.join_facts((kept.name, game))
    end = _end(kept, words, players)
    if kept.end.points_by_side:
        end = words.with_note(end, words.join_scores(kept.end.points_by_side))
    who = players_text(players, kept.header.players)
    lines = called, who, words.join_facts((when_text(words, kept.changed), end))
    seated = tuple(players.seat(seat) for seat in range(len(kept.header.players)))
    month = kept.changed.astimezone().date().replace(day=1)
    return ListedReplay(kept, ReplayFacets(game, seated, month, "\n".join(lines).casefold()), lines)


def spoken_card_text(kept: SavedReplay, words: Words) -> str:
    """Return the card's text for screen readers, which names the player of each score."""
    game, players = _game_and_players(kept, words)
    called = words.join_facts((kept.name, game))
    scores = [
        words.with_label(players.seat(seat), points_text(points, players))
        for seat, points in enumerate(kept.end.points_by_side)
    ]
    who, when = players_text(players, kept.header.players), when_text(words, kept.changed)
    return words.sentences((called, who, when, _end(kept, words, players), *scores))


def _game_and_players(kept: SavedReplay, words: Words) -> tuple[str, Words]:
    """Return the game's title, and words with the players' names."""
    try:
        kit = kept.header.load_kit()
    except (UnknownGame, BrokenGame):
        return kept.header.game, words
    return game_title(kit, words.language), Words(words.language, kit, kept.header.players)


def _end(kept: SavedReplay, words: Words, players: Words) -> str:
    won = words.join_list(players.seat(seat) for seat in kept.end.winners)
    nobody = words("everyone lost") if kept.end.lost else words("nobody won")
    return words(labels.WON, names=won) if won else nobody


Row = ListedReplay | date | str
"""A replay, the month of a heading, or the error message of an unreadable file."""


class ReplayModel(QAbstractListModel):
    """Replays, grouped by month if there are several months, then the errors of unreadable files.

    The view fetches the rows in batches, because it calls Python for each row's size.
    """

    def __init__(self, words: Words, parent: QObject) -> None:
        super().__init__(parent)
        self.words = words
        self._rows: list[Row] = []
        """The rows that the view has fetched so far."""
        self._every: list[Row] = []
        """All rows, fetched or not."""
        self._counts: Counter[date] = Counter()

    def show(
        self, replays: Sequence[ListedReplay], unreadable: Sequence[str], *, grown: bool
    ) -> None:
        """Set the rows to `replays` and the error messages `unreadable`.

        `grown`: whether rows were only added, so that selections can stay.
        """
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
        """Make all rows available to the view."""
        self._fetch(len(self._every))

    def row_near(self, row: int) -> int | None:
        """Return the row of the replay nearest to `row`; None if there are no replays."""
        rows = (number for number, each in enumerate(self._rows) if isinstance(each, ListedReplay))
        return min(rows, key=lambda each: abs(each - row), default=None)

    def row_of(self, path: Path) -> int | None:
        """Return the row of the replay in the file `path`; None if it isn't listed.

        The view fetches all rows up to this one.
        """
        for number, each in enumerate(self._every):
            if isinstance(each, ListedReplay) and each.kept.path == path:
                self._fetch(number + 1)
                return number
        return None

    def rowCount(self, parent: Index = ROOT_INDEX) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if isinstance(self._rows[index.row()], ListedReplay):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.ItemIsEnabled  # focusable, so that it is read out, but not selectable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self._rows[index.row()]
        if role == MONTH_ROLE:
            return isinstance(row, date)
        if role == FILE_ROLE:
            return row.kept.path if isinstance(row, ListedReplay) else None
        if role == LINES_ROLE:
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
            return to_spoken_text(spoken_card_text(row.kept, words), words)
        count = self._counts[row]
        replays = words("1 replay") if count == 1 else words("{n} replays", n=count)
        return to_spoken_text(words.with_label(month_text(row, words.language), replays), words)

    def _fetch(self, count: int) -> None:
        start, end = len(self._rows), min(count, len(self._every))
        if start < end:
            self.beginInsertRows(ROOT_INDEX, start, end - 1)
            self._rows = self._every[:end]
            self.endInsertRows()

    def _insert(self, rows: list[Row]) -> None:
        """Insert the new ones of `rows`, which contain all current rows in order."""
        at = 0
        while at < len(rows):
            if at < len(self._rows) and self._rows[at] == rows[at]:
                at += 1
                continue
            end = rows.index(self._rows[at], at) if at < len(self._rows) else len(rows)
            self.beginInsertRows(ROOT_INDEX, at, end - 1)
            self._rows[at:at] = rows[at:end]
            self.endInsertRows()
            at = end


def _month(row: Row) -> date | None:
    return row.facets.month if isinstance(row, ListedReplay) else None
