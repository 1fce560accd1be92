"""The contents of the statistics page: totals, scores, opponents and averages."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QLocale, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.language import labels
from tabletop.storage.statistics import (
    LineStatistics,
    Partner,
    PlayedMatch,
    PlayerStatistics,
    Rival,
    SeatStatistics,
)
from tabletop.text.phrases import phrase
from tabletop.text.typography import with_minus_sign
from ui.settings.chart import LEGEND, MAX_MATCHES, AverageBar, ResultDots, ScoreChart, won_symbol
from ui.shell.app_context import AppContext, name_widget
from ui.shell.language import game_title, local_time
from ui.shell.regional_format import number_locale
from ui.shell.shelf_order import order_games
from ui.style.rich_text import in_colour, in_row, in_wide_row, plain
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.styled_widgets import Paper, RichLabel, label

BOT_NAMES = {
    "": labels.BOT,
    "easy": phrase("Bot, easy"),
    "normal": phrase("Bot, normal"),
    "hard": phrase("Bot, hard"),
}


class StatisticsReport(Struct, frozen=True):
    """The statistics of one player, in one game or in all games."""

    totals: PlayerStatistics
    matches: tuple[PlayedMatch, ...]
    """The matches, in the order in which they were played."""
    figures: tuple[LineStatistics, ...]
    """The averages for each line of the score sheet; empty for all games."""
    rivals: tuple[Rival, ...]
    partners: tuple[Partner, ...]
    seats: tuple[SeatStatistics, ...]
    """The results at each seat; empty for all games."""
    games: dict[str, PlayerStatistics]
    """The totals for each game, by the game's ID."""


GAP_PX = 12
"""Gap between two parts of the page in pixels."""
MAX_SEATS = 4
"""Maximum number of seats for which the results are shown by seat."""


class ReflowingRow(QWidget):
    """A row of two optional widgets that becomes a column if they don't fit side by side."""

    def __init__(self, left: QWidget | None, right: QWidget | None) -> None:
        super().__init__()
        halves = [(part, share) for part, share in ((left, 3), (right, 2)) if part is not None]
        self._parts = [part for part, _ in halves]
        self._row = lay(QHBoxLayout(self), halves, spacing=GAP_PX, margins=0)

    def minimumSizeHint(self) -> QSize:
        return QSize(max(self._widths(), default=0), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        beside = sum(self._widths()) + GAP_PX <= self.width()
        self._row.setDirection(way.LeftToRight if beside else way.TopToBottom)

    def _widths(self) -> list[int]:
        return [part.minimumSizeHint().width() for part in self._parts]


class StatisticsPage(QWidget):
    """The layout of one report. `kit` is the report's game, or None for all games."""

    def __init__(self, context: AppContext, report: StatisticsReport, kit: GameKit | None) -> None:
        super().__init__()
        self._context = context
        self._words = context.words if kit is None else context.game_words(kit)
        column = lay(QVBoxLayout(self), spacing=12, margins=0)
        column.addWidget(self._counts(report.totals, scored=kit is not None))
        if kit is None:
            rows = self._rows(report.matches, tuple(report.games))
            column.addWidget(ReflowingRow(rows, self._other_players(report)))
        else:
            scored = report.totals.mean is not None
            chart = self._scores(report.matches) if scored else self._rows(report.matches)
            column.addWidget(ReflowingRow(chart, self._other_players(report)))
            sheet = [figure for figure in report.figures if not figure.tally]
            tallies = [figure for figure in report.figures if figure.tally]
            words = self._words
            lines = self._figures(words("On the score sheet"), words("Best"), sheet)
            counted = self._figures(words("While playing"), words("Most"), tallies)
            column.addWidget(ReflowingRow(lines, _lay_above(counted, self._seats(report.seats))))
        column.addStretch()

    def _counts(self, totals: PlayerStatistics, scored: bool) -> ReflowingRow:
        words = self._words
        share = totals.won / totals.played if totals.played else 0
        matches = _lay_in_row(
            (words("Played"), str(totals.played), ""),
            (words("Won"), str(totals.won), words.percent(share)),
            (
                words("Winning streak"),
                str(totals.streak),
                words("longest: {n}", n=totals.longest_streak),
            ),
        )
        if not scored or totals.mean is None:
            return ReflowingRow(matches, None)
        best = words("Best score"), with_minus_sign(totals.best or 0), ""
        return ReflowingRow(
            matches, _lay_in_row(best, (words("Average"), _mean(totals.mean, words.language), ""))
        )

    def _scores(self, matches: Sequence[PlayedMatch]) -> QWidget:
        paper, column = _sheet(self._words("Scores, latest match on the right"))
        chart = ScoreChart(self._context)
        chart.show_matches(matches)
        days = self._days([each for each in matches if each.score is not None])
        key = self._legend(self._words("● won   ○ not won   - - average"))
        lay(column, [(chart, 1), days, key])
        return paper

    def _rows(self, matches: Sequence[PlayedMatch], games: Sequence[str] = ()) -> QWidget:
        """Return a row of dots for each of `games`, or a single row if `games` is empty."""
        heading = self._words("Match by match, latest on the right")
        paper, column = _sheet(heading)
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        kits = order_games(catalogue.shelf(), self._context.settings.shelf)
        names = {
            each.id: game_title(each, self._words.language) for each in kits if each.id in games
        }
        for game, name in (names or {"": ""}).items():
            row, dots = grid.rowCount(), ResultDots(self._context)
            dots.show_matches(matches, name or heading, game)
            grid.addWidget(label(text=name), row, 0)
            grid.addWidget(dots, row, 1)
        grid.addLayout(self._days(matches), grid.rowCount(), 1)
        lay(column, [grid, self._legend(self._words(LEGEND)), STRETCH])
        return paper

    def _days(self, matches: Sequence[PlayedMatch]) -> QHBoxLayout:
        """Return a row with the dates of the first and the last match in the chart."""
        locale, line = QLocale(self._words.language), QHBoxLayout()
        drawn = matches[-MAX_MATCHES:]
        for number, match in enumerate((drawn[0], drawn[-1]) if len(drawn) > 1 else drawn):
            date = local_time(match.ended).date()
            day = locale.toString(date, self._words("d MMM yyyy"))  # a format in Qt's notation
            if number:
                line.addStretch()
            line.addWidget(label("caption", text=day))
        return line

    def _legend(self, text: str) -> QLabel:
        """Return a label with the legend `text`, in which the dots are coloured."""
        key, theme = RichLabel(), self._context.theme
        key.setProperty("kind", "caption")
        won = won_symbol(self._words)
        colours = {sign: theme.accent if sign == won else theme.accent_2 for sign in "●○"}
        parts = text.replace("　", "   ").split("   ")
        key.setAccessibleName(self._words.join_list(part.strip("●○- ") for part in parts))
        key.setText(
            in_wide_row(
                *(
                    in_row(in_colour(part[0], colours[part[0]]), plain(part[1:]))
                    if part[:1] in colours
                    else plain(part)
                    for part in parts
                )
            )
        )
        return key

    def _other_players(self, report: StatisticsReport) -> QWidget | None:
        return _lay_above(self._partners(report.partners), self._rivals(report.rivals))

    def _name_of(self, other: Rival | Partner) -> str:
        return self._words(BOT_NAMES.get(other.name, other.name)) if other.bot else other.name

    def _partners(self, partners: Sequence[Partner]) -> QWidget | None:
        words = self._words
        rows = [[self._name_of(each), str(each.played), str(each.won)] for each in partners]
        heads = ("", words("Played"), words("Won"))
        return _table(words("Together with"), heads, rows) if rows else None

    def _rivals(self, rivals: Sequence[Rival]) -> QWidget | None:
        words = self._words
        rows = [
            [
                self._name_of(rival),
                str(rival.played),
                str(rival.won),
                str(rival.lost),
            ]
            for rival in rivals
        ]
        heads = ("", words("Played"), words("Won"), words("Lost"))
        return _table(words("Against"), heads, rows) if rows else None

    def _seats(self, seats: Sequence[SeatStatistics]) -> QWidget | None:
        words = self._words
        if len(seats) < 2 or seats[-1].seat >= MAX_SEATS:
            return None
        rows = [
            [
                words("Seat {n}", n=each.seat + 1),
                str(each.played),
                str(each.won),
                words.percent(each.won / each.played),
            ]
            for each in seats
        ]
        return _table(words("Seat by seat"), ("", words("Played"), words("Won"), ""), rows)

    def _figures(
        self, heading: str, best: str, figures: Sequence[LineStatistics]
    ) -> QWidget | None:
        """Return a table of averages with bars on a common scale; None if there are no `figures`.

        `heading` is the title; `best` is the heading of the column with the best values.
        """
        if not figures:
            return None
        words = self._words
        rows = [
            [
                words.line(figure.line),
                _mean(figure.mean, words.language),
                with_minus_sign(figure.best),
            ]
            for figure in figures
        ]
        low = min(0.0, *(figure.mean for figure in figures))
        high = max(1.0, *(float(figure.best) for figure in figures))
        bars = [
            AverageBar(self._context, figure.mean, figure.best, (low, high)) for figure in figures
        ]
        return _table(heading, ("", words("Average"), best), rows, bars)


def _mean(figure: float, language: str) -> str:
    """Return an average with one decimal place and a typographic minus sign, never "−0.0"."""
    point = number_locale(language).decimalPoint()
    return with_minus_sign(f"{figure:.1f}".replace("-0.0", "0.0").replace(".", point))


def _lay_above(upper: QWidget | None, lower: QWidget | None) -> QWidget | None:
    """Return a widget with `upper` above `lower`, or only the one that isn't None."""
    if upper is None or lower is None:
        return upper or lower
    both = QWidget()
    lay(QVBoxLayout(both), [upper, lower, STRETCH], spacing=12, margins=0)
    return both


def _lay_in_row(*figures: tuple[str, str, str]) -> QWidget:
    row = QWidget()
    mats = [(_captioned_figure(*figure), 1) for figure in figures]
    lay(QHBoxLayout(row), mats, spacing=GAP_PX, margins=0)
    return row


def _captioned_figure(caption: str, figure: str, beside: str) -> QWidget:
    mat = Paper(kind="mat")
    small = (label("caption", text=beside), 1, Qt.AlignmentFlag.AlignBottom)
    row = lay(QHBoxLayout(), [label("title", text=figure), small], spacing=8)
    above = label("caption", text=caption)
    lay(QVBoxLayout(mat), [above, row], spacing=0, margins=(16, 10, 16, 10))
    name_widget(mat, caption, f"{figure} {beside}".strip())
    return mat


def _sheet(heading: str) -> tuple[Paper, QVBoxLayout]:
    """Return a panel with a heading, and the layout for the panel's contents."""
    paper = Paper()
    above = label("strong", text=heading)
    return paper, lay(QVBoxLayout(paper), [above], spacing=8, margins=(16, 12, 16, 12))


def _table(
    heading: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    bars: Sequence[QWidget] = (),
) -> QWidget:
    """Return a panel with a table.

    Args:
        heading: the title above the table.
        heads: the column headings.
        rows: for each row, a name and right-aligned numbers.
        bars: for each row, a widget between the name and the numbers.
    """
    paper, column = _sheet(heading)
    grid = QGridLayout()
    grid.setHorizontalSpacing(20)
    grid.setVerticalSpacing(6)
    grid.setColumnStretch(1 if bars else 0, 1)
    for number, row in enumerate([heads, *rows]):
        for place, text in enumerate(row):
            cell = label("caption" if number == 0 else "", text=text)
            side = Qt.AlignmentFlag.AlignRight if place else Qt.AlignmentFlag.AlignLeft
            grid.addWidget(
                cell, number, place + 1 if place else 0, side | Qt.AlignmentFlag.AlignVCenter
            )
    for number, bar in enumerate(bars, start=1):
        grid.addWidget(bar, number, 1)
    lay(column, [grid, STRETCH])
    return paper
