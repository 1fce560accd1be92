"""Draws a finished match as a picture to share, with final table, winner, points and date."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPainterPath, QPen

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import AUDIENCE, Result, State
from tabletop.language.table_text import winner_text
from tabletop.language.words import Words
from tabletop.match.match import Player, Reset
from tabletop.match.seat import Seat
from tabletop.review import close_call
from tabletop.text.typography import with_minus_sign
from ui.match.result.score_grid import rank_seats
from ui.shelf.table_picture import render_used_part
from ui.shell.app_context import AppContext
from ui.shell.language import game_title, local_time, other_language_title
from ui.shell.regional_format import long_date_text
from ui.style.fonts import make_font
from ui.style.table_look import table_pixmap
from ui.style.theme import SMOOTH_HINTS, seat_background
from ui.widgets.box_sides import FRONT, natural_size, side_picture

WIDTH_PX = 1600
"""The width of the picture."""
MARGIN_PX = 48
"""The margin around the picture's content."""
LAYOUT_SIZE_PX = QSize(1180, 700)
"""The viewport size for which the table is laid out. It determines the table's proportions."""
HEADER_HEIGHT_PX = 128
TABLE_GAP_PX = 24
BOX_HEIGHT_PX = 136
"""The height of the game's box in the header."""
MAX_TABLE_HEIGHT_PX = 960
"""The greatest height of the table in the picture."""
PLAYER_HEIGHT_PX = 76
MAX_PLAYERS_ACROSS = 4
"""The greatest number of players in a row below the table."""
MIN_BAND_HEIGHT_PX = 76
LINE_HEIGHT_PX = 34
FOOTER_HEIGHT_PX = 60
INSET_PX = 18
RIM_PX = 3
"""The width of the rim around a badge."""


class SharePicture:
    """A drawing of one finished match. All sizes are in pixels."""

    def __init__(
        self, context: AppContext, kit: GameKit, view: State, players: Sequence[Player]
    ) -> None:
        """`view`: the final table as seen by the audience."""
        assert view.result is not None
        self._context = context
        self._kit = kit
        self._view = view
        self._players = tuple(players)
        self._result: Result = view.result
        self._words: Words = context.game_words(kit, players)

    def draw(self, day: datetime) -> QImage:
        """Return the picture. `day` is when the match was played."""
        max_table_size = QSize(WIDTH_PX - 2 * MARGIN_PX, MAX_TABLE_HEIGHT_PX)
        seat = Seat(AUDIENCE, self._players, Reset(self._view, ()))
        table = render_used_part(self._context, self._kit, seat, max_table_size, LAYOUT_SIZE_PX)
        table_size = table.size()
        told = self._details()
        across = min(MAX_PLAYERS_ACROSS, len(self._players))
        rows = -(-len(self._players) // across)
        band = MIN_BAND_HEIGHT_PX + (LINE_HEIGHT_PX if told else 0)
        height = (
            MARGIN_PX
            + HEADER_HEIGHT_PX
            + table_size.height()
            + TABLE_GAP_PX
            + band
            + rows * PLAYER_HEIGHT_PX
            + FOOTER_HEIGHT_PX
            + MARGIN_PX // 2
        )
        picture = QImage(WIDTH_PX, height, QImage.Format.Format_RGB32)
        with QPainter(picture) as painter:
            painter.setRenderHints(SMOOTH_HINTS | QPainter.RenderHint.TextAntialiasing)
            self._draw_ground(painter, QRectF(picture.rect()))
            self._draw_head(painter, day)
            left = (WIDTH_PX - table_size.width()) / 2
            place = QRectF(
                left, MARGIN_PX + HEADER_HEIGHT_PX, table_size.width(), table_size.height()
            )
            self._draw_table(painter, table, place)
            top, width = place.bottom() + TABLE_GAP_PX, max_table_size.width()
            self._draw_verdict(painter, QRectF(MARGIN_PX, top, width, band), told)
            self._draw_players(painter, QRectF(MARGIN_PX, top + band, width, 0), across)
            self._draw_foot(painter, height)
        return picture

    def _details(self) -> str:
        """Return sentences on the tie-breaker and how close the match was, or an empty string."""
        words, result = self._words, self._result
        return words.sentences(
            (words.tie_breaker(result), *close_call.margin_sentences(result, words))
        )

    def _draw_ground(self, painter: QPainter, place: QRectF) -> None:
        art, look = self._context.art, self._context.table_theme(self._kit)
        painter.drawPixmap(
            QPointF(0, 0), table_pixmap(art, look, self._kit.id, place.size().toSize(), 1.0)
        )

    def _draw_head(self, painter: QPainter, day: datetime) -> None:
        words, theme = self._words, self._context.table_theme(self._kit)
        box = self._draw_box(painter)
        left = box.right() + INSET_PX + 6
        line = QRectF(left, MARGIN_PX + 14, WIDTH_PX - MARGIN_PX - left, 60)
        self._draw_text(
            painter, line, game_title(self._kit, words.language), 44, theme.table_ink, bold=True
        )
        below = QRectF(left, line.bottom() + 2, line.width(), 34)
        self._draw_text(
            painter, below, other_language_title(self._kit, words.language), 20, theme.table_soft
        )
        date = long_date_text(local_time(day).date(), words.language)
        self._draw_text(painter, line, date, 22, theme.table_soft, right=True)
        self._draw_text(painter, below, words.heading(self._view), 20, theme.table_soft, right=True)

    def _draw_box(self, painter: QPainter) -> QRectF:
        """Draw the front of the game's box at the top left, and return its rectangle."""
        natural = natural_size(self._context, self._kit, FRONT)
        width = BOX_HEIGHT_PX * natural.width() / natural.height()
        place = QRectF(MARGIN_PX, MARGIN_PX // 2, width, BOX_HEIGHT_PX)
        front = side_picture(self._context, self._kit, FRONT, width, BOX_HEIGHT_PX, 1.0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(0, 0, 0, 40))
        painter.drawRoundedRect(place.translated(3, 4), 4, 4)
        painter.drawPixmap(place.topLeft(), front)
        return place

    def _draw_table(self, painter: QPainter, table: QImage, place: QRectF) -> None:
        shape = QPainterPath()
        shape.addRoundedRect(place, 18, 18)
        painter.save()
        painter.setClipPath(shape)
        painter.drawImage(place, table)
        painter.restore()
        painter.setPen(QPen(QColor(self._context.table_theme(self._kit).line), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(shape)

    def _draw_verdict(self, painter: QPainter, place: QRectF, told: str) -> None:
        theme = self._context.table_theme(self._kit)
        line = QRectF(place.x(), place.y(), place.width(), 56)
        left = line.x()
        for seat in self._result.winners[:MAX_PLAYERS_ACROSS]:
            place_of_badge = QRectF(left, line.y() + 4, 48, 48)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._context.theme.stock))  # readable on a table of any colour
            painter.drawEllipse(place_of_badge.adjusted(-RIM_PX, -RIM_PX, RIM_PX, RIM_PX))
            self._draw_badge(painter, seat, place_of_badge)
            left += 48 + 12
        sentence = winner_text(self._result, len(self._players), self._words)
        right = line.adjusted(left - line.x(), 0, 0, 0)
        self._draw_text(painter, right, sentence, 36, theme.table_ink, bold=True)
        if told:
            below = QRectF(place.x(), line.bottom() + 6, place.width(), LINE_HEIGHT_PX)
            self._draw_text(painter, below, told, 22, theme.table_soft)

    def _draw_players(self, painter: QPainter, place: QRectF, across: int) -> None:
        theme, result = self._context.theme, self._result
        width = (place.width() - (across - 1) * INSET_PX) / across
        order = rank_seats(result) if result.scores else range(len(self._players))
        for number, seat in enumerate(order):
            x = place.x() + (number % across) * (width + INSET_PX)
            y = place.y() + (number // across) * PLAYER_HEIGHT_PX
            line = QRectF(x, y, width, PLAYER_HEIGHT_PX - 12)
            won = seat in result.winners
            colour = self._context.seat_colour(self._players[seat].symbol)
            painter.setBrush(seat_background(theme, colour) if won else QColor(theme.paper))
            painter.setPen(QPen(QColor(colour if won else theme.line), 3 if won else 1.5))
            painter.drawRoundedRect(line, 14, 14)
            self._draw_badge(painter, seat, QRectF(x + INSET_PX, line.center().y() - 20, 40, 40))
            points = with_minus_sign(result.scores[seat]) if result.scores else ""
            inside = line.adjusted(INSET_PX + 52, 0, -INSET_PX, 0)
            taken = self._draw_text(painter, inside, points, 30, theme.ink, right=True, bold=True)
            beside = inside.adjusted(0, 0, -taken - 12, 0)
            self._draw_text(painter, beside, self._words.seat(seat), 24, theme.ink, bold=won)

    def _draw_foot(self, painter: QPainter, height: int) -> None:
        theme = self._context.table_theme(self._kit)
        line = QRectF(
            MARGIN_PX,
            height - FOOTER_HEIGHT_PX,
            WIDTH_PX - 2 * MARGIN_PX,
            FOOTER_HEIGHT_PX - MARGIN_PX // 3,
        )
        credit = self._words(self._kit.box.credit)
        self._draw_text(painter, line, credit, 18, theme.table_soft)
        ours = self._context.words("Played with Tabletop 卓")
        self._draw_text(painter, line, ours, 18, theme.table_soft, right=True)

    def _draw_badge(self, painter: QPainter, seat: int, place: QRectF) -> None:
        symbol = self._players[seat].symbol
        colour = self._context.seat_colour(symbol)
        badge = self._context.art.seat_badge(symbol, colour, place.width(), 2.0)
        painter.drawPixmap(place, badge, QRectF(badge.rect()))

    def _draw_text(
        self,
        painter: QPainter,
        place: QRectF,
        text: str,
        size: int,
        colour: str,
        right: bool = False,
        bold: bool = False,
    ) -> float:
        """Draw a line of text, elided if it is too long, and return the width of what was drawn."""
        letters = make_font(size, bold)
        metrics = QFontMetricsF(letters)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        painter.setFont(letters)
        painter.setPen(QColor(colour))
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        painter.drawText(place, side | Qt.AlignmentFlag.AlignVCenter, shown)
        return metrics.horizontalAdvance(shown)
