"""Charts for the statistics page: scores over time, result dots and average bars."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from tabletop.language.words import Words
from tabletop.storage.statistics import PlayedMatch
from tabletop.text.phrases import phrase
from tabletop.text.typography import with_minus_sign
from ui.shell.app_context import AppContext, name_widget
from ui.style.theme import Theme, with_opacity
from ui.widgets.styled_widgets import scale_pixels

MAX_MATCHES = 60
"""Maximum number of matches to draw. Only the latest are drawn, since more dots would touch."""
DOT_RADIUS_PX = 5.0
"""Radius of a dot in pixels."""
MIN_DOT_SHARE = 0.7
"""Minimum radius of a dot if there are many matches, as a fraction of `DOT_RADIUS_PX`."""
GRID_LINES = 4
"""Approximate number of grid lines."""
MARGIN_PX = 12.0


def axis_ticks(low: float, high: float, lines: int = GRID_LINES) -> tuple[int, ...]:
    """Return about `lines` evenly spaced round numbers whose range includes `low` and `high`."""
    span = max(high - low, 1.0)
    rough = span / lines
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough)
    step = max(1, round(step))
    first, last = math.floor(low / step), math.ceil(high / step)
    return tuple(step * number for number in range(first, max(last, first + 1) + 1))


LEGEND = phrase("● won   ○ not won")
"""The legend of the dots, which starts with the symbol of a won match."""


class ScoreChart(QWidget):
    """A line chart with the scores of successive matches, and a dashed line at their mean."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._matches: tuple[PlayedMatch, ...] = ()
        self.setMinimumSize(QSize(260, 150))

    def show_matches(self, matches: Sequence[PlayedMatch]) -> None:
        """Draw the latest of `matches` that have a score."""
        self._matches = tuple(each for each in matches if each.score is not None)[-MAX_MATCHES:]
        words = self._context.words
        text = words.join_list(
            words("{score} (won)", score=each.score) if each.won else str(each.score)
            for each in self._matches
        )
        name_widget(self, words("Scores, latest match on the right"), text)
        self.setToolTip(text)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._matches:
            return
        theme = self._context.theme
        scores = [each.score or 0 for each in self._matches]
        ticks = axis_ticks(min(scores), max(scores))
        metrics = QFontMetricsF(self.font())
        left = max(metrics.horizontalAdvance(with_minus_sign(tick)) for tick in ticks) + MARGIN_PX
        place = QRectF(self.rect()).adjusted(left, MARGIN_PX, -MARGIN_PX, -MARGIN_PX)
        faint = with_opacity(theme.ink_soft, 0.3)
        points = score_points(scores, ticks, place)
        full = won_symbol(self._context.words)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for tick in ticks:
                y = score_y(tick, ticks, place)
                painter.setPen(QPen(faint, 1.0))
                painter.drawLine(QPointF(place.left(), y), QPointF(place.right(), y))
                painter.setPen(QColor(theme.ink_soft))
                where = QRectF(0, y - 10, left - 8, 20)
                side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                painter.drawText(where, side, with_minus_sign(tick))
            mean = score_y(sum(scores) / len(scores), ticks, place)
            painter.setPen(QPen(QColor(theme.ink_soft), 1.2, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(place.left(), mean), QPointF(place.right(), mean))
            painter.setPen(QPen(QColor(theme.accent_2), 2.0))
            painter.drawPolyline(QPolygonF(points))
            for point, match in zip(points, self._matches, strict=True):
                _draw_dot(painter, theme, match, point, DOT_RADIUS_PX, full)


class ResultDots(QWidget):
    """A row with a dot for each match of a game, at its place among the matches of all games.

    Dots are filled or empty as in the legend.
    """

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._places: dict[int, PlayedMatch] = {}
        """The matches to draw, by their index among the latest matches of all games."""
        self._count = 0
        """The number of these latest matches of all games."""

    def show_matches(self, matches: Sequence[PlayedMatch], name: str, game: str = "") -> None:
        """Draw the latest `matches` that are of `game`, or all of them if it is "".

        `name` is the accessible name.
        """
        last = matches[-MAX_MATCHES:]
        self._count = len(last)
        self._places = {n: each for n, each in enumerate(last) if game in ("", each.game)}
        words = self._context.words
        text = words.join_list(
            words("won") if each.won else words("not won") for each in self._places.values()
        )
        name_widget(self, name, text)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(0, scale_pixels(self, 4 * DOT_RADIUS_PX))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, most = self._context.theme, float(scale_pixels(self, DOT_RADIUS_PX))
        edge, high = most + 1.5, self.height() / 2
        step = (self.width() - 2 * edge) / max(self._count - 1, 1)
        radius = min(most, max(MIN_DOT_SHARE * most, step / 2 - 1.5))
        full = won_symbol(self._context.words)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(with_opacity(theme.ink_soft, 0.3), 1.0))
            painter.drawLine(QPointF(0, high), QPointF(self.width(), high))
            for number, match in self._places.items():
                middle = QPointF(edge + number * step, high)
                _draw_dot(painter, theme, match, middle, radius, full)


class AverageBar(QWidget):
    """A bar from zero to an average, with a line at the best value."""

    def __init__(
        self, context: AppContext, mean: float, best: float, ends: tuple[float, float]
    ) -> None:
        """Draw `mean` as a bar and `best` as a line.

        `ends`: the lowest and the highest value of the scale.
        """
        super().__init__()
        self._context = context
        self._mean = mean
        self._best = best
        self._ends = ends
        self.setMinimumSize(QSize(60, 14))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def x_of(self, figure: float) -> float:
        """Return the x coordinate for the value `figure`, in pixels."""
        low, high = self._ends
        return 1.5 + (self.width() - 3) * (figure - low) / (high - low)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._context.theme
        middle, high = self.height() / 2, 8.0
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.mat))
            painter.drawRoundedRect(QRectF(0, middle - high / 2, self.width(), high), 4, 4)
            start, end = sorted((self.x_of(0), self.x_of(self._mean)))
            painter.setBrush(QColor(theme.accent_2))
            painter.drawRoundedRect(QRectF(start, middle - high / 2, end - start, high), 4, 4)
            painter.setPen(QPen(QColor(theme.accent), 3.0))
            best = self.x_of(self._best)
            painter.drawLine(QPointF(best, middle - 6), QPointF(best, middle + 6))


def won_symbol(words: Words) -> str:
    """Return the legend's symbol of a won match, which is "●", or "○" in Japanese."""
    return words(LEGEND)[0]


def _draw_dot(
    painter: QPainter, theme: Theme, match: PlayedMatch, middle: QPointF, radius: float, full: str
) -> None:
    """Draw the dot of `match`. `full` is the symbol of a won match in the legend."""
    ink = theme.accent if match.won else theme.accent_2
    painter.setPen(QPen(QColor(ink), 2.0))
    painter.setBrush(QColor(ink if match.won == (full == "●") else theme.paper))
    painter.drawEllipse(middle, radius, radius)


def score_points(scores: Sequence[float], ticks: Sequence[int], place: QRectF) -> list[QPointF]:
    """Return the point of each score within `place`, in pixels. A single point is centred.

    `ticks` are the values of the grid lines, from the lower to the upper edge.
    """
    inside = place.adjusted(DOT_RADIUS_PX + 2, 0, -DOT_RADIUS_PX - 2, 0)
    step = inside.width() / (len(scores) - 1) if len(scores) > 1 else 0.0
    first = inside.left() if len(scores) > 1 else inside.center().x()
    return [
        QPointF(first + step * number, score_y(score, ticks, place))
        for number, score in enumerate(scores)
    ]


def score_y(score: float, ticks: Sequence[int], place: QRectF) -> float:
    """Return the y coordinate for `score` within `place`, in pixels.

    `ticks` are the values of the grid lines, from the lower to the upper edge.
    """
    share = (score - ticks[0]) / (ticks[-1] - ticks[0])
    return place.bottom() - share * place.height()
