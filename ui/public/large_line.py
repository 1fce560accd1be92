"""A line of the public table: a player, in the seat's colour, and a text, in large letters."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from tabletop.match.match import Player
from ui.shell.app_context import AppContext, name_widget
from ui.table.items.lettering import table_font

LETTERS = 0.52
"""Size of the letters, as a share of the line's height."""
SOFT = 0.86
"""Size of the softer letters beside bold ones, as a share of theirs."""
LEAST = 0.62
"""A long text is set smaller, down to this share, before it is cut."""
MOST_BADGES = 4


class LargeLine(QWidget):
    """Badges of players, a bold text and a softer one, at the requested height."""

    def __init__(self, context: AppContext, share: float) -> None:
        """`share` of the window's height is its own height."""
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
        """All that it says."""
        return "  ".join(filter(None, (self._bold, self._soft)))

    def tell(self, players: tuple[Player, ...], bold: str, soft: str = "") -> None:
        """Show these badges and texts."""
        if (players, bold, soft) != (self._players, self._bold, self._soft):
            self._players, self._bold, self._soft = players, bold, soft
            name_widget(self, self.text)
            self.update()

    def fit(self, height: int) -> None:
        """The window is so high, in pixels."""
        self.setFixedHeight(round(height * self._share))

    def sizeHint(self) -> QSize:
        return QSize(400, 60)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, high = self._context.theme, self.height()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), QColor(theme.paper))
            x = high * 0.3
            if len(self._players) == 1:
                colour = self._context.seat_line_colour(self._players[0].symbol)
                painter.fillRect(QRectF(0, 0, high * 0.14, high), QColor(colour))
            x = self._draw_badges(painter, x)
            self._draw_texts(painter, x)

    def _draw_badges(self, painter: QPainter, x: float) -> float:
        high = self.height()
        side = round(high * 0.72)
        for player in self._players[:MOST_BADGES]:
            if player.symbol:
                colour = self._context.seat_colour(player.symbol)
                badge = self._context.art.seat_badge(
                    player.symbol, colour, side, self.devicePixelRatioF()
                )
                painter.drawPixmap(round(x), round((high - side) / 2), badge)
                x += side + high * 0.12
        return x + high * 0.12

    def _draw_texts(self, painter: QPainter, x: float) -> None:
        theme, high = self._context.theme, self.height()
        room = self.width() - x - high * 0.3
        bold, soft = self._fonts(room)
        wide = QFontMetricsF(bold).horizontalAdvance(self._bold)
        parts = [(bold, theme.ink, self._bold, x), (soft, theme.ink, self._soft, x)]
        if self._bold:
            parts[1] = (soft, theme.ink_soft, self._soft, x + wide + high * 0.3)
        for font, colour, text, left in parts:
            painter.setFont(font)
            painter.setPen(QColor(colour))
            rest = self.width() - left - high * 0.3
            cut = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, rest)
            side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            painter.drawText(QRectF(left, 0, rest, high), side, cut)

    def _fonts(self, room: float) -> tuple[QFont, QFont]:
        """As large as both texts have room, no smaller than they may be."""
        size = self.height() * LETTERS
        least = size * LEAST
        while True:
            bold, soft = (
                table_font(size, bold=True),
                table_font(size * SOFT if self._bold else size),
            )
            wide = QFontMetricsF(bold).horizontalAdvance(self._bold)
            wide += QFontMetricsF(soft).horizontalAdvance(self._soft) + self.height() * 0.3
            if wide <= room or size <= least:
                return bold, soft
            size -= 1
