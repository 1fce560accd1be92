"""A line of large text with the badges of players, for the public table."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from tabletop.match.match import Player
from ui.shell.app_context import AppContext, name_widget
from ui.table.items.lettering import table_font

FONT_SHARE = 0.52
"""The bold text's font size, as a share of the line's height."""
SECONDARY_FONT_SHARE = 0.86
"""The secondary text's font size, as a share of the bold text's."""
MIN_TEXT_SCALE = 0.62
"""The least factor by which long texts are scaled down. Below it, they are elided."""
MAX_BADGES = 4


class LargeLine(QWidget):
    """A line of text on the public table: players' badges, a bold text and a secondary text."""

    def __init__(self, context: AppContext, share: float) -> None:
        """`share`: the line's height, as a share of the window's height."""
        super().__init__()
        self._context = context
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

    def fit_window(self, height: int) -> None:
        """Set the line's height for a window `height` pixels high."""
        self.setFixedHeight(round(height * self._share))

    def sizeHint(self) -> QSize:
        return QSize(400, 60)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, height = self._context.theme, self.height()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), QColor(theme.paper))
            x = height * 0.3
            if len(self._players) == 1:
                colour = self._context.seat_line_colour(self._players[0].symbol)
                painter.fillRect(QRectF(0, 0, height * 0.14, height), QColor(colour))
            x = self._draw_badges(painter, x)
            self._draw_texts(painter, x)

    def _draw_badges(self, painter: QPainter, x: float) -> float:
        height = self.height()
        side = round(height * 0.72)
        for player in self._players[:MAX_BADGES]:
            if player.symbol:
                colour = self._context.seat_colour(player.symbol)
                badge = self._context.art.seat_badge(
                    player.symbol, colour, side, self.devicePixelRatioF()
                )
                painter.drawPixmap(round(x), round((height - side) / 2), badge)
                x += side + height * 0.12
        return x + height * 0.12

    def _draw_texts(self, painter: QPainter, x: float) -> None:
        theme, height = self._context.theme, self.height()
        room = self.width() - x - height * 0.3
        bold, soft = self._fonts(room)
        text_width = QFontMetricsF(bold).horizontalAdvance(self._bold)
        parts = [(bold, theme.ink, self._bold, x), (soft, theme.ink, self._soft, x)]
        if self._bold:
            parts[1] = (soft, theme.ink_soft, self._soft, x + text_width + height * 0.3)
        for font, colour, text, left in parts:
            painter.setFont(font)
            painter.setPen(QColor(colour))
            rest = self.width() - left - height * 0.3
            cut = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, rest)
            side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            painter.drawText(QRectF(left, 0, rest, height), side, cut)

    def _fonts(self, room: float) -> tuple[QFont, QFont]:
        """Return the fonts of the bold and the secondary text, as large as fits into `room` pixels.

        The size isn't reduced below MIN_TEXT_SCALE.
        """
        size = self.height() * FONT_SHARE
        min_size = size * MIN_TEXT_SCALE
        while True:
            bold = table_font(size, bold=True)
            soft = table_font(size * SECONDARY_FONT_SHARE if self._bold else size)
            text_width = QFontMetricsF(bold).horizontalAdvance(self._bold)
            text_width += QFontMetricsF(soft).horizontalAdvance(self._soft) + self.height() * 0.3
            if text_width <= room or size <= min_size:
                return bold, soft
            size -= 1
