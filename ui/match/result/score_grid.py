"""The figures of a score sheet: every line, every player, each with its formula and its points."""

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
from tabletop.language.spoken_text import aloud
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.text.typography import with_minus_sign
from ui.shell.app_context import AppContext, name_widget
from ui.shell.spoken_role import speak_as
from ui.style.theme import seat_ground
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.seat_badge import show_badge, show_team_sign
from ui.widgets.styled_widgets import ElidedLabel, label, scale_pixels

Role = QAccessible.Role
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
FOOT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
SMALL = {"": 13, "caption": 12, "heading": 16}
"""Text sizes where the sheet is set small, by kind of label, in pixels."""
NAME_WIDE = 64
"""The least width of a name over a narrow column, in pixels."""
LABEL_WIDE = 112
"""Width of a line's label where there is little room beside it, in pixels."""
LEAST_HEAD, HEAD_WIDE = 44, 118
"""Widths of a line's label over a column, in pixels."""
BESIDE_LINES = 176
"""Width of names and totals in a line where the players are one below the other, in pixels."""
SIGN, SIGN_SMALL = 22, 18
"""Side of a team's sign, in pixels, usual and where the sheet is set small."""
SPACE = 2
"""The gap between two columns that are set small, in pixels."""
PAD, FRAMED = 7, 5
"""The gap between a winner's figures and the edge of the ground under them, with its line of 2: at
the sides, and above and below a column, in pixels."""


class ScoreRow(Struct, frozen=True):
    """A printed line: a label, and for each seat the points and how they came about. Partners have
    one column, of what their team has."""

    text: str
    points: tuple[int, ...]
    formulas: tuple[str, ...]


Formulas = Literal["beside", "below", "pointed at"]
"""Position of the formula of a number of points: it may show only when pointed at."""


class ScoreGridLayout(Struct, frozen=True):
    """The form of the figures: who is side by side, how large they are set, where formulas go."""

    across: bool
    """Whether the players are side by side, and not one below the other."""
    small: bool
    formulas: Formulas = "beside"
    label: int = 0
    """Width of a line's label, in pixels; 0 where it is as wide as its text."""
    total_first: bool = False
    """Whether the totals are above the lines, where those have to be scrolled."""


USUAL = ScoreGridLayout(across=True, small=False)


def score_rows(result: Result, words: Words) -> tuple[ScoreRow, ...]:
    """The lines of a result, worded."""
    return tuple(
        ScoreRow(
            words.line(line),
            line.points,
            tuple(words.formula(line, seat) for seat in range(len(result.scores))),
        )
        for line in result.sheet
    )


def rank_seats(result: Result) -> list[int]:
    """The seats in the order in which a list of many is best read: who has won first."""
    seats = range(len(result.scores))
    return sorted(seats, key=lambda seat: (seat not in result.winners, -result.scores[seat]))


class ScoreGrid(QWidget):
    """Printed so that it fits: players side by side, or one below the other where they are many."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._grid = QGridLayout(self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._form = USUAL
        self._sizes: dict[ScoreGridLayout, QSize] = {}
        self._result = Result((), ())
        self._players: tuple[Player, ...] = ()
        self._teams: Teams = ()
        """The seats that share a column."""
        self._words = context.words
        self._rows: tuple[ScoreRow, ...] = ()
        self._total = ""
        self._figures: list[tuple[QLabel, int]] = []
        """The numbers as they are printed now."""

    def show_result(self, result: Result, players: Sequence[Player], words: Words) -> None:
        """Take this result, to be printed by `fit`; without scores there is nothing to print."""
        self._result, self._players = result, tuple(players) if result.scores else ()
        self._teams = teams_of(result, len(self._players))
        self._rows, self._total, self._words = score_rows(result, words), words(labels.TOTAL), words
        self._sizes = {}
        self._print(USUAL, again=True)

    @property
    def printed(self) -> bool:
        """Whether there are figures at all."""
        return bool(self._players)

    def roomiest_width(self, most: int) -> int:
        """The width of the roomiest form that is at most so wide, in pixels."""
        widths = [self._measure(form).width() for form in self._forms(most)]
        return next((wide for wide in widths if wide <= most), most)

    def fit(self, place: QSize, seen: int) -> None:
        """Print it in the first form that needs no scrolling in a place of this size, in pixels; if
        none does, in the lowest that is not too wide. Where less is `seen` of its height, the
        totals come first."""
        forms = self._forms(place.width())
        narrow = [form for form in forms if self._measure(form).width() <= place.width()]
        for form in narrow:
            if self._measure(form).height() <= place.height():
                break
        else:
            form = min(narrow or forms[-1:], key=lambda form: self._measure(form).height())
        hidden = self._measure(form).height() > seen
        self._print(replace(form, total_first=form.across and hidden))

    def _forms(self, wide: int) -> tuple[ScoreGridLayout, ...]:
        """The forms in which it may be printed in this width, the most readable first."""
        worked = any(any(row.formulas) for row in self._rows)
        ways: tuple[Formulas, ...] = get_args(Formulas) if worked else ("beside",)
        across = [ScoreGridLayout(True, True, way) for way in ways]
        if len(self._teams) <= len(self._rows) + 1:
            return (
                USUAL,
                *across,
                ScoreGridLayout(True, True, ways[-1], scale_pixels(self, LABEL_WIDE)),
            )
        share = (wide - scale_pixels(self, BESIDE_LINES)) // max(1, len(self._rows))
        label = max(
            scale_pixels(self, LEAST_HEAD), min(scale_pixels(self, HEAD_WIDE), share - SPACE)
        )
        return USUAL, *across, *(ScoreGridLayout(False, True, way, label) for way in ways)

    def _measure(self, form: ScoreGridLayout) -> QSize:
        if form not in self._sizes:
            self._print(form)
            self._sizes[form] = self.minimumSizeHint()
        return self._sizes[form]

    def _print(self, form: ScoreGridLayout, again: bool = False) -> None:
        if form == self._form and not again:
            return
        self._form = form
        self._figures = []
        while (item := self._grid.takeAt(0)) is not None:
            if (gone := item.widget()) is not None:
                gone.hide()
                gone.deleteLater()
        for number in range(max(self._grid.rowCount(), self._grid.columnCount())):
            self._grid.setRowStretch(number, 0)
            self._grid.setColumnStretch(number, 0)
        self._grid.setContentsMargins(0, 0, 8 if form.small else 12, 0)
        self._grid.setHorizontalSpacing(SPACE if form.small else 20)
        self._grid.setVerticalSpacing(2 if form.small else scale_pixels(self, 10))
        if self._players:
            self._print_across() if form.across else self._print_down()
        self._grid.invalidate()

    def _print_across(self) -> None:
        count, last = len(self._teams), len(self._rows) + 1
        first, rule, total = (3, 2, 1) if self._form.total_first else (1, last, last + 1)
        for column, team in enumerate(self._teams, start=1):
            self._put_shown(self._head(team), 0, column)
            self._grid.setColumnStretch(column, 1)
        for line, row in enumerate(self._rows, start=first):
            text = self._label(row.text)
            if self._form.label:
                text.setWordWrap(True)
                text.setFixedWidth(self._form.label)
            self._put_shown(text, line, 0)
            for column, team in enumerate(self._teams, start=1):
                self._put_shown(self._cell(row, team), line, column)
        for column, team in enumerate(self._teams, start=1):
            self._lay_wash(team, 0, column, last + 2, 1)
        self._put_shown(QFrame(frameShape=QFrame.Shape.HLine), rule, 0, 1, count + 1)
        text = self._label(self._total, "heading")
        text.setContentsMargins(0, 0, 0, self._around[1])
        self._put_shown(text, total, 0)
        for column, team in enumerate(self._teams, start=1):
            self._put_shown(self._sum(team), total, column)
        self._grid.setRowStretch(last + 2, 1)

    def _print_down(self) -> None:
        last = len(self._rows) + 1
        for column, row in enumerate(self._rows, start=1):
            head = self._label(row.text, "caption")
            head.setWordWrap(True)
            head.ensurePolished()
            head.setFixedSize(self._form.label, head.heightForWidth(self._form.label))
            head.setAlignment(FOOT)
            self._put_shown(head, 0, column)
            self._grid.setAlignment(head, FOOT)
            self._grid.setColumnStretch(column, 1)
        total = self._label(self._total)
        total.setAlignment(FOOT)
        self._put_shown(total, 0, last)
        self._put_shown(QFrame(frameShape=QFrame.Shape.HLine), 1, 0, 1, last + 1)
        first = {team[0]: team for team in self._teams}
        lines = (first[seat] for seat in rank_seats(self._result) if seat in first)
        for place, team in enumerate(lines, start=2):
            self._lay_wash(team, place, 0, 1, last + 1)
            self._put_shown(self._head(team), place, 0)
            for column, row in enumerate(self._rows, start=1):
                self._put_shown(self._cell(row, team), place, column)
            self._put_shown(self._sum(team), place, last)
        self._grid.setRowStretch(len(self._players) + 2, 1)

    @property
    def _around(self) -> tuple[int, int]:
        """What is left free round figures: at the sides, and above and below a column."""
        pad, framed = scale_pixels(self, PAD), scale_pixels(self, FRAMED)
        return pad, framed if self._form.across else 0

    def _lay_wash(self, team: tuple[int, ...], row: int, column: int, high: int, wide: int) -> None:
        """Lay the seat's colour under the figures of who has won."""
        if team[0] not in self._result.winners:
            return
        symbol = self._players[team[0]].symbol
        colour, line = self._context.seat_colour(symbol), self._context.seat_line(symbol)
        ground = seat_ground(self._context.theme, colour).name()
        wash = QFrame()
        wash.setStyleSheet(
            f"QFrame {{ background: {ground}; border: 2px solid {line}; border-radius: 10px; }}"
        )
        self._put_shown(wash, row, column, high, wide)
        wash.lower()

    def _put_shown(
        self, widget: QWidget, row: int, column: int, high: int = 1, wide: int = 1
    ) -> None:
        """Put a widget into the grid, shown at once: a layout has no room for hidden ones."""
        self._grid.addWidget(widget, row, column, high, wide)
        widget.show()

    def _label(self, text: str, kind: str = "") -> QLabel:
        made = label(kind, text=text)
        speak_as(made, Role.Paragraph)  # the sheet says all of it in its name
        name_widget(made, text)
        made.setAlignment(LEFT)
        if self._form.small:
            made.setStyleSheet(f"font-size: {scale_pixels(self, SMALL[kind])}px;")
        return made

    def _head(self, team: tuple[int, ...]) -> QWidget:
        """The head of a column or line: its player; for partners both, under the sign of their
        team."""
        if len(team) == 1:
            return self._player(team[0])
        head, number = QWidget(), self._teams.index(team)
        column = lay(QVBoxLayout(head), spacing=0, margins=0)
        sign = label()
        side = scale_pixels(self, SIGN_SMALL if self._form.small else SIGN)
        edge = Qt.AlignmentFlag.AlignRight if self._form.across else Qt.AlignmentFlag.AlignLeft
        column.addWidget(sign, 0, edge)
        show_team_sign(self._context, sign, number, side)
        for seat in team:
            column.addWidget(self._player(seat))
        return head

    def _player(self, seat: int) -> QWidget:
        player, small = self._players[seat], self._form.small
        head = QWidget()
        above = small and self._form.across
        pad, over = self._around
        badge, name = label(), ElidedLabel() if above else self._label(player.name)
        if above:
            name.setText(player.name)
            name.setStyleSheet(f"font-size: {scale_pixels(self, SMALL[''])}px;")
            name.ensurePolished()
            wide = name.fontMetrics().horizontalAdvance(player.name) + 4
            name.setMinimumWidth(min(scale_pixels(self, NAME_WIDE), wide))
            for each in (badge, name):
                each.setAlignment(RIGHT)
        show_badge(self._context, badge, player.symbol, scale_pixels(self, 20 if small else 26))
        if seat in self._result.winners:
            name.setStyleSheet(f"{name.styleSheet()} font-weight: 700;")
        row: QBoxLayout = QVBoxLayout(head) if above else QHBoxLayout(head)
        sign: list[Part] = [badge, name]
        if not above:
            sign.insert(0 if self._form.across else 2, STRETCH)
        margins = (pad, over, pad, 0 if small else 6)
        lay(row, sign, spacing=0 if above else 6, margins=margins)
        return head

    def _cell(self, printed: ScoreRow, team: tuple[int, ...]) -> QWidget:
        seat, cell, way = team[0], QWidget(), self._form.formulas
        pad, _ = self._around
        formula = printed.formulas[seat]
        points = self._label(with_minus_sign(printed.points[seat]))
        worked = self._label(formula, "caption")
        points.setMinimumWidth(scale_pixels(self, 20 if self._form.small else 28))
        self._figures.append((points, printed.points[seat]))
        for each in (points, worked):
            each.setAlignment(RIGHT)
        parts: list[Part] = [points]
        if way == "beside":
            parts = [STRETCH, worked, points]
        elif way == "below" and formula:
            parts.append(worked)
        gap = 6 if self._form.small else 12
        row: QBoxLayout = QVBoxLayout(cell) if way == "below" else QHBoxLayout(cell)
        lay(row, parts, spacing=0 if way == "below" else gap, margins=(pad, 0, pad, 0))
        cell.setToolTip(formula)
        name = self._words.seats(team)
        figure = self._words.with_label(printed.text, points.text())
        cell.setAccessibleDescription(aloud(formula, self._words))
        name_widget(worked, formula, words=self._words)
        name_widget(points, self._words.with_label(name, figure), formula, self._words)
        return cell

    def _sum(self, team: tuple[int, ...]) -> QLabel:
        seat = team[0]
        total = self._label(with_minus_sign(self._result.scores[seat]), "heading")
        figure = self._words.with_label(self._total, total.text())
        name = self._words.with_label(self._words.seats(team), figure)
        name_widget(total, name, words=self._words)
        total.setAlignment(RIGHT)
        pad, below = self._around
        total.setContentsMargins(pad, 0, pad, below)
        self._figures.append((total, self._result.scores[seat]))
        return total

    def count(self, share: float) -> None:
        """Show the numbers as far as they have been counted; in the end as they are."""
        for figure, points in self._figures:
            figure.setText(with_minus_sign(round(points * share)))
