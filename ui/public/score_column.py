"""The final scores on the public table, in text that is readable from three metres.

With many players, only the totals are listed, winners first.
"""

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
from ui.public.window_fit import WindowFit
from ui.shell.app_context import AppContext, name_widget
from ui.style.theme import seat_background
from ui.table.items.lettering import table_font

DEFAULT_FONT_SHARE = 0.032
"""The default font size, as a share of the window's reading height."""
MIN_FONT_SHARE = 0.024
"""The least font size, as a share of the window's reading height."""
LINE_HEIGHT = 1.75
"""The height of a line, in font sizes."""
MAX_COLUMNS = 4
"""The greatest number of columns for players or teams. If there are more, each has a row."""
MAX_WIDTH_SHARE = 0.4
"""The preferred greatest width of the score column, as a share of the window's width."""
MIN_NAME_WIDTH = 7.0
"""The least width of the text column if its texts are wider, in font sizes."""
MIN_POINTS_WIDTH = 2.7
"""The least width of a column of points, in font sizes."""
MAX_HEIGHT_SHARE = 0.82
"""The greatest total height of the lines, as a share of the window's height."""


class _Line(NamedTuple):
    """A line with a text and one number for each column, or that of `team` if teams are rows."""

    text: str
    points: tuple[int, ...]
    total: bool = False
    team: tuple[int, ...] = ()


class ScoreColumn(QWidget):
    """The final scores: a column beside the public table, a band below it in an upright window."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._players: tuple[Player, ...] = ()
        self._result = Result((), ())
        self._teams: Teams = ()
        self._players_across = True
        """Whether each player or team has a column. Otherwise each has a row."""
        self._lines: list[_Line] = []
        self._visible_lines: list[_Line] = []
        """The lines for which there is space: all of them, or only the total."""
        self.font_px = 0
        """The font size in pixels."""
        self._window = WindowFit(1280, 720)
        self._words = Words()
        self.hide()

    def show_result(self, result: Result | None, players: Sequence[Player], words: Words) -> None:
        """Show the scores of `result`, or hide the column if `result` is None or has no scores."""
        if result is None or not result.scores:
            self.hide()
            return
        self._result, self._players = result, tuple(players)
        self._teams = teams_of(result, len(self._players))
        self._players_across = len(self._teams) <= MAX_COLUMNS
        self._words = words
        self._lines = self._make_lines(score_rows(result, words), words(labels.TOTAL))
        names = [
            words.with_label(words.seats(team), str(self._team_points(team)))
            for team in self._teams
        ]
        name_widget(self, words("Score sheet"), words.join_list(names))
        self._choose_font_size()
        self.show()
        self.update()

    def fit_window(self, width: int, height: int) -> None:
        """Set all sizes for a window of this size, in pixels."""
        self._window = WindowFit(width, height)
        if self._lines:
            self._choose_font_size()

    @property
    def lines(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The text of each visible line, and its points in the order of the columns."""
        return tuple((line.text, line.points) for line in self._visible_lines)

    def _make_lines(self, sheet: Sequence[ScoreRow], total: str) -> list[_Line]:
        if not self._players_across:
            first = {team[0]: team for team in self._teams}
            order = [first[seat] for seat in rank_seats(self._result) if seat in first]
            return [
                _Line(self._team_name(team), (self._team_points(team),), team=team)
                for team in order
            ]
        firsts = [team[0] for team in self._teams]
        lines = [_Line(row.text, tuple(row.points[seat] for seat in firsts)) for row in sheet]
        return [*lines, _Line(total, tuple(map(self._team_points, self._teams)), True)]

    def _team_name(self, team: tuple[int, ...]) -> str:
        return self._words.join_list(self._players[seat].name for seat in team)

    def _team_points(self, team: tuple[int, ...]) -> int:
        return self._result.scores[team[0]]

    # Sizes, in pixels

    def _choose_font_size(self) -> None:
        """Use the largest font size at which all lines fit.

        If no size fits, show the total alone, because some of the lines wouldn't add up to it.
        """
        height = self._window.reading_height
        max_height = self._window.max_content_height(MAX_HEIGHT_SHARE)
        max_size, min_size = round(height * DEFAULT_FONT_SHARE), math.ceil(height * MIN_FONT_SHARE)
        for lines in (self._lines, self._lines[-1:] if self._players_across else self._lines):
            self._visible_lines = lines
            for size in range(max_size, min_size - 1, -1):
                self.font_px = size
                if self.content_height <= max_height:
                    break
            if self.content_height <= max_height:
                break
        band_height = self.content_height + self.font_px
        self._window.place_part(
            self, round(band_height) if self._window.is_upright else int(self._width())
        )

    @property
    def content_height(self) -> float:
        """The total height of everything visible, in pixels."""
        return self._head_height + sum(map(self._line_height, self._visible_lines)) + self.font_px

    @property
    def _head_height(self) -> float:
        """The height of the badges above the columns in pixels, or 0 if players have rows."""
        return self.font_px * LINE_HEIGHT * 1.5 if self._players_across else 0.0

    @property
    def _column_count(self) -> int:
        return len(self._teams) if self._players_across else 1

    def _points_width(self) -> float:
        size = self.font_px
        metrics = QFontMetricsF(table_font(size, True))
        numbers = (with_minus_sign(each) for line in self._visible_lines for each in line.points)
        return max(
            size * MIN_POINTS_WIDTH, *(metrics.horizontalAdvance(each) + size for each in numbers)
        )

    def _width_beside_text(self) -> float:
        badge = 0.0 if self._players_across else self.font_px * LINE_HEIGHT
        return self.font_px * 2 + badge + self._column_count * self._points_width()

    def _text_width(self) -> float:
        """Return the width of the text column in pixels: that of the longest text, if it fits."""
        size = self.font_px
        metrics = QFontMetricsF(table_font(size, True))
        texts = max(metrics.horizontalAdvance(line.text) for line in self._visible_lines) + size
        share = 1.0 if self._window.is_upright else MAX_WIDTH_SHARE
        room = self._window.width * share - self._width_beside_text()
        return max(min(texts, size * MIN_NAME_WIDTH), min(texts, room))

    def _width(self) -> float:
        return self._width_beside_text() + self._text_width()

    def _line_height(self, line: _Line) -> float:
        """Return the height of `line` in pixels after wrapping its text."""
        size = self.font_px
        metrics = QFontMetricsF(table_font(size, line.total))
        flags = Qt.TextFlag.TextWordWrap
        box = metrics.boundingRect(
            QRectF(0, 0, self._text_width() - size * 0.4, 9999), flags, line.text
        )
        return max(size * LINE_HEIGHT, box.height() + size * 0.4)

    # Drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, size = self._context.theme, self.font_px
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            edge = size * 0.5
            lines = self._visible_lines
            heights = [self._line_height(line) for line in lines]
            head, height = self._head_height, self.content_height
            top = max(edge, (self.height() - height) / 2)
            left = edge if self._window.is_upright else 0.0
            sheet = QRectF(left, top, self.width() - left - edge, height)
            painter.setPen(QPen(QColor(theme.line), 1))
            painter.setBrush(QColor(theme.paper))
            painter.drawRoundedRect(sheet, size * 0.5, size * 0.5)
            inside = sheet.adjusted(edge, edge, -edge, -edge)
            if self._players_across:
                self._draw_head(painter, inside, head)
            y = inside.y() + head
            for line, tall in zip(lines, heights, strict=True):
                place = QRectF(inside.x(), y, inside.width(), tall)
                self._draw_line(painter, place, line)
                y += tall

    def _column_rects(self, inside: QRectF) -> list[tuple[tuple[int, ...], QRectF]]:
        width = self._points_width()
        left = inside.right() - width * len(self._teams)
        return [
            (team, QRectF(left + width * number, inside.y(), width, inside.height()))
            for number, team in enumerate(self._teams)
        ]

    def _draw_head(self, painter: QPainter, inside: QRectF, height: float) -> None:
        """Draw the badges above the columns, and a background behind the winners' columns."""
        side = min(height * 0.8, self._points_width() * 0.8)
        for team, column in self._column_rects(inside):
            if set(team) & set(self._result.winners):
                self._draw_winner_background(painter, team, column)
            step = min(side * 0.6, (column.width() - side) / max(1, len(team) - 1))
            left = column.center().x() - (side + step * (len(team) - 1)) / 2
            for number, seat in enumerate(team):
                self._draw_badge(
                    painter, seat, left + number * step, inside.y() + height * 0.1, side
                )

    def _draw_line(self, painter: QPainter, place: QRectF, line: _Line) -> None:
        theme, size = self._context.theme, self.font_px
        left, team = place.x(), line.team
        if team:
            if set(team) & set(self._result.winners):
                self._draw_winner_background(
                    painter, team, place.adjusted(-size * 0.3, 1, size * 0.3, -1)
                )
            side = size * LINE_HEIGHT * 0.8
            self._draw_badge(painter, team[0], left, place.center().y() - side / 2, side)
            left += size * LINE_HEIGHT
        painter.setFont(table_font(size, line.total))
        painter.setPen(QColor(theme.ink))
        if line.total:
            painter.setPen(QPen(QColor(theme.line), max(1.0, size / 16)))
            painter.drawLine(place.topLeft(), place.topRight())
            painter.setPen(QColor(theme.ink))
        words = QRectF(left, place.y(), self._text_width() - size * 0.4, place.height())
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(words, int(middle | Qt.TextFlag.TextWordWrap), line.text)
        painter.setFont(table_font(size, line.total or not self._players_across))
        width = self._points_width()
        x = place.right() - width * len(line.points)
        for number, points in enumerate(line.points):
            at = QRectF(x + width * number, place.y(), width, place.height())
            flag = Qt.AlignmentFlag
            aside = flag.AlignHCenter if self._players_across else flag.AlignRight
            painter.drawText(at, int(middle | aside), with_minus_sign(points))

    def _draw_winner_background(
        self, painter: QPainter, team: tuple[int, ...], place: QRectF
    ) -> None:
        colour = self._context.seat_colour(self._players[team[0]].symbol)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(seat_background(self._context.theme, colour))
        bend = self.font_px * 0.4
        painter.drawRoundedRect(place, bend, bend)

    def _draw_badge(self, painter: QPainter, seat: int, x: float, y: float, side: float) -> None:
        symbol = self._players[seat].symbol
        if symbol:
            colour = self._context.seat_colour(symbol)
            art, ratio = self._context.art, self.devicePixelRatioF()
            badge = art.seat_badge(symbol, colour, round(side), ratio)
            painter.drawPixmap(round(x), round(y), badge)
