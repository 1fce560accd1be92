"""A line of large text with the badges of players, for the public table."""

from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QTextLayout
from PySide6.QtWidgets import QSizePolicy, QWidget

from tabletop.match.match import Player
from ui.public.window_fit import WindowFit
from ui.shell.app_context import AppContext, name_widget
from ui.style.line_breaks import WORD_JOINER, bind_phrases
from ui.table.items.lettering import table_font

FONT_SHARE = 0.52
"""The bold text's font size, as a share of the height that the line has in a landscape window."""
SECONDARY_FONT_SHARE = 0.86
"""The secondary text's font size, as a share of the bold text's."""
MIN_TEXT_SCALE = 0.62
"""The least factor by which texts are scaled down. Longer ones are wrapped, then elided."""
UPRIGHT_HEIGHT_FACTOR = 1.3
"""The factor by which the line is higher in an upright window, where most texts need two lines."""
MAX_BADGES = 4


class LinePart(NamedTuple):
    """A text with its font and colour."""

    text: str
    font: QFont
    colour: str


class LargeLine(QWidget):
    """Players' badges, a bold and a secondary text on one or two lines of the public table."""

    def __init__(self, context: AppContext, share: float) -> None:
        """`share`: the line's height in a landscape window, as a share of the reading height."""
        super().__init__()
        self._context = context
        self._base_px = 60.0
        """The line's height in a landscape window, in pixels."""
        self._share = share
        self._players: tuple[Player, ...] = ()
        self._bold = ""
        self._soft = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    @property
    def text(self) -> str:
        """The bold and the secondary text, separated by spaces."""
        return "  ".join(filter(None, (self._bold, self._soft)))

    def show_texts(self, players: tuple[Player, ...], bold: str, soft: str = "") -> None:
        """Show the badges of `players`, the text `bold`, and `soft` as the secondary text."""
        if (players, bold, soft) != (self._players, self._bold, self._soft):
            self._players, self._bold, self._soft = players, bold, soft
            name_widget(self, self.text)
            self.update()

    def fit_window(self, width: int, height: int) -> None:
        """Set the line's height for a window of this size, in pixels."""
        window = WindowFit(width, height)
        self._base_px = window.reading_height * self._share
        factor = UPRIGHT_HEIGHT_FACTOR if window.is_upright else 1.0
        self.setFixedHeight(round(self._base_px * factor))

    def sizeHint(self) -> QSize:
        return QSize(400, 60)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, height = self._context.theme, self.height()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), QColor(theme.paper))
            x = self._base_px * 0.3
            if len(self._players) == 1:
                colour = self._context.seat_line_colour(self._players[0].symbol)
                painter.fillRect(QRectF(0, 0, self._base_px * 0.14, height), QColor(colour))
            x = self._draw_badges(painter, x)
            self._draw_texts(painter, x)

    def _draw_badges(self, painter: QPainter, x: float) -> float:
        height, side = self.height(), round(self._base_px * 0.72)
        for player in self._players[:MAX_BADGES]:
            if player.symbol:
                colour = self._context.seat_colour(player.symbol)
                badge = self._context.art.seat_badge(
                    player.symbol, colour, side, self.devicePixelRatioF()
                )
                painter.drawPixmap(round(x), round((height - side) / 2), badge)
                x += side + self._base_px * 0.12
        return x + self._base_px * 0.12

    def _draw_texts(self, painter: QPainter, left: float) -> None:
        """Draw the texts from `left` on, as large as possible on at most two lines."""
        gap = self._base_px * 0.3
        room = self.width() - left - gap
        lines = self.arrange_texts(room)
        top = (self.height() - sum(map(_height, lines))) / 2
        for line in lines:
            x, height = left, _height(line)
            for part in line:
                painter.setFont(part.font)
                painter.setPen(QColor(part.colour))
                metrics, rest = QFontMetricsF(part.font), left + room - x
                cut = metrics.elidedText(part.text, Qt.TextElideMode.ElideRight, rest)
                side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
                painter.drawText(QRectF(x, top, rest, height), side, cut)
                x += metrics.horizontalAdvance(part.text) + gap
            top += height

    def arrange_texts(self, room: float) -> list[list[LinePart]]:
        """Return the lines to draw in `room` pixels, at the largest font size at which they fit.

        The size isn't reduced below MIN_TEXT_SCALE.
        """
        size = self._base_px * FONT_SHARE
        min_size = size * MIN_TEXT_SCALE
        while True:
            parts = self._parts(size)
            width = sum(map(_width, parts)) + self._base_px * 0.3 * (len(parts) - 1)
            if width <= room:
                return [parts]
            lines = [[part] for part in (parts if len(parts) > 1 else _wrap(parts[0], room))]
            fits = all(_width(part) <= room for line in lines for part in line)
            if (fits and sum(map(_height, lines)) <= self.height()) or size <= min_size:
                return lines
            size -= 1

    def _parts(self, size: float) -> list[LinePart]:
        theme = self._context.theme
        bold = LinePart(self._bold, table_font(size, bold=True), theme.ink)
        if not self._bold:
            return [LinePart(self._soft, table_font(size), theme.ink)]
        soft = LinePart(self._soft, table_font(size * SECONDARY_FONT_SHARE), theme.ink_soft)
        return [bold, soft] if self._soft else [bold]


def _width(part: LinePart) -> float:
    return QFontMetricsF(part.font).horizontalAdvance(part.text)


def _height(line: list[LinePart]) -> float:
    return max(QFontMetricsF(part.font).height() for part in line)


def _wrap(part: LinePart, room: float) -> list[LinePart]:
    """Return `part` on two lines. The first fits into `room` pixels, the second has the rest."""
    bound = bind_phrases(part.text)
    layout = QTextLayout(bound, part.font)
    layout.beginLayout()
    first = layout.createLine()
    first.setLineWidth(room)
    end = first.textLength()
    layout.endLayout()
    texts = (each.replace(WORD_JOINER, "").strip() for each in (bound[:end], bound[end:]))
    return [part._replace(text=text) for text in texts if text]
