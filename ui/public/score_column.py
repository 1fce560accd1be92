"""The column of the public table at a match's end: everybody's points line by line, in letters read
from three metres; of many players the totals alone, who has won first."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from tabletop.engine.model import Result, Teams
from tabletop.engine.teams import teams_of
from tabletop.language import labels
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.text.typography import with_minus_sign
from ui.match.result.score_grid import ScoreRow, rank_seats, score_rows
from ui.shell.app_context import AppContext, name_widget
from ui.style.theme import seat_background
from ui.table.items.lettering import table_font

LETTERS, LEAST = 0.032, 0.024
"""Height of the letters, usual and least, as shares of the window's height."""
LINE = 1.75
"""Height of a line, in letters."""
ABREAST = 4
"""The greatest number of players side by side; more are one below the other."""
WIDEST = 0.4
"""The greatest share of the window's width."""
NAMED = 7.0
"""Room for a name, in letters."""
FIGURE = 2.7
"""Room for a player's points, in letters."""
HIGHEST = 0.82
"""Height of all lines, as a share of the window's."""


class _Line(NamedTuple):
    """A line's text, and the points of each column: the total is bold. Where players are one below
    the other it is of a team."""

    text: str
    points: tuple[int, ...]
    total: bool = False
    team: tuple[int, ...] = ()


class ScoreColumn(QWidget):
    """A column beside the table, in place of the phones, once the match is over."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._players: tuple[Player, ...] = ()
        self._result = Result((), ())
        self._teams: Teams = ()
        self._abreast = True
        """Whether the players are side by side."""
        self._lines: list[_Line] = []
        self._printed: list[_Line] = []
        """The lines that have room."""
        self.letters = 0
        """The size of letters, in pixels."""
        self._window = (1280, 720)
        self._words = Words()
        self.hide()

    def show_result(self, result: Result | None, players: Sequence[Player], words: Words) -> None:
        """Print the points of this result; nothing where the match goes on, or counts none."""
        if result is None or not result.scores:
            self.hide()
            return
        self._result, self._players = result, tuple(players)
        self._teams = teams_of(result, len(self._players))
        self._abreast = len(self._teams) <= ABREAST
        self._words = words
        self._lines = self._make_lines(score_rows(result, words), words(labels.TOTAL))
        names = [
            words.with_label(words.seats(team), str(self._points(team))) for team in self._teams
        ]
        name_widget(self, words("Score sheet"), words.join_list(names))
        self._set_sizes()
        self.show()
        self.update()

    def fit(self, wide: int, high: int) -> None:
        """The window is so large, in pixels."""
        self._window = (wide, high)
        if self._lines:
            self._set_sizes()

    @property
    def lines(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The printed lines: the text of each, and the points in it."""
        return tuple((line.text, line.points) for line in self._printed)

    def _make_lines(self, sheet: Sequence[ScoreRow], total: str) -> list[_Line]:
        if not self._abreast:
            first = {team[0]: team for team in self._teams}
            order = [first[seat] for seat in rank_seats(self._result) if seat in first]
            return [_Line(self._names(team), (self._points(team),), team=team) for team in order]
        firsts = [team[0] for team in self._teams]
        lines = [_Line(row.text, tuple(row.points[seat] for seat in firsts)) for row in sheet]
        return [*lines, _Line(total, tuple(map(self._points, self._teams)), True)]

    def _names(self, team: tuple[int, ...]) -> str:
        return self._words.join_list(self._players[seat].name for seat in team)

    def _points(self, team: tuple[int, ...]) -> int:
        return self._result.scores[team[0]]

    # Sizes, in pixels

    def _set_sizes(self) -> None:
        """The largest letters with which all lines are seen; where there are none, the total
        alone: a part of the lines would not add up to it."""
        high = self._window[1]
        most, least = round(high * LETTERS), math.ceil(high * LEAST)
        for lines in (self._lines, self._lines[-1:] if self._abreast else self._lines):
            self._printed = lines
            for size in range(most, least - 1, -1):
                self.letters = size
                if self.high <= high * HIGHEST:
                    break
            if self.high <= high * HIGHEST:
                break
        self.setFixedWidth(int(self._width()))

    @property
    def high(self) -> float:
        """The height of all that is printed."""
        return self._head + sum(map(self._line_high, self._printed)) + self.letters

    @property
    def _head(self) -> float:
        """The height of the badges over the columns."""
        return self.letters * LINE * 1.5 if self._abreast else 0.0

    @property
    def _columns(self) -> int:
        return len(self._teams) if self._abreast else 1

    def _points_width(self) -> float:
        size = self.letters
        metrics = QFontMetricsF(table_font(size, True))
        numbers = (with_minus_sign(each) for line in self._printed for each in line.points)
        return max(size * FIGURE, *(metrics.horizontalAdvance(each) + size for each in numbers))

    def _width_beside_text(self) -> float:
        badge = 0.0 if self._abreast else self.letters * LINE
        return self.letters * 2 + badge + self._columns * self._points_width()

    def _text_width(self) -> float:
        """The width of the texts: as wide as the longest where there is room for it."""
        size = self.letters
        metrics = QFontMetricsF(table_font(size, True))
        texts = max(metrics.horizontalAdvance(line.text) for line in self._printed) + size
        room = self._window[0] * WIDEST - self._width_beside_text()
        return max(min(texts, size * NAMED), min(texts, room))

    def _width(self) -> float:
        return self._width_beside_text() + self._text_width()

    def _line_high(self, line: _Line) -> float:
        """The height of a line: its text may need a second one."""
        size = self.letters
        metrics = QFontMetricsF(table_font(size, line.total))
        flags = Qt.TextFlag.TextWordWrap
        box = metrics.boundingRect(
            QRectF(0, 0, self._text_width() - size * 0.4, 9999), flags, line.text
        )
        return max(size * LINE, box.height() + size * 0.4)

    # Drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, size = self._context.theme, self.letters
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            edge = size * 0.5
            lines = self._printed
            heights = [self._line_high(line) for line in lines]
            head, high = self._head, self.high
            top = max(edge, (self.height() - high) / 2)
            sheet = QRectF(0, top, self.width() - edge, high)
            painter.setPen(QPen(QColor(theme.line), 1))
            painter.setBrush(QColor(theme.paper))
            painter.drawRoundedRect(sheet, size * 0.5, size * 0.5)
            inside = sheet.adjusted(edge, edge, -edge, -edge)
            if self._abreast:
                self._draw_head(painter, inside, head)
            y = inside.y() + head
            for line, tall in zip(lines, heights, strict=True):
                place = QRectF(inside.x(), y, inside.width(), tall)
                self._draw_line(painter, place, line)
                y += tall

    def _column_places(self, inside: QRectF) -> list[tuple[tuple[int, ...], QRectF]]:
        wide = self._points_width()
        left = inside.right() - wide * len(self._teams)
        return [
            (team, QRectF(left + wide * number, inside.y(), wide, inside.height()))
            for number, team in enumerate(self._teams)
        ]

    def _draw_head(self, painter: QPainter, inside: QRectF, high: float) -> None:
        """The heads of the columns: badges of their players, over the winners' a wash of their
        colour."""
        side = min(high * 0.8, self._points_width() * 0.8)
        for team, column in self._column_places(inside):
            if set(team) & set(self._result.winners):
                self._wash(painter, team, column)
            step = min(side * 0.6, (column.width() - side) / max(1, len(team) - 1))
            left = column.center().x() - (side + step * (len(team) - 1)) / 2
            for number, seat in enumerate(team):
                self._badge(painter, seat, left + number * step, inside.y() + high * 0.1, side)

    def _draw_line(self, painter: QPainter, place: QRectF, line: _Line) -> None:
        theme, size = self._context.theme, self.letters
        left, team = place.x(), line.team
        if team:
            if set(team) & set(self._result.winners):
                self._wash(painter, team, place.adjusted(-size * 0.3, 1, size * 0.3, -1))
            side = size * LINE * 0.8
            self._badge(painter, team[0], left, place.center().y() - side / 2, side)
            left += size * LINE
        painter.setFont(table_font(size, line.total))
        painter.setPen(QColor(theme.ink))
        if line.total:
            painter.setPen(QPen(QColor(theme.line), max(1.0, size / 16)))
            painter.drawLine(place.topLeft(), place.topRight())
            painter.setPen(QColor(theme.ink))
        words = QRectF(left, place.y(), self._text_width() - size * 0.4, place.height())
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(words, int(middle | Qt.TextFlag.TextWordWrap), line.text)
        painter.setFont(table_font(size, line.total or not self._abreast))
        wide = self._points_width()
        x = place.right() - wide * len(line.points)
        for number, points in enumerate(line.points):
            at = QRectF(x + wide * number, place.y(), wide, place.height())
            aside = Qt.AlignmentFlag.AlignHCenter if self._abreast else Qt.AlignmentFlag.AlignRight
            painter.drawText(at, int(middle | aside), with_minus_sign(points))

    def _wash(self, painter: QPainter, team: tuple[int, ...], place: QRectF) -> None:
        colour = self._context.seat_colour(self._players[team[0]].symbol)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(seat_background(self._context.theme, colour))
        bend = self.letters * 0.4
        painter.drawRoundedRect(place, bend, bend)

    def _badge(self, painter: QPainter, seat: int, x: float, y: float, side: float) -> None:
        symbol = self._players[seat].symbol
        if symbol:
            colour = self._context.seat_colour(symbol)
            art, ratio = self._context.art, self.devicePixelRatioF()
            badge = art.seat_badge(symbol, colour, round(side), ratio)
            painter.drawPixmap(round(x), round(y), badge)
