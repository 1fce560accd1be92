"""A line graph of a player's chances to win, move by move."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from tabletop.language.words import Words
from ui.shell.app_context import AppContext, name_widget
from ui.style.theme import with_opacity
from ui.widgets.styled_widgets import scale_factor_of, scale_pixels

GRAPH_HEIGHT_PX = 208
MARGIN_PX = 8.0
AXIS_WIDTH_PX = 34.0
"""Width in pixels of the labels on the vertical axis."""
DOT_RADIUS_PX = 4.5
"""Radius in pixels of the dot that marks a costly move."""


class ChanceGraph(QWidget):
    """A graph of the chances to win, from 0 to 1, with dots for costly moves.

    A click on the graph selects a move.
    """

    move_requested = Signal(int)
    """Request to show a move, by its index in the graph."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._worths: tuple[float, ...] = ()
        self._texts: tuple[str, ...] = ()
        self._costly: frozenset[int] = frozenset()
        self._marked = -1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setMouseTracking(True)
        self.hide()

    def show_chances(
        self, worths: Sequence[float], texts: Sequence[str], costly: Sequence[int], words: Words
    ) -> None:
        """Show the chances `worths`, or hide the graph if there are fewer than two.

        Args:
            worths: the chance to win for each move, from 0 to 1.
            texts: a description of each move, for tooltips and screen readers.
            costly: the indices of the moves that get a dot.
            words: the game's words, for screen readers.
        """
        self._worths, self._texts = tuple(worths), tuple(texts)
        self._costly, self._marked = frozenset(costly), -1
        name = self._context.words("Chances to win, move by move")
        name_widget(self, name, "\n".join(texts), words)
        self.setVisible(len(self._worths) > 1)
        self.update()

    def mark(self, place: int) -> None:
        """Mark the move at index `place` as the one shown on the table; -1 marks no move."""
        self._marked = place
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(0, scale_pixels(self, GRAPH_HEIGHT_PX))

    def point_of(self, place: int) -> QPointF:
        """Return the position in the widget of the move at index `place`, in pixels."""
        room, last = self._room(), max(1, len(self._worths) - 1)
        worth = max(0.0, min(1.0, self._worths[place]))
        return QPointF(
            room.left() + room.width() * place / last, room.bottom() - room.height() * worth
        )

    def _room(self) -> QRectF:
        left = round(AXIS_WIDTH_PX * scale_pixels(self, 100) / 100)
        return QRectF(self.rect()).adjusted(left, MARGIN_PX, -MARGIN_PX, -MARGIN_PX)

    def _place_at(self, x: float) -> int:
        room = self._room()
        share = (x - room.left()) / max(1.0, room.width())
        return round(max(0.0, min(1.0, share)) * (len(self._worths) - 1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self._worths:
            self.move_requested.emit(self._place_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._texts:
            text = self._texts[self._place_at(event.position().x())]
            QToolTip.showText(event.globalPosition().toPoint(), text, self)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, room = self._context.theme, self._room()
        faint = with_opacity(theme.ink_soft, 0.3)
        font = self.font()
        font.setPixelSize(scale_pixels(self, 12))
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(font)
            for share in (0.0, 0.5, 1.0):
                y = room.bottom() - room.height() * share
                painter.setPen(QPen(faint, 1.0))
                painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y))
                painter.setPen(QColor(theme.ink_soft))
                where = QRectF(0, y - MARGIN_PX, room.left() - 4, 2 * MARGIN_PX)
                side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                painter.drawText(where, side, self._context.words.percent(share))
            spots = [self.point_of(place) for place in range(len(self._worths))]
            growth = scale_factor_of(self)
            painter.setPen(QPen(QColor(theme.accent_2), 2.0 * growth))
            painter.drawPolyline(QPolygonF(spots))
            painter.setPen(QPen(QColor(theme.paper), 1.0))
            painter.setBrush(QColor(theme.accent))
            for place in self._costly:
                painter.drawEllipse(spots[place], DOT_RADIUS_PX * growth, DOT_RADIUS_PX * growth)
            if 0 <= self._marked < len(spots):
                painter.setPen(QPen(QColor(theme.ink), 1.5 * growth))
                x = spots[self._marked].x()
                painter.drawLine(QPointF(x, room.top()), QPointF(x, room.bottom()))
