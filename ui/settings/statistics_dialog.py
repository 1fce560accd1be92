"""The statistics: whose, and of which game; exported, and forgotten."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from tabletop.catalogue import catalogue
from tabletop.files.atomic_write import write_whole
from tabletop.storage.statistics import PlayerStatistics, Statistics, open_statistics
from ui.settings.statistics_page import Report, StatisticsPage
from ui.shell.app_context import LOOKS, AppContext, named
from ui.shell.language import title
from ui.widgets import file_dialogs
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.confirm import agreed
from ui.widgets.fields import ComboBox
from ui.widgets.form import fill
from ui.widgets.surface import Roll, button, fitting, label

Answer = TypeVar("Answer")
USUAL = QSize(1000, 860)
"""The dialog, where the window has room for it; in pixels."""


class StatisticsDialog(QDialog):
    """The statistics of a chosen player and game."""

    def __init__(self, context: AppContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self.player, self.game = ComboBox(), ComboBox()
        self._sentence = label("caption", wrap=True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._page = QWidget()
        self._export, self._forget, self._done = button(), button(), button("primary")
        above = lay(QHBoxLayout(), [(self.player, 1), (self.game, 1)], spacing=12)
        below = lay(QHBoxLayout(), [self._export, self._forget, STRETCH, self._done], spacing=12)
        self._roll = Roll(self._page)
        rows: list[Part] = [above, self._sentence, (self._roll, 1), below]
        lay(QVBoxLayout(self), rows, spacing=12, margins=(20, 16, 20, 16))
        self.player.currentIndexChanged.connect(lambda _: self._choose())
        self.game.currentIndexChanged.connect(lambda _: self._choose())
        self._export.clicked.connect(lambda: self._save())
        self._forget.clicked.connect(lambda: self._forget_player())
        self._done.clicked.connect(self.accept)
        context.changed.connect(self._note_changed)
        self.apply_looks()
        self.resize(fitting(parent, USUAL))

    def apply_looks(self) -> None:
        """Show texts and figures."""
        words = self._context.words
        self.setWindowTitle(words("Statistics"))
        self._export.setText(words("Export as CSV…"))
        self._forget.setText(words("Delete this player's statistics…"))
        self._done.setText(words("Done"))
        named(self.player, words("Player"))
        named(self.game, words("Game"))
        self._fill_players()

    def _note_changed(self, changed: frozenset[str]) -> None:
        if changed & LOOKS:
            self.apply_looks()

    def _fill_players(self) -> None:
        nobody: tuple[str, ...] = ()
        people = self._read(lambda kept: kept.people(), nobody)
        fill(self.player, {name: name for name in people}, self.player.currentData())
        for widget in (self.player, self.game, self._roll, self._export, self._forget):
            widget.setVisible(bool(people))
        self._sentence.setVisible(not people)
        self._sentence.setText(
            self._context.words("Nothing here yet. Matches you finish are counted here.")
        )
        self._choose()

    def _choose(self) -> None:
        if self.player.currentData() is None:
            return
        name, none = str(self.player.currentData()), dict[str, int]()
        games = self._read(lambda kept: kept.games(name), none)
        self._fill_games(games)
        game = self.game.currentData() or ""
        empty = Report(PlayerStatistics(), (), (), (), (), (), {})
        report = self._read(
            lambda kept: Report(
                kept.totals(name, game),
                kept.matches(name, game),
                kept.figures(name, game) if game else (),
                kept.rivals(name, game),
                kept.partners(name, game),
                kept.seats(name, game) if game else (),
                {each: kept.totals(name, each) for each in games},
            ),
            empty,
        )
        kit = next((kit for kit in catalogue.whole() if kit.id == game), None)
        self._page = StatisticsPage(self._context, report, kit)
        self._roll.setWidget(self._page)

    def _fill_games(self, games: dict[str, int]) -> None:
        words = self._context.words
        texts = {"": words("All games")}
        for kit in catalogue.shelf():
            if kit.id in games:
                texts[kit.id] = f"{title(kit, words.language)} ({games[kit.id]})"
        fill(self.game, texts, self.game.currentData())

    def _save(self) -> None:
        words = self._context.words
        kinds = words("Spreadsheets") + " (*.csv)"
        file = file_dialogs.to_write(
            self, words, words("Export as CSV"), "tabletop-statistics.csv", kinds
        )
        if file is None:
            return
        table = self._read(lambda kept: kept.table(), None)
        if table is None:
            return
        with self._context.telling():
            write_whole(file, table.encode("utf-8-sig"))  # so that spreadsheets read Japanese

    def _forget_player(self) -> None:
        words, name = self._context.words, self.player.currentData()
        text = words(
            "Delete {name}'s statistics? Other players keep theirs. This can't be undone.",
            name=name,
        )
        if agreed(self._context, self, "forget", text, words("Delete")):
            self._read(lambda kept: kept.forget(name), None)
            self._fill_players()

    def _read(self, ask: Callable[[Statistics], Answer], instead: Answer) -> Answer:
        """The answer of the statistics; `instead` if they fail, which is reported."""
        with self._context.telling(), open_statistics() as kept:
            return ask(kept)
        return instead
