"""The statistics page, with a choice of player and game, export and deletion."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.files.atomic_write import write_atomically
from tabletop.files.errors import StorageError
from tabletop.storage.statistics import PlayerStatistics, Statistics, open_statistics
from ui.settings.statistics_page import StatisticsPage, StatisticsReport
from ui.settings.won_boxes import WonBoxes
from ui.shell.app_context import AppContext, name_widget
from ui.shell.background_call import run_in_background
from ui.shell.language import game_title
from ui.widgets import file_dialogs
from ui.widgets.box_layout import Part, lay
from ui.widgets.confirm import ask_to_confirm
from ui.widgets.fields import ComboBox
from ui.widgets.form import set_choices
from ui.widgets.page_screen import PageScreen
from ui.widgets.styled_widgets import FittingScrollArea, button, label

Answer = TypeVar("Answer")
PAGE_WIDTH_PX, PAGE_HEIGHT_PX, EMPTY_PAGE_HEIGHT_PX = 1080, 728, 600
"""Width and height of the page, and its height if there are no statistics, in pixels."""
EMPTY_REPORT = StatisticsReport(PlayerStatistics(), (), (), (), (), (), {})


class _Shown(NamedTuple):
    """A player's statistics, with the games that the player can choose from."""

    game: str
    """The ID of the selected game; "" for all games."""
    games: dict[str, int]
    """The number of matches in each game, by the game's ID."""
    report: StatisticsReport


class StatisticsScreen(PageScreen):
    """The statistics of a selected player and game, below the boxes of all games."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(context, PAGE_WIDTH_PX, PAGE_HEIGHT_PX)
        self.player, self.game = ComboBox(), ComboBox()
        self._sentence = label("heading", wrap=True)
        self._sentence.hide()
        self.boxes = WonBoxes(context)
        self.boxes.game_chosen.connect(self._open_box)
        self._page = QWidget()
        self._file = Path()
        """The file to which statistics are exported."""
        self._asked = 0
        self._waiting: dict[str, tuple[int, Callable[[Any], None], Any]] = {}
        """The latest query for each callback, by the callback's name.

        A query is its number, the callback, and the result to use if the query fails.
        """
        self._export, self._forget = button("quiet", flush=True), button("quiet")
        above = lay(QHBoxLayout(), [(self.player, 1), (self.game, 1)], spacing=12)
        self._roll = FittingScrollArea(self._page)
        policy = QSizePolicy.Policy
        self._roll.setSizePolicy(policy.Expanding, policy.Preferred)  # the boxes take what is left
        content = QWidget()
        rows: list[Part] = [self._sentence, self.boxes, self._roll]
        lay(QVBoxLayout(content), rows, spacing=12, margins=0)
        self.lay_page(content, (above, 1), (self._export, self._forget))
        self.player.currentIndexChanged.connect(lambda _: self._choose())
        self.game.currentIndexChanged.connect(lambda _: self._choose())
        self._export.clicked.connect(lambda: self._save())
        self._forget.clicked.connect(lambda: self._forget_player())
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        """Update the texts and numbers for the current language and theme."""
        super().refresh_appearance()
        words = self.context.words
        self.show_heading(words("Statistics"))
        self.boxes.refresh_appearance()
        self._export.setText(words("Export as CSV…"))
        self._forget.setText(words("Delete this player's statistics…"))
        name_widget(self.player, words("Player"))
        name_widget(self.game, words("Game"))
        self._fill_players()

    def _fill_players(self) -> None:
        nobody: tuple[str, ...] = ()
        self._ask(lambda kept: kept.list_people(), nobody, self._show_players)

    def _show_players(self, people: tuple[str, ...]) -> None:
        set_choices(self.player, {name: name for name in people}, self.player.currentData())
        for widget in (self.player, self.game, self._roll, self._export, self._forget):
            widget.setVisible(bool(people))
        self.set_max_height(PAGE_HEIGHT_PX if people else EMPTY_PAGE_HEIGHT_PX)
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
        name, game = str(self.player.currentData()), str(self.game.currentData() or "")
        self._ask(partial(_report, name, game), _Shown("", {}, EMPTY_REPORT), self._show_report)

    def _show_report(self, shown: _Shown) -> None:
        self._fill_games(shown.games)
        self.boxes.show_wins(shown.report.games, shown.game)
        kit = next((kit for kit in catalogue.load_all().games if kit.id == shown.game), None)
        self._page = StatisticsPage(self.context, shown.report, kit)
        self._roll.setWidget(self._page)

    def _open_box(self, kit: GameKit) -> None:
        """Show the statistics of a game, or of all games if that game is selected already.

        If the game was never played, request a match of it instead.
        """
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
                called = game_title(kit, words.language)
                texts[kit.id] = (
                    words("{name}: 1 game", name=called)
                    if games[kit.id] == 1
                    else words("{name}: {n} games", name=called, n=games[kit.id])
                )
        set_choices(self.game, texts, self.game.currentData())

    def _save(self) -> None:
        words = self.context.words
        kinds = words("Spreadsheets") + " (*.csv)"
        file = file_dialogs.ask_where_to_save(
            self, words, words("Export as CSV"), "tabletop-statistics.csv", kinds
        )
        if file is None:
            return
        self._file = file
        self._ask(lambda kept: kept.to_csv(), None, self._write_table)

    def _write_table(self, table: str | None) -> None:
        if table is None:
            return
        with self.context.report_errors():
            # with a byte order mark, so that spreadsheets read Japanese
            write_atomically(self._file, table.encode("utf-8-sig"))

    def _forget_player(self) -> None:
        words, name = self.context.words, self.player.currentData()
        text = words(
            "Delete {name}'s statistics? Other players keep theirs. This can't be undone.",
            name=name,
        )
        if ask_to_confirm(self.context, self, "forget", text, words("Delete")):
            self._ask(lambda kept: kept.forget_player(name), None, self._follow_forgotten)

    def _follow_forgotten(self, _: None) -> None:
        self._fill_players()

    def _ask(
        self,
        read: Callable[[Statistics], Answer],
        instead: Answer,
        show: Callable[[Answer], None],
    ) -> None:
        """Run `read` on a background thread, and call `show` with its result on the GUI thread.

        If the statistics can't be read, the error is shown and `show` gets `instead`. Among queries
        with the same `show`, only the latest one's result is used.
        """
        self._asked += 1
        self._waiting[show.__name__] = self._asked, show, instead
        run_in_background(
            partial(_read, read, show.__name__, self._asked), "statistics", self._hear
        )

    def _hear(self, answer: tuple[str, int, Any]) -> None:
        name, number, value = answer
        asked, show, instead = self._waiting[name]
        if number != asked:
            return
        if isinstance(value, StorageError):
            with self.context.report_errors():
                raise value
            value = instead
        show(value)


def _read(
    read: Callable[[Statistics], Answer], name: str, number: int
) -> tuple[str, int, Answer | StorageError]:
    try:
        with open_statistics() as kept:
            return name, number, read(kept)
    except StorageError as error:
        return name, number, error


def _report(name: str, wanted: str, kept: Statistics) -> _Shown:
    """Return a player's statistics in the game `wanted`; in all games if they never played it."""
    games = kept.count_by_game(name)
    game = wanted if wanted in games else ""
    return _Shown(
        game,
        games,
        StatisticsReport(
            kept.totals(name, game),
            kept.matches(name, game),
            kept.line_statistics(name, game) if game else (),
            kept.rivals(name, game),
            kept.partners(name, game),
            kept.seat_statistics(name, game) if game else (),
            {each: kept.totals(name, each) for each in games},
        ),
    )
