"""The standings in the sidebar, with one row for each player or team."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from tabletop.language import labels
from tabletop.language.race import Race, RaceFigure, RaceRow
from tabletop.language.words import Words
from tabletop.match.match import Player
from ui.shell.app_context import AppContext, name_widget
from ui.style.theme import mix
from ui.table.items.lettering import MIN_STRETCH
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.seat_badge import seat_badge
from ui.widgets.styled_widgets import PlainLabel, label, remove_widget, scale_pixels, scaled_font

FONT_PX = 14
SMALL_FONT_PX = 12
LINE_HEIGHT_PX = 24
SMALL_LINE_HEIGHT_PX = 17
BADGE_PX = 20
BAR_HEIGHT_PX = 4
GAP_PX = 8
SIDE_MARGIN_PX = 12
TOP_MARGIN_PX = 8
CELL_SPACING_PX = 6
MIN_NAME_WIDTH_PX = 56
"""The least width reserved for a name."""
LARGE_FONT_PX = 26
LARGE_LINE_HEIGHT_PX = 34
LARGE_BADGE_PX = 40
LARGE_PADDING_PX = 14
"""The total vertical padding of a row in the "large" form."""
RowForm = Literal["large", "usual", "brief", "least"]
"""How much a row shows.

"large": the points in large digits below the name. "usual": everything on one line if it fits.
"brief": only name and points. "least": like "brief", and the goal of the game is hidden.
"""
ELIDE_MODE = Qt.TextElideMode.ElideRight


class RaceRows(QScrollArea):
    """A scrollable list of all players' standings, computed from public information."""

    race_changed = Signal()
    """The displayed standings changed."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._shown: tuple[object, ...] = ()
        self.setProperty("kind", "paper")
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        self._head, self._goal = label("caption", wrap=True), label("caption", wrap=True)
        self._column = lay(
            QVBoxLayout(inside),
            [self._head, self._goal, STRETCH],
            spacing=2,
            margins=(SIDE_MARGIN_PX, TOP_MARGIN_PX, SIDE_MARGIN_PX, TOP_MARGIN_PX),
        )
        self.rows: list[RaceRowLabel] = []
        self.setWidget(inside)
        name_widget(self, context.words(labels.SCORE))

    @property
    def heading(self) -> str:
        """The text above the rows, such as the round being played."""
        return self._head.text()

    @property
    def goal(self) -> str:
        """The text below the rows, which says how the game is won."""
        return self._goal.text()

    @property
    def spoken_text(self) -> str:
        """All standings as sentences, for screen readers."""
        rows = (row.text() for row in self.rows)
        return self._context.words.sentences((self.heading, *rows, self.goal))

    def show_race(self, race: Race, players: Sequence[Player], words: Words) -> None:
        """Show `race` between `players`."""
        symbols = tuple(player.symbol for player in players)
        shown = (race, symbols, self._context.theme.name, words.language)
        if shown == self._shown:
            return
        self._shown = shown
        name_widget(self, words(labels.SCORE))
        self._head.setText(words.join_facts(race.heads))
        self._head.setVisible(bool(race.heads))
        self._goal.setText(race.goal)
        name_widget(self._head, words.join_list(race.heads), words=words)
        name_widget(self._goal, race.goal, words=words)
        self._goal.setVisible(bool(race.goal))
        while len(self.rows) > len(race.rows):
            remove_widget(self.rows.pop(), self._column)
        while len(self.rows) < len(race.rows):
            row = RaceRowLabel(self._context)
            self._column.insertWidget(1 + len(self.rows), row)
            self.rows.append(row)
        for row, each in zip(self.rows, race.rows, strict=True):
            row.show_row(each, [symbols[seat] for seat in each.seats], words)
        self.race_changed.emit()

    def set_form(self, form: RowForm) -> None:
        """Set the form of every row. "least" also hides the goal."""
        self._goal.setVisible(bool(self._goal.text()) and form != "least")
        for row in self.rows:
            row.form = form

    def height_for(self, width: int) -> int:
        """Return the height at which everything is visible at `width`, in pixels."""
        around = self.size() - self.maximumViewportSize()
        inside = width - around.width() - 2 * SIDE_MARGIN_PX
        heights = [row.height_for(inside) for row in self.rows]
        texts = [each for each in (self._head, self._goal) if not each.isHidden()]
        heights += [each.heightForWidth(inside) for each in texts]
        gaps = (len(heights) + 1) * self._column.spacing()
        return sum(heights) + gaps + 2 * TOP_MARGIN_PX + around.height()

    @property
    def min_width(self) -> int:
        """The least width at which no word of the heading or goal is cut off, in pixels."""
        around = self.size() - self.maximumViewportSize()
        texts = [each for each in (self._head, self._goal) if each.text()]
        widest = max((each.minimumSizeHint().width() for each in texts), default=0)
        return widest + around.width() + 2 * SIDE_MARGIN_PX

    def fit_to(self, width: int, max_height: int) -> None:
        """Set the height needed at `width`, at most `max_height`. Above it, show a scroll bar.

        Qt's automatic scroll bar isn't used, because it may toggle forever as texts wrap.
        """
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        needed = self.height_for(width)
        if needed > max_height:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFixedHeight(min(needed, max_height))

    def fit_row_heights(self) -> None:
        """Set each row's height for the current font size."""
        for row in self.rows:
            row.fit_height()

    def clear(self) -> None:
        """Remove all standings."""
        self.show_race(Race(), (), self._context.words)


class RaceRowLabel(PlainLabel):
    """A painted row of the standings with badge, name, numbers and progress bars.

    The label's own text isn't painted. It describes the row in a sentence for screen readers.
    """

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._words = context.words
        self._row = RaceRow((), "", ())
        self._symbols: list[str] = []
        self.form: RowForm = "usual"
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_row(self, row: RaceRow, symbols: list[str], words: Words) -> None:
        """Show `row`. `symbols` are the symbols of its players."""
        self._row, self._symbols, self._words = row, symbols, words
        sentence = row.sentence(words)
        self.setText(sentence)
        hints = [words.with_label(each.text, each.hint) for each in row.figures if each.hint]
        self.setToolTip("\n".join([sentence, *hints]))
        name_widget(self, sentence, words.sentences(hints), words)
        self.fit_height()
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Show the explanations at once, also for a finger, which can't rest above a label."""
        QToolTip.showText(event.globalPosition().toPoint(), self.toolTip(), self)
        super().mousePressEvent(event)

    # Parts

    @property
    def _cells(self) -> list[RaceFigure]:
        """The numbers that have a progress bar each and are drawn side by side."""
        return [each for each in self._row.figures if each.share is not None and not each.leads]

    @property
    def _plain(self) -> list[str]:
        """The texts of the numbers without a progress bar."""
        return [each.text for each in self._row.figures if each.share is None and not each.leads]

    @property
    def _beside(self) -> str:
        brief = self.form in ("brief", "least")
        return "" if brief else self._words.join_facts(self._plain)

    def _lines_below(self, width: float) -> list[str]:
        """Return the lines of numbers below the name. There are none if they fit beside it."""
        if not self._beside or self._one_line(width):
            return []
        metrics = QFontMetricsF(scaled_font(self, SMALL_FONT_PX))
        join, width = self._words.join_facts, width - self._left_of_name()
        lines: list[list[str]] = [[]]
        for figure in self._plain:
            if lines[-1] and metrics.horizontalAdvance(join([*lines[-1], figure])) > width:
                lines.append([])
            lines[-1].append(figure)
        return [metrics.elidedText(join(each), ELIDE_MODE, width) for each in lines]

    @property
    def _mark(self) -> str:
        return next(iter(self._row.marks(self._words)), "")

    def _left_of_name(self) -> float:
        return len(self._symbols) * (self._badge + 4) + 4.0

    @property
    def _badge(self) -> int:
        large = self._large_lead is not None and len(self._symbols) == 1
        return scale_pixels(self, LARGE_BADGE_PX if large else BADGE_PX)

    @property
    def _large_lead(self) -> RaceFigure | None:
        """The main number if it is drawn in large digits below the name, or else None."""
        return self._row.lead if self.form == "large" else None

    def _one_line(self, width: float) -> bool:
        """Return whether name and numbers fit side by side within `width` pixels."""
        if self._large_lead is not None:
            return False
        small = QFontMetricsF(scaled_font(self, SMALL_FONT_PX))
        bold = QFontMetricsF(scaled_font(self, FONT_PX, bold=True))
        lead = self._row.lead
        wide = bold.horizontalAdvance(lead.text) + GAP_PX if lead is not None else 0.0
        wide += sum(small.horizontalAdvance(t) + GAP_PX for t in (self._beside, self._mark) if t)
        name = bold.horizontalAdvance(self._row.name)
        return (
            self._left_of_name() + min(name, scale_pixels(self, MIN_NAME_WIDTH_PX) * 2) + wide
            <= width
        )

    # Sizes

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_height()

    def fit_height(self) -> None:
        """Set the row's height for its current width. Qt would use that of the unpainted text."""
        self.setFixedHeight(self.height_for(self.width()))

    def height_for(self, width: int) -> int:
        """Return the row's height at `width`, in pixels."""
        height = scale_pixels(self, LINE_HEIGHT_PX)
        height += len(self._lines_below(width)) * scale_pixels(self, SMALL_LINE_HEIGHT_PX)
        if self._row.lead is not None and self._row.lead.share is not None:
            height += scale_pixels(self, BAR_HEIGHT_PX)
        if self._cells:
            height += scale_pixels(self, SMALL_LINE_HEIGHT_PX) + scale_pixels(self, BAR_HEIGHT_PX)
        if self._large_lead is not None:
            height += scale_pixels(self, LARGE_LINE_HEIGHT_PX) + scale_pixels(
                self, LARGE_PADDING_PX
            )
        return height + scale_pixels(self, 4)

    # Drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        row, theme, badge = self._row, self._context.theme, self._badge
        line, small_line = (
            scale_pixels(self, LINE_HEIGHT_PX),
            scale_pixels(self, SMALL_LINE_HEIGHT_PX),
        )
        bold = scaled_font(self, FONT_PX, bold=True)
        small = scaled_font(self, SMALL_FONT_PX)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self._large_lead is not None:
                painter.translate(0.0, scale_pixels(self, LARGE_PADDING_PX) / 2)
            for number, symbol in enumerate(self._symbols):
                picture = seat_badge(self._context, symbol, badge, self)
                top = max(0.0, (line - badge) / 2)
                painter.drawPixmap(QPointF(number * (badge + 4), top), picture)
            left, right, y = self._left_of_name(), float(self.width()), float(line)
            if self._large_lead is None:
                right = self._draw_right(painter, right, self._one_line(self.width()))
            name_font = bold if row.ahead or row.won else scaled_font(self, FONT_PX)
            metrics = QFontMetricsF(name_font)
            mark = self._mark
            marked = QFontMetricsF(small).horizontalAdvance(mark) + GAP_PX if mark else 0.0
            room = max(0.0, right - left - marked)
            named = metrics.horizontalAdvance(row.name)
            min_width = named if named <= right - left else scale_pixels(self, MIN_NAME_WIDTH_PX)
            if mark and room < min(named, min_width):
                mark, room = "", max(0.0, right - left)  # the bold name shows as much
            name = metrics.elidedText(row.name, ELIDE_MODE, room)
            base = (line + metrics.capHeight()) / 2
            ink = theme.ink_soft if row.out else theme.ink
            _write(painter, QPointF(left, base), name, name_font, ink)
            if mark:
                x = left + metrics.horizontalAdvance(name) + GAP_PX
                _write(painter, QPointF(x, base), mark, small, theme.accent)
            if self._large_lead is not None:
                place = QRectF(
                    left, y - 3, self.width() - left, scale_pixels(self, LARGE_LINE_HEIGHT_PX)
                )
                large = scaled_font(self, LARGE_FONT_PX, bold=True)
                _write(painter, place, self._large_lead.text, large, theme.ink)
                y += place.height()
            for text in self._lines_below(self.width()):
                place = QRectF(left, y - 3, self.width() - left, small_line)
                _write(painter, place, text, small, theme.ink_soft)
                y += small_line
            lead = row.lead
            if lead is not None and lead.share is not None:
                bar = QRectF(left, y - 2, self.width() - left, scale_pixels(self, BAR_HEIGHT_PX))
                self._draw_bar(painter, bar, lead.share)
                y += scale_pixels(self, BAR_HEIGHT_PX)
            self._draw_cells(painter, y)

    def _draw_right(self, painter: QPainter, right: float, together: bool) -> float:
        """Draw the numbers at the right end of the name's line, and return their left edge.

        `together`: whether the numbers without a progress bar fit on that line.
        """
        theme, line = self._context.theme, scale_pixels(self, LINE_HEIGHT_PX)
        parts, lead = [], self._row.lead
        if lead is not None:
            parts.append((lead.text, scaled_font(self, FONT_PX, bold=True), theme.ink))
        if self._beside and together:
            parts.append((self._beside, scaled_font(self, SMALL_FONT_PX), theme.ink_soft))
        for text, font, colour in parts:
            metrics = QFontMetricsF(font)
            right -= metrics.horizontalAdvance(text)
            base = (line + metrics.capHeight()) / 2
            _write(painter, QPointF(right, base), text, font, colour)
            right -= GAP_PX
        return right

    def _cell_font(self, room: float) -> tuple[QFont, bool]:
        """Return the font for numbers with progress bars, condensed to fit `room` pixels each.

        The second value is whether the full texts fit. Otherwise only the numbers themselves are
        drawn.
        """
        font = scaled_font(self, SMALL_FONT_PX)
        metrics = QFontMetricsF(font)
        widest = max(metrics.horizontalAdvance(cell.text) for cell in self._cells)
        if widest > room:
            font.setStretch(max(MIN_STRETCH, int(100 * room / widest) - 2))
        metrics = QFontMetricsF(font)
        fits = all(metrics.horizontalAdvance(cell.text) <= room for cell in self._cells)
        return (font, True) if fits else (scaled_font(self, SMALL_FONT_PX), False)

    def _draw_cells(self, painter: QPainter, y: float) -> None:
        """Draw the numbers that have progress bars, with their tops at `y`."""
        cells = self._cells
        if not cells:
            return
        theme, left = self._context.theme, self._left_of_name()
        wide = (self.width() - left + CELL_SPACING_PX) / len(cells)
        font, fits = self._cell_font(wide - CELL_SPACING_PX)
        for number, cell in enumerate(cells):
            room = wide - CELL_SPACING_PX
            place = QRectF(left + number * wide, y, room, scale_pixels(self, SMALL_LINE_HEIGHT_PX))
            _write(painter, place, cell.text if fits else cell.n, font, theme.ink_soft)
            bar = QRectF(
                place.left(), place.bottom(), place.width(), scale_pixels(self, BAR_HEIGHT_PX)
            )
            self._draw_bar(painter, bar, cell.share or 0.0)

    def _draw_bar(self, painter: QPainter, place: QRectF, share: float) -> None:
        theme = self._context.theme
        colour = self._context.seat_line_colour(self._symbols[0]) if self._symbols else theme.ink
        bend = place.height() / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(mix(theme.paper, theme.ink, 0.12)))
        painter.drawRoundedRect(place, bend, bend)
        if share > 0:
            filled = QRectF(place)
            filled.setWidth(max(place.height(), place.width() * share))
            painter.setBrush(QColor(colour))
            painter.drawRoundedRect(filled, bend, bend)


def _write(painter: QPainter, at: QPointF | QRectF, text: str, font: QFont, colour: str) -> None:
    """Draw `text` from the baseline point `at`, or vertically centred in the rectangle `at`."""
    painter.setFont(font)
    painter.setPen(QColor(colour))
    if isinstance(at, QRectF):
        painter.drawText(at, int(Qt.AlignmentFlag.AlignVCenter), text)
    else:
        painter.drawText(at, text)
