"""The race in the sidebar: a row for each player that says how far they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from tabletop.language import labels
from tabletop.language.race import Race, RaceFigure, RaceRow
from tabletop.language.words import Words
from tabletop.match.match import Player
from ui.shell.app_context import AppContext, name_widget
from ui.style.theme import mix
from ui.table.items.lettering import LEAST_STRETCH
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.seat_badge import seat_badge
from ui.widgets.styled_widgets import PlainLabel, label, remove_widget, scale_pixels, scaled_font

LETTERS, SMALL = 14, 12
LINE, SMALL_LINE = 24, 17
BADGE = 20
BAR = 4
GAP = 8
INSET, ABOVE = 12, 8
CELLS_APART = 6
NAME = 56
"""The least width of a name."""
LARGE, LARGE_LINE, LARGE_BADGE, LARGE_GAP = 26, 34, 40, 14
"""Letters, line and badge of a row with its points below the name, and the air round such a row;
all in pixels."""
Form = Literal["large", "usual", "brief", "least"]
"""What a row is like: with its points in large letters below the name, with all in a line where
there is room, or with name and points alone; in the least form the goal is left out as well."""
ELIDED = Qt.TextElideMode.ElideRight


class RaceRows(QScrollArea):
    """How far everybody is, from what all know."""

    changed = Signal()
    """It shows another race."""

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
            margins=(INSET, ABOVE, INSET, ABOVE),
        )
        self.rows: list[PrintedRow] = []
        self.setWidget(inside)
        name_widget(self, context.words(labels.SCORE))

    @property
    def head(self) -> str:
        """How far the game is."""
        return self._head.text()

    @property
    def goal(self) -> str:
        """What the game is won by."""
        return self._goal.text()

    @property
    def as_text(self) -> str:
        """All of it in sentences."""
        rows = (row.text() for row in self.rows)
        return self._context.words.sentences((self.head, *rows, self.goal))

    def show_race(self, race: Race, players: Sequence[Player], words: Words) -> None:
        """Show this race between these players, in these words."""
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
            row = PrintedRow(self._context)
            self._column.insertWidget(1 + len(self.rows), row)
            self.rows.append(row)
        for row, each in zip(self.rows, race.rows, strict=True):
            row.show_row(each, [symbols[seat] for seat in each.seats], words)
        self.changed.emit()

    def take_form(self, form: Form) -> None:
        """Give every row this form."""
        self._goal.setVisible(bool(self._goal.text()) and form != "least")
        for row in self.rows:
            row.form = form

    def height_in(self, width: int) -> int:
        """The height in which all of it is seen, at this width."""
        around = self.size() - self.maximumViewportSize()
        inside = width - around.width() - 2 * INSET
        heights = [row.height_in(inside) for row in self.rows]
        texts = [each for each in (self._head, self._goal) if not each.isHidden()]
        heights += [each.heightForWidth(inside) for each in texts]
        gaps = (len(heights) + 1) * self._column.spacing()
        return sum(heights) + gaps + 2 * ABOVE + around.height()

    @property
    def least_width(self) -> int:
        """The width in which no phrase of its texts is cut."""
        around = self.size() - self.maximumViewportSize()
        texts = [each for each in (self._head, self._goal) if each.text()]
        widest = max((each.minimumSizeHint().width() for each in texts), default=0)
        return widest + around.width() + 2 * INSET

    def fit(self, width: int, most: int) -> None:
        """Be as high as all of it needs at this width, and scroll where that is more than `most`.

        Whether there is a scroll bar is decided here: Qt, which asks what it leaves room for, may
        show and hide it in turn for ever where texts wrap.
        """
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        needed = self.height_in(width)
        if needed > most:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFixedHeight(min(needed, most))

    def fit_rows(self) -> None:
        """Give each row the height it needs in letters of another size."""
        for row in self.rows:
            row.fit_height()

    def clear(self) -> None:
        """Show nothing."""
        self.show_race(Race(), (), self._context.words)


class PrintedRow(PlainLabel):
    """A player's row. Its text, which screen readers read, is the whole row as a sentence; drawn
    are a badge, the name, figures and bars."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._words = context.words
        self._row = RaceRow((), "", ())
        self._symbols: list[str] = []
        self.form: Form = "usual"
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_row(self, row: RaceRow, symbols: list[str], words: Words) -> None:
        """Show this row of players with these symbols, in these words."""
        self._row, self._symbols, self._words = row, symbols, words
        sentence = row.sentence(words)
        self.setText(sentence)
        hints = [words.with_label(each.text, each.hint) for each in row.figures if each.hint]
        self.setToolTip("\n".join([sentence, *hints]))
        name_widget(self, sentence, words.sentences(hints), words)
        self.fit_height()
        self.update()

    # Parts

    @property
    def _cells(self) -> list[RaceFigure]:
        """The figures with bars of their own, side by side."""
        return [each for each in self._row.figures if each.share is not None and not each.leads]

    @property
    def _plain(self) -> list[str]:
        """The figures without bars."""
        return [each.text for each in self._row.figures if each.share is None and not each.leads]

    @property
    def _beside(self) -> str:
        brief = self.form in ("brief", "least")
        return "" if brief else self._words.join_facts(self._plain)

    def _lines_below(self, width: float) -> list[str]:
        """The figures without bars below the name, where they have no room beside it in a row of
        this width."""
        if not self._beside or self._one_line(width):
            return []
        metrics = QFontMetricsF(scaled_font(self, SMALL))
        join, width = self._words.join_facts, width - self._left_of_name()
        lines: list[list[str]] = [[]]
        for figure in self._plain:
            if lines[-1] and metrics.horizontalAdvance(join([*lines[-1], figure])) > width:
                lines.append([])
            lines[-1].append(figure)
        return [metrics.elidedText(join(each), ELIDED, width) for each in lines]

    @property
    def _mark(self) -> str:
        return next(iter(self._row.marks(self._words)), "")

    def _left_of_name(self) -> float:
        return len(self._symbols) * (self._badge + 4) + 4.0

    @property
    def _badge(self) -> int:
        large = self._large_lead is not None and len(self._symbols) == 1
        return scale_pixels(self, LARGE_BADGE if large else BADGE)

    @property
    def _large_lead(self) -> RaceFigure | None:
        """The figure that is below the name, in large letters."""
        return self._row.lead if self.form == "large" else None

    def _one_line(self, width: float) -> bool:
        """Whether name and figures have room side by side."""
        if self._large_lead is not None:
            return False
        small = QFontMetricsF(scaled_font(self, SMALL))
        bold = QFontMetricsF(scaled_font(self, LETTERS, bold=True))
        lead = self._row.lead
        wide = bold.horizontalAdvance(lead.text) + GAP if lead is not None else 0.0
        wide += sum(small.horizontalAdvance(t) + GAP for t in (self._beside, self._mark) if t)
        name = bold.horizontalAdvance(self._row.name)
        return self._left_of_name() + min(name, scale_pixels(self, NAME) * 2) + wide <= width

    # Sizes

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_height()

    def fit_height(self) -> None:
        """Be as high as the row is in this width: a label would go by its text."""
        self.setFixedHeight(self.height_in(self.width()))

    def height_in(self, width: int) -> int:
        """The height of the row at this width, also before it is shown so wide."""
        high = scale_pixels(self, LINE)
        high += len(self._lines_below(width)) * scale_pixels(self, SMALL_LINE)
        if self._row.lead is not None and self._row.lead.share is not None:
            high += scale_pixels(self, BAR)
        if self._cells:
            high += scale_pixels(self, SMALL_LINE) + scale_pixels(self, BAR)
        if self._large_lead is not None:
            high += scale_pixels(self, LARGE_LINE) + scale_pixels(self, LARGE_GAP)
        return high + scale_pixels(self, 4)

    # Drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        row, theme, badge = self._row, self._context.theme, self._badge
        line, small_line = scale_pixels(self, LINE), scale_pixels(self, SMALL_LINE)
        bold = scaled_font(self, LETTERS, bold=True)
        small = scaled_font(self, SMALL)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self._large_lead is not None:
                painter.translate(0.0, scale_pixels(self, LARGE_GAP) / 2)
            for number, symbol in enumerate(self._symbols):
                picture = seat_badge(self._context, symbol, badge, self)
                top = max(0.0, (line - badge) / 2)
                painter.drawPixmap(QPointF(number * (badge + 4), top), picture)
            left, right, y = self._left_of_name(), float(self.width()), float(line)
            if self._large_lead is None:
                right = self._draw_right(painter, right, self._one_line(self.width()))
            name_font = bold if row.ahead or row.won else scaled_font(self, LETTERS)
            metrics = QFontMetricsF(name_font)
            mark = self._mark
            marked = QFontMetricsF(small).horizontalAdvance(mark) + GAP if mark else 0.0
            room = max(0.0, right - left - marked)
            named = metrics.horizontalAdvance(row.name)
            least = named if named <= right - left else scale_pixels(self, NAME)
            if mark and room < min(named, least):
                mark, room = "", max(0.0, right - left)  # the name is bold
            name = metrics.elidedText(row.name, ELIDED, room)
            base = (line + metrics.capHeight()) / 2
            ink = theme.ink_soft if row.out else theme.ink
            _write(painter, QPointF(left, base), name, name_font, ink)
            if mark:
                x = left + metrics.horizontalAdvance(name) + GAP
                _write(painter, QPointF(x, base), mark, small, theme.accent)
            if self._large_lead is not None:
                place = QRectF(left, y - 3, self.width() - left, scale_pixels(self, LARGE_LINE))
                large = scaled_font(self, LARGE, bold=True)
                _write(painter, place, self._large_lead.text, large, theme.ink)
                y += place.height()
            for text in self._lines_below(self.width()):
                place = QRectF(left, y - 3, self.width() - left, small_line)
                _write(painter, place, text, small, theme.ink_soft)
                y += small_line
            lead = row.lead
            if lead is not None and lead.share is not None:
                bar = QRectF(left, y - 2, self.width() - left, scale_pixels(self, BAR))
                self._draw_bar(painter, bar, lead.share)
                y += scale_pixels(self, BAR)
            self._draw_cells(painter, y)

    def _draw_right(self, painter: QPainter, right: float, together: bool) -> float:
        """Draw the figures at the right of the name; return their left edge."""
        theme, line = self._context.theme, scale_pixels(self, LINE)
        parts, lead = [], self._row.lead
        if lead is not None:
            parts.append((lead.text, scaled_font(self, LETTERS, bold=True), theme.ink))
        if self._beside and together:
            parts.append((self._beside, scaled_font(self, SMALL), theme.ink_soft))
        for text, font, colour in parts:
            metrics = QFontMetricsF(font)
            right -= metrics.horizontalAdvance(text)
            base = (line + metrics.capHeight()) / 2
            _write(painter, QPointF(right, base), text, font, colour)
            right -= GAP
        return right

    def _cell_font(self, room: float) -> tuple[QFont, bool]:
        """The letters of the figures side by side, squeezed as far as can be read; and whether
        their words have room so."""
        font = scaled_font(self, SMALL)
        metrics = QFontMetricsF(font)
        widest = max(metrics.horizontalAdvance(cell.text) for cell in self._cells)
        if widest > room:
            font.setStretch(max(LEAST_STRETCH, int(100 * room / widest) - 2))
        metrics = QFontMetricsF(font)
        fits = all(metrics.horizontalAdvance(cell.text) <= room for cell in self._cells)
        return (font, True) if fits else (scaled_font(self, SMALL), False)

    def _draw_cells(self, painter: QPainter, y: float) -> None:
        """Draw the figures with bars of their own, side by side."""
        cells = self._cells
        if not cells:
            return
        theme, left = self._context.theme, self._left_of_name()
        wide = (self.width() - left + CELLS_APART) / len(cells)
        font, fits = self._cell_font(wide - CELLS_APART)
        for number, cell in enumerate(cells):
            room = wide - CELLS_APART
            place = QRectF(left + number * wide, y, room, scale_pixels(self, SMALL_LINE))
            _write(painter, place, cell.text if fits else cell.n, font, theme.ink_soft)
            bar = QRectF(place.left(), place.bottom(), place.width(), scale_pixels(self, BAR))
            self._draw_bar(painter, bar, cell.share or 0.0)

    def _draw_bar(self, painter: QPainter, place: QRectF, share: float) -> None:
        theme = self._context.theme
        colour = self._context.seat_line(self._symbols[0]) if self._symbols else theme.ink
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
    """Print a line from a point of its base line, or in the middle of a rectangle's height."""
    painter.setFont(font)
    painter.setPen(QColor(colour))
    if isinstance(at, QRectF):
        painter.drawText(at, int(Qt.AlignmentFlag.AlignVCenter), text)
    else:
        painter.drawText(at, text)
