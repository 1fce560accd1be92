"""The statistics: whose, and of which game; exported, and forgotten."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import Kit
from tabletop.files.atomic_write import write_whole
from tabletop.storage.statistics import PlayerStatistics, Statistics, open_statistics
from ui.settings.statistics_page import Report, StatisticsPage
from ui.settings.won_boxes import WonBoxes
from ui.shell.app_context import AppContext, name_widget
from ui.shell.language import title
from ui.widgets import file_dialogs
from ui.widgets.box_layout import Part, lay
from ui.widgets.confirm import ask_to_confirm
from ui.widgets.fields import ComboBox
from ui.widgets.form import fill
from ui.widgets.page_screen import PageScreen
from ui.widgets.surface import Roll, button, label

Answer = TypeVar("Answer")
WIDE = 1080
"""Of the page, in pixels."""


class StatisticsScreen(PageScreen):
    """The statistics of a chosen player and game: above them all boxes, with what was won under
    each."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(context, WIDE)
        self.player, self.game = ComboBox(), ComboBox()
        self._sentence = label("heading", wrap=True)
        self.boxes = WonBoxes(context)
        self.boxes.chosen.connect(self._open_box)
        self._page = QWidget()
        self._export, self._forget = button("quiet"), button("quiet")
        above = lay(QHBoxLayout(), [(self.player, 1), (self.game, 1)], spacing=12)
        self._roll = Roll(self._page)
        content = QWidget()
        rows: list[Part] = [self._sentence, self.boxes, (self._roll, 1)]
        lay(QVBoxLayout(content), rows, spacing=12, margins=0)
        self.lay_page(content, (above, 1), (self._export, self._forget))
        self.player.currentIndexChanged.connect(lambda _: self._choose())
        self.game.currentIndexChanged.connect(lambda _: self._choose())
        self._export.clicked.connect(lambda: self._save())
        self._forget.clicked.connect(lambda: self._forget_player())
        self.apply_looks()

    def apply_looks(self) -> None:
        """Show texts and figures."""
        super().apply_looks()
        words = self.context.words
        self.title.setText(words("Statistics"))
        self.boxes.apply_looks()
        self._export.setText(words("Export as CSV…"))
        self._forget.setText(words("Delete this player's statistics…"))
        name_widget(self.player, words("Player"))
        name_widget(self.game, words("Game"))
        self._fill_players()

    def _fill_players(self) -> None:
        nobody: tuple[str, ...] = ()
        people = self._read_statistics(lambda kept: kept.people(), nobody)
        fill(self.player, {name: name for name in people}, self.player.currentData())
        for widget in (self.player, self.game, self._roll, self._export, self._forget):
            widget.setVisible(bool(people))
        self._sentence.setVisible(not people)
        self._sentence.setText(
            self.context.words(
                "Your first win goes under one of these boxes. Which one will it be?"
            )
        )
        self._choose()

    def _choose(self) -> None:
        if self.player.currentData() is None:
            self.boxes.show_wins({})
            return
        name, none = str(self.player.currentData()), dict[str, int]()
        games = self._read_statistics(lambda kept: kept.games(name), none)
        self._fill_games(games)
        game = self.game.currentData() or ""
        empty = Report(PlayerStatistics(), (), (), (), (), (), {})
        report = self._read_statistics(
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
        self.boxes.show_wins(report.games, str(game))
        kit = next((kit for kit in catalogue.whole() if kit.id == game), None)
        self._page = StatisticsPage(self.context, report, kit)
        self._roll.setWidget(self._page)

    def _open_box(self, kit: Kit) -> None:
        """Show the figures of a game; one that was never played is set up."""
        number = self.game.findData(kit.id)
        if number < 0:
            self.game_wanted.emit(kit)
        elif number == self.game.currentIndex():
            self.game.setCurrentIndex(0)
        else:
            self.game.setCurrentIndex(number)

    def _fill_games(self, games: dict[str, int]) -> None:
        words = self.context.words
        texts = {"": words("All games")}
        for kit in catalogue.shelf():
            if kit.id in games:
                called = title(kit, words.language)
                texts[kit.id] = words.with_note(called, str(games[kit.id]))
        fill(self.game, texts, self.game.currentData())

    def _save(self) -> None:
        words = self.context.words
        kinds = words("Spreadsheets") + " (*.csv)"
        file = file_dialogs.to_write(
            self, words, words("Export as CSV"), "tabletop-statistics.csv", kinds
        )
        if file is None:
            return
        table = self._read_statistics(lambda kept: kept.table(), None)
        if table is None:
            return
        with self.context.report_errors():
            write_whole(file, table.encode("utf-8-sig"))  # so that spreadsheets read Japanese

    def _forget_player(self) -> None:
        words, name = self.context.words, self.player.currentData()
        text = words(
            "Delete {name}'s statistics? Other players keep theirs. This can't be undone.",
            name=name,
        )
        if ask_to_confirm(self.context, self, "forget", text, words("Delete")):
            self._read_statistics(lambda kept: kept.forget(name), None)
            self._fill_players()

    def _read_statistics(self, ask: Callable[[Statistics], Answer], instead: Answer) -> Answer:
        """The answer of the statistics; `instead` if they fail, which is reported."""
        with self.context.report_errors(), open_statistics() as kept:
            return ask(kept)
        return instead
