"""The statistics: how a player stands, the scores over time, the sheet's lines, the rivals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec import Struct
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from tabletop.games import catalogue
from tabletop.games.catalogue import Kit
from tabletop.phrases import phrase
from tabletop.storage.statistics import Figure, Played, Rival, Standing, Statistics, opened
from tabletop.storage.trouble import StorageError
from tabletop.storage.whole import write_whole
from ui import files
from ui.screens.chart import Chart
from ui.screens.question import agreed
from ui.screens.room import Room, named
from ui.screens.surface import Paper, Roll, button, label
from ui.words import title

Told = TypeVar("Told")

LEVELS = {
    "": phrase("Bot"),
    "easy": phrase("Bot, easy"),
    "normal": phrase("Bot, normal"),
    "hard": phrase("Bot, hard"),
}


class Report(Struct, frozen=True):
    """All that the dialog shows of a player in a game, or in all games."""

    standing: Standing
    matches: tuple[Played, ...]
    figures: tuple[Figure, ...]
    rivals: tuple[Rival, ...]
    games: dict[str, Standing]


class StatisticsDialog(QDialog):
    """Who plays how well. A player and a game are chosen above; everything below follows."""

    def __init__(self, room: Room, parent: QWidget) -> None:
        super().__init__(parent)
        self._room = room
        self._filling = False
        self.player, self.game = QComboBox(), QComboBox()
        self._sentence = label("caption", wrap=True)
        self._page = QWidget()
        self._export, self._forget, self._done = button(), button(), button("primary")
        above = QHBoxLayout()
        above.setSpacing(12)
        above.addWidget(self.player, 1)
        above.addWidget(self.game, 1)
        below = QHBoxLayout()
        below.setSpacing(12)
        below.addWidget(self._export)
        below.addWidget(self._forget)
        below.addStretch()
        below.addWidget(self._done)
        self._roll = Roll(self._page)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(12)
        column.addLayout(above)
        column.addWidget(self._sentence)
        column.addWidget(self._roll, 1)
        column.addLayout(below)
        self.player.currentIndexChanged.connect(lambda _: self._choose())
        self.game.currentIndexChanged.connect(lambda _: self._choose())
        self._export.clicked.connect(lambda: self._save())
        self._forget.clicked.connect(lambda: self._forget_player())
        self._done.clicked.connect(self.accept)
        room.changed.connect(self.dress)
        self.dress()
        self.resize(860, 640)

    def dress(self) -> None:
        """Put texts and figures on."""
        words = self._room.words
        self.setWindowTitle(words("Statistics"))
        self._export.setText(words("Export as CSV…"))
        self._forget.setText(words("Forget this player…"))
        self._done.setText(words("Done"))
        named(self.player, words("Player"))
        named(self.game, words("Game"))
        self._fill_players()

    def _fill_players(self) -> None:
        people = self._read(lambda kept: kept.people(), ())
        chosen = self.player.currentData()
        self._filling = True
        self.player.clear()
        for name in people:
            self.player.addItem(name, name)
        self.player.setCurrentIndex(max(0, self.player.findData(chosen)) if people else -1)
        self._filling = False
        for widget in (self.player, self.game, self._roll, self._export, self._forget):
            widget.setVisible(bool(people))
        self._sentence.setVisible(not people)
        self._sentence.setText(
            self._room.words(
                "Nothing is counted yet. Every match that is played to its end will be."
            )
        )
        self._choose()

    def _choose(self) -> None:
        if self._filling or self.player.currentData() is None:
            return
        name = self.player.currentData()
        games = self._read(lambda kept: kept.games(name), {})
        self._fill_games(games)
        game = self.game.currentData() or ""
        empty = Report(Standing(), (), (), (), {})
        report = self._read(
            lambda kept: Report(
                kept.standing(name, game),
                kept.matches(name, game),
                kept.figures(name, game) if game else (),
                kept.rivals(name, game),
                {each: kept.standing(name, each) for each in games},
            ),
            empty,
        )
        kit = next((kit for kit in catalogue.whole() if kit.id == game), None)
        self._page = Page(self._room, report, kit)
        self._roll.setWidget(self._page)

    def _fill_games(self, games: dict[str, int]) -> None:
        words, chosen = self._room.words, self.game.currentData()
        self._filling = True
        self.game.clear()
        self.game.addItem(words("All games"), "")
        for kit in catalogue.shelf():
            if kit.id in games:
                name = title(kit, words.language)
                self.game.addItem(f"{name} ({games[kit.id]})", kit.id)
        self.game.setCurrentIndex(max(0, self.game.findData(chosen)))
        self._filling = False

    def _save(self) -> None:
        words = self._room.words
        kinds = words("Tables") + " (*.csv)"
        file = files.to_write(self, words("Export as CSV"), "tabletop-statistics.csv", kinds)
        if file is None:
            return
        table = self._read(lambda kept: kept.table(), None)
        if table is None:
            return
        try:
            write_whole(file, table.encode("utf-8-sig"))  # so that spreadsheets read Japanese
        except StorageError as error:
            self._room.tell(error.reason)

    def _forget_player(self) -> None:
        words, name = self._room.words, self.player.currentData()
        text = words(
            "Take {name} out of the statistics? The matches stay for those who played along; "
            "this cannot be undone.",
            name=name,
        )
        if agreed(self._room, self, "forget", text, words("Forget")):
            self._read(lambda kept: kept.forget(name), None)
            self._fill_players()

    def _read(self, ask: Callable[[Statistics], Told], instead: Told) -> Told:
        """What the statistics answer; `instead` where they cannot, which the person is told."""
        try:
            with opened() as kept:
                return ask(kept)
        except StorageError as error:
            self._room.tell(error.reason)
            return instead


class Page(QWidget):
    """One report, laid out: counts in a row, below them the scores, the sheet and the rivals."""

    def __init__(self, room: Room, report: Report, kit: Kit | None) -> None:
        super().__init__()
        self._room = room
        self._words = room.words if kit is None else room.of(kit)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 12, 0)
        column.setSpacing(12)
        column.addLayout(self._counts(report.standing, scored=kit is not None))
        halves = QHBoxLayout()
        halves.setSpacing(12)
        if kit is None:
            halves.addWidget(self._games(report.games), 3)
        elif report.standing.mean is not None:
            halves.addWidget(self._scores(report.matches), 3)
        if report.rivals:
            halves.addWidget(self._rivals(report.rivals), 2)
        column.addLayout(halves)
        if report.figures:
            column.addWidget(self._figures(report.figures))
        column.addStretch()

    def _counts(self, standing: Standing, scored: bool) -> QHBoxLayout:
        words, row = self._words, QHBoxLayout()
        row.setSpacing(12)
        share = round(100 * standing.won / standing.played) if standing.played else 0
        figures = [
            (words("Played"), str(standing.played), ""),
            (words("Won"), str(standing.won), f"{share} %"),
            (
                words("Won in a row"),
                str(standing.streak),
                words("at most {n}", n=standing.longest),
            ),
        ]
        if scored and standing.mean is not None:
            figures += [
                (words("Best score"), str(standing.best), ""),
                (words("Average"), f"{standing.mean:.1f}", ""),
            ]
        for caption, figure, beside in figures:
            row.addWidget(_count(caption, figure, beside), 1)
        return row

    def _games(self, games: dict[str, Standing]) -> QWidget:
        language = self._words.language
        titles = {kit.id: title(kit, language) for kit in catalogue.shelf()}
        rows = [
            [titles.get(game, game), str(standing.played), str(standing.won)]
            for game, standing in sorted(games.items(), key=lambda each: -each[1].played)
        ]
        return _table(self._words("Games"), ("", self._words("Played"), self._words("Won")), rows)

    def _scores(self, matches: Sequence[Played]) -> QWidget:
        paper, column = _sheet(self._words("Scores, the last match at the right"))
        chart = Chart(self._room)
        chart.show_matches(matches)
        column.addWidget(chart, 1)
        key = label("caption")
        key.setText(self._words("● won   ○ not won   - - average"))
        column.addWidget(key)
        return paper

    def _rivals(self, rivals: Sequence[Rival]) -> QWidget:
        words = self._words
        rows = [
            [
                words(LEVELS.get(rival.name, rival.name)) if rival.bot else rival.name,
                str(rival.played),
                str(rival.won),
                str(rival.lost),
            ]
            for rival in rivals
        ]
        heads = ("", words("Played"), words("Won"), words("Lost"))
        return _table(words("Against"), heads, rows)

    def _figures(self, figures: Sequence[Figure]) -> QWidget:
        words = self._words
        rows = [
            [words.line(figure.line), f"{figure.mean:.1f}", str(figure.best)] for figure in figures
        ]
        return _table(words("On the score sheet"), ("", words("Average"), words("Best")), rows)


def _count(caption: str, figure: str, beside: str) -> QWidget:
    """One large figure under its caption."""
    mat = Paper(kind="mat")
    column = QVBoxLayout(mat)
    column.setContentsMargins(16, 10, 16, 10)
    column.setSpacing(0)
    above, large, small = label("caption"), label("title"), label("caption")
    above.setText(caption)
    large.setText(figure)
    small.setText(beside)
    row = QHBoxLayout()
    row.setSpacing(8)
    row.addWidget(large)
    row.addWidget(small, 1, Qt.AlignmentFlag.AlignBottom)
    column.addWidget(above)
    column.addLayout(row)
    named(mat, caption, f"{figure} {beside}".strip())
    return mat


def _sheet(heading: str) -> tuple[Paper, QVBoxLayout]:
    """Paper with a heading, and the column to go on in."""
    paper = Paper()
    column = QVBoxLayout(paper)
    column.setContentsMargins(16, 12, 16, 12)
    column.setSpacing(8)
    above = label()
    above.setText(heading)
    above.setStyleSheet("font-weight: 700;")
    column.addWidget(above)
    return paper, column


def _table(heading: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> QWidget:
    """Rows of a text and figures, the figures under their heads."""
    paper, column = _sheet(heading)
    grid = QGridLayout()
    grid.setHorizontalSpacing(20)
    grid.setVerticalSpacing(6)
    grid.setColumnStretch(0, 1)
    for number, row in enumerate([heads, *rows]):
        for place, text in enumerate(row):
            cell = label("caption" if number == 0 else "")
            cell.setText(text)
            side = Qt.AlignmentFlag.AlignRight if place else Qt.AlignmentFlag.AlignLeft
            grid.addWidget(cell, number, place, side | Qt.AlignmentFlag.AlignVCenter)
    column.addLayout(grid)
    column.addStretch()
    return paper
