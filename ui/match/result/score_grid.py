"""The grid of a score sheet: each player's points and formulas, line by line."""

from collections.abc import Sequence
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from tabletop.engine.model import Result, Teams
from tabletop.engine.teams import teams_of
from tabletop.language import labels
from tabletop.language.spoken_text import to_spoken_text
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.text.typography import with_minus_sign
from ui.shell.app_context import AppContext, name_widget
from ui.shell.spoken_role import speak_as
from ui.style.theme import seat_background
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.seat_badge import show_badge, show_team_sign
from ui.widgets.styled_widgets import ElidedLabel, label, scale_pixels

Role = QAccessible.Role
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
BOTTOM_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
SMALL_FONTS_PX = {"": 13, "caption": 12, "heading": 16}
"""Font sizes in a compact grid, by the style kind of the label."""
MIN_NAME_WIDTH_PX = 64
"""The least width to which a longer name above a column may be elided."""
NARROW_LABEL_WIDTH_PX = 112
"""The width of a line's label if there is little space."""
MIN_HEAD_WIDTH_PX = 44
"""The least width of a column header."""
MAX_HEAD_WIDTH_PX = 118
"""The greatest width of a column header."""
NAME_AND_TOTAL_WIDTH_PX = 176
"""The combined width of the name and the total if each player has a row."""
TEAM_SIGN_PX = 22
"""The side of a team's symbol."""
SMALL_TEAM_SIGN_PX = 18
"""The side of a team's symbol in a compact grid."""
SMALL_COLUMN_GAP_PX = 2
"""The gap between columns of a compact grid."""
SIDE_PADDING_PX = 7
"""The padding left and right of the numbers, within a winner's background."""
END_PADDING_PX = 5
"""The padding above and below a column, within a winner's background."""


class ScoreRow(Struct, frozen=True):
    """A line of the score sheet: its label, and the points and formula of each seat.

    All members of a team have the same points.
    """

    text: str
    points: tuple[int, ...]
    formulas: tuple[str, ...]


Formulas = Literal["beside", "below", "pointed at"]
"""Where formulas appear: beside the points, below them, or only in the tooltip ("pointed at")."""


class ScoreGridLayout(Struct, frozen=True):
    """How the grid is arranged: its direction and size, and where formulas appear."""

    across: bool
    """Whether each player or team has a column. Otherwise each has a row."""
    is_small: bool
    formulas: Formulas = "beside"
    label: int = 0
    """The width of a line's label in pixels, or 0 to fit its text."""
    total_first: bool = False
    """Whether the totals are at the top, which keeps them visible if the other lines scroll."""


DEFAULT_LAYOUT = ScoreGridLayout(across=True, is_small=False)


def score_rows(result: Result, words: Words) -> tuple[ScoreRow, ...]:
    """Return the lines of the score sheet of `result`."""
    return tuple(
        ScoreRow(
            words.line(line),
            line.points,
            tuple(words.formula(line, seat) for seat in range(len(result.scores))),
        )
        for line in result.sheet
    )


def rank_seats(result: Result) -> list[int]:
    """Return the seats, winners first and then by descending score."""
    seats = range(len(result.scores))
    return sorted(seats, key=lambda seat: (seat not in result.winners, -result.scores[seat]))


class ScoreGrid(QWidget):
    """The grid of points, in the most readable layout that fits.

    Each player or team has a column, or a row if there are many.
    """

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._grid = QGridLayout(self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._layout_used = DEFAULT_LAYOUT
        self._layout_sizes: dict[ScoreGridLayout, QSize] = {}
        self._result = Result((), ())
        self._players: tuple[Player, ...] = ()
        self._teams: Teams = ()
        """Groups of seats that share a column or row."""
        self._words = context.words
        self._rows: tuple[ScoreRow, ...] = ()
        self._total = ""
        self._figures: list[tuple[QLabel, int]] = []
        """The labels that show numbers, each with its final value."""

    def show_result(self, result: Result, players: Sequence[Player], words: Words) -> None:
        """Show `result`. The caller must then call `fit_into`."""
        self._result, self._players = result, tuple(players) if result.scores else ()
        self._teams = teams_of(result, len(self._players))
        self._rows, self._total, self._words = score_rows(result, words), words(labels.TOTAL), words
        self._layout_sizes = {}
        self._print_layout(DEFAULT_LAYOUT, again=True)

    @property
    def has_figures(self) -> bool:
        """Whether the result has any scores."""
        return bool(self._players)

    def preferred_width(self, max_width: int) -> int:
        """Return the width in pixels of the most readable layout that fits into `max_width`."""
        widths = [self._measure(form).width() for form in self._candidate_layouts(max_width)]
        return next((width for width in widths if width <= max_width), max_width)

    def fit_into(self, size: QSize, visible_height: int) -> None:
        """Choose the most readable layout that fits into `size`, in pixels.

        If no layout fits, use the lowest one that isn't too wide. If the grid is higher than
        `visible_height` pixels, the totals come first.
        """
        forms = self._candidate_layouts(size.width())
        narrow = [form for form in forms if self._measure(form).width() <= size.width()]
        for form in narrow:
            if self._measure(form).height() <= size.height():
                break
        else:
            form = min(narrow or forms[-1:], key=lambda form: self._measure(form).height())
        hidden = self._measure(form).height() > visible_height
        self._print_layout(replace(form, total_first=form.across and hidden))

    def _candidate_layouts(self, width: int) -> tuple[ScoreGridLayout, ...]:
        """Return the layouts to try at `width` pixels, the most readable first."""
        worked = any(any(row.formulas) for row in self._rows)
        ways: tuple[Formulas, ...] = get_args(Formulas) if worked else ("beside",)
        across = [ScoreGridLayout(True, True, way) for way in ways]
        if len(self._teams) <= len(self._rows) + 1:
            return (
                DEFAULT_LAYOUT,
                *across,
                ScoreGridLayout(True, True, ways[-1], scale_pixels(self, NARROW_LABEL_WIDTH_PX)),
            )
        share = (width - scale_pixels(self, NAME_AND_TOTAL_WIDTH_PX)) // max(1, len(self._rows))
        label = max(
            scale_pixels(self, MIN_HEAD_WIDTH_PX),
            min(scale_pixels(self, MAX_HEAD_WIDTH_PX), share - SMALL_COLUMN_GAP_PX),
        )
        return DEFAULT_LAYOUT, *across, *(ScoreGridLayout(False, True, way, label) for way in ways)

    def _measure(self, form: ScoreGridLayout) -> QSize:
        if form not in self._layout_sizes:
            self._print_layout(form)
            self._layout_sizes[form] = self.minimumSizeHint()
        return self._layout_sizes[form]

    def _print_layout(self, form: ScoreGridLayout, again: bool = False) -> None:
        if form == self._layout_used and not again:
            return
        self._layout_used = form
        self._figures = []
        while (item := self._grid.takeAt(0)) is not None:
            if (gone := item.widget()) is not None:
                gone.hide()
                gone.deleteLater()
        for number in range(max(self._grid.rowCount(), self._grid.columnCount())):
            self._grid.setRowStretch(number, 0)
            self._grid.setColumnStretch(number, 0)
        self._grid.setContentsMargins(0, 0, 8 if form.is_small else 12, 0)
        self._grid.setHorizontalSpacing(SMALL_COLUMN_GAP_PX if form.is_small else 20)
        self._grid.setVerticalSpacing(2 if form.is_small else scale_pixels(self, 10))
        if self._players:
            self._print_columns() if form.across else self._print_rows()
        self._grid.invalidate()

    def _print_columns(self) -> None:
        count, last = len(self._teams), len(self._rows) + 1
        first, rule, total = (3, 2, 1) if self._layout_used.total_first else (1, last, last + 1)
        for column, team in enumerate(self._teams, start=1):
            self._add_widget(self._team_header(team), 0, column)
            self._grid.setColumnStretch(column, 1)
        for line, row in enumerate(self._rows, start=first):
            text = self._label(row.text)
            if self._layout_used.label:
                text.setWordWrap(True)
                text.setFixedWidth(self._layout_used.label)
            self._add_widget(text, line, 0)
            for column, team in enumerate(self._teams, start=1):
                self._add_widget(self._points_cell(row, team), line, column)
        for column, team in enumerate(self._teams, start=1):
            self._add_winner_background(team, 0, column, last + 2, 1)
        self._add_widget(QFrame(frameShape=QFrame.Shape.HLine), rule, 0, 1, count + 1)
        text = self._label(self._total, "heading")
        text.setContentsMargins(0, 0, 0, self._padding[1])
        self._add_widget(text, total, 0)
        for column, team in enumerate(self._teams, start=1):
            self._add_widget(self._total_cell(team), total, column)
        self._grid.setRowStretch(last + 2, 1)

    def _print_rows(self) -> None:
        last = len(self._rows) + 1
        for column, row in enumerate(self._rows, start=1):
            head = self._label(row.text, "caption")
            head.setWordWrap(True)
            head.ensurePolished()
            head.setFixedSize(self._layout_used.label, head.heightForWidth(self._layout_used.label))
            head.setAlignment(BOTTOM_RIGHT)
            self._add_widget(head, 0, column)
            self._grid.setAlignment(head, BOTTOM_RIGHT)
            self._grid.setColumnStretch(column, 1)
        total = self._label(self._total)
        total.setAlignment(BOTTOM_RIGHT)
        self._add_widget(total, 0, last)
        self._add_widget(QFrame(frameShape=QFrame.Shape.HLine), 1, 0, 1, last + 1)
        first = {team[0]: team for team in self._teams}
        lines = (first[seat] for seat in rank_seats(self._result) if seat in first)
        for place, team in enumerate(lines, start=2):
            self._add_winner_background(team, place, 0, 1, last + 1)
            self._add_widget(self._team_header(team), place, 0)
            for column, row in enumerate(self._rows, start=1):
                self._add_widget(self._points_cell(row, team), place, column)
            self._add_widget(self._total_cell(team), place, last)
        self._grid.setRowStretch(len(self._players) + 2, 1)

    @property
    def _padding(self) -> tuple[int, int]:
        """Padding around numbers in pixels: at the sides, and above and below a column."""
        pad, framed = scale_pixels(self, SIDE_PADDING_PX), scale_pixels(self, END_PADDING_PX)
        return pad, framed if self._layout_used.across else 0

    def _add_winner_background(
        self, team: tuple[int, ...], row: int, column: int, height: int, width: int
    ) -> None:
        """If `team` has won, put a background in its colour behind its column or row."""
        if team[0] not in self._result.winners:
            return
        symbol = self._players[team[0]].symbol
        colour, line = self._context.seat_colour(symbol), self._context.seat_line_colour(symbol)
        ground = seat_background(self._context.theme, colour).name()
        background = QFrame()
        background.setStyleSheet(
            f"QFrame {{ background: {ground}; border: 2px solid {line}; border-radius: 10px; }}"
        )
        self._add_widget(background, row, column, height, width)
        background.lower()

    def _add_widget(
        self, widget: QWidget, row: int, column: int, height: int = 1, width: int = 1
    ) -> None:
        """Add a widget and show it at once, because a layout gives hidden widgets no space."""
        self._grid.addWidget(widget, row, column, height, width)
        widget.show()

    def _label(self, text: str, kind: str = "") -> QLabel:
        made = label(kind, text=text)
        speak_as(made, Role.Paragraph)  # the sheet's own name contains everything
        name_widget(made, text)
        made.setAlignment(LEFT)
        if self._layout_used.is_small:
            made.setStyleSheet(f"font-size: {scale_pixels(self, SMALL_FONTS_PX[kind])}px;")
        return made

    def _team_header(self, team: tuple[int, ...]) -> QWidget:
        """Return the header of a player's or team's column or row. A team also has its symbol."""
        if len(team) == 1:
            return self._player_header(team[0])
        head, number = QWidget(), self._teams.index(team)
        column = lay(QVBoxLayout(head), spacing=0, margins=0)
        sign = label()
        side = scale_pixels(
            self, SMALL_TEAM_SIGN_PX if self._layout_used.is_small else TEAM_SIGN_PX
        )
        edge = (
            Qt.AlignmentFlag.AlignRight if self._layout_used.across else Qt.AlignmentFlag.AlignLeft
        )
        column.addWidget(sign, 0, edge)
        show_team_sign(self._context, sign, number, side)
        for seat in team:
            column.addWidget(self._player_header(seat))
        return head

    def _player_header(self, seat: int) -> QWidget:
        small, called = self._layout_used.is_small, self._words.seat(seat)
        head = QWidget()
        above = small and self._layout_used.across
        pad, over = self._padding
        badge, name = label(), ElidedLabel() if above else self._label(called)
        if above:
            name.setText(called)
            name.setStyleSheet(f"font-size: {scale_pixels(self, SMALL_FONTS_PX[''])}px;")
            name.ensurePolished()
            width = name.fontMetrics().horizontalAdvance(called) + 4
            name.setMinimumWidth(min(scale_pixels(self, MIN_NAME_WIDTH_PX), width))
            for each in (badge, name):
                each.setAlignment(RIGHT)
        side = scale_pixels(self, 20 if small else 26)
        show_badge(self._context, badge, self._players[seat].symbol, side)
        if seat in self._result.winners:
            name.setStyleSheet(f"{name.styleSheet()} font-weight: 700;")
        row: QBoxLayout = QVBoxLayout(head) if above else QHBoxLayout(head)
        sign: list[Part] = [badge, name]
        if not above:
            sign.insert(0 if self._layout_used.across else 2, STRETCH)
        margins = (pad, over, pad, 0 if small else 6)
        lay(row, sign, spacing=0 if above else 6, margins=margins)
        return head

    def _points_cell(self, printed: ScoreRow, team: tuple[int, ...]) -> QWidget:
        seat, cell, way = team[0], QWidget(), self._layout_used.formulas
        pad, _ = self._padding
        formula = printed.formulas[seat]
        points = self._label(with_minus_sign(printed.points[seat]))
        worked = self._label(formula, "caption")
        points.setMinimumWidth(scale_pixels(self, 20 if self._layout_used.is_small else 28))
        self._figures.append((points, printed.points[seat]))
        for each in (points, worked):
            each.setAlignment(RIGHT)
        parts: list[Part] = [points]
        if way == "beside":
            parts = [STRETCH, worked, points]
        elif way == "below" and formula:
            parts.append(worked)
        gap = 6 if self._layout_used.is_small else 12
        row: QBoxLayout = QVBoxLayout(cell) if way == "below" else QHBoxLayout(cell)
        lay(row, parts, spacing=0 if way == "below" else gap, margins=(pad, 0, pad, 0))
        cell.setToolTip(formula)
        name = self._words.seats(team)
        figure = self._words.with_label(printed.text, points.text())
        cell.setAccessibleDescription(to_spoken_text(formula, self._words))
        name_widget(worked, formula, words=self._words)
        name_widget(points, self._words.with_label(name, figure), formula, self._words)
        return cell

    def _total_cell(self, team: tuple[int, ...]) -> QLabel:
        seat = team[0]
        total = self._label(with_minus_sign(self._result.scores[seat]), "heading")
        figure = self._words.with_label(self._total, total.text())
        name = self._words.with_label(self._words.seats(team), figure)
        name_widget(total, name, words=self._words)
        total.setAlignment(RIGHT)
        pad, below = self._padding
        total.setContentsMargins(pad, 0, pad, below)
        self._figures.append((total, self._result.scores[seat]))
        return total

    def show_counted(self, share: float) -> None:
        """Multiply all displayed numbers by `share` (0 to 1), as in the counting animation."""
        for figure, points in self._figures:
            figure.setText(with_minus_sign(round(points * share)))
