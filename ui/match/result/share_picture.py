"""A match that is over as a picture to be shown to others: the final table, who won, the points,
the day, and whose game it is."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QLocale, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPainterPath, QPen

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import AUDIENCE, Result, State
from tabletop.language.table_text import verdict
from tabletop.language.words import Words
from tabletop.match.match import Player, Reset
from tabletop.match.seat import Seat
from tabletop.review import close_call
from tabletop.text.typography import with_minus_sign
from ui.match.result.score_grid import rank_seats
from ui.shelf.table_picture import render_used_part
from ui.shell.app_context import AppContext
from ui.shell.language import game_title, local_time, other_language_title
from ui.style.fonts import make_font
from ui.style.table_look import table_pixmap
from ui.style.theme import SMOOTH_HINTS, seat_background
from ui.widgets.box_sides import FRONT, natural_size, side_picture

WIDE, EDGE = 1600, 48
"""Width of the picture, and what is free round what it shows, in pixels."""
LAID = QSize(1180, 700)
"""The size at which the table is laid out: of the shape in which it is shown."""
HEAD, GAP, BOX_HIGH = 128, 24, 136
"""Height of the head, the gap below the table, and the height of the box in the head, in pixels."""
TABLE_HIGH = 960
"""Height of the table at most, in pixels."""
PLAYER_HIGH, ACROSS = 76, 4
"""The height of a player's line in pixels, and how many are side by side at most."""
BAND_LEAST, LINE_HIGH, FOOT = 76, 34, 60
INSET = 18
RIM = 3
"""Width of the rim of a badge that lies on the table, in pixels."""


class SharePicture:
    """Draws one finished match; everything in pixels."""

    def __init__(
        self, context: AppContext, kit: GameKit, view: State, players: Sequence[Player]
    ) -> None:
        """`view` is the last table as the audience sees it."""
        assert view.result is not None
        self._context = context
        self._kit = kit
        self._view = view
        self._players = tuple(players)
        self._result: Result = view.result
        self._words: Words = context.game_words(kit, players)

    def draw(self, day: datetime) -> QImage:
        """The picture; `day` is when the match was played."""
        most = QSize(WIDE - 2 * EDGE, TABLE_HIGH)
        seat = Seat(AUDIENCE, self._players, Reset(self._view, ()))
        table = render_used_part(self._context, self._kit, seat, most, LAID)
        table_size = table.size()
        told = self._told()
        across = min(ACROSS, len(self._players))
        rows = -(-len(self._players) // across)
        band = BAND_LEAST + (LINE_HIGH if told else 0)
        high = (
            EDGE + HEAD + table_size.height() + GAP + band + rows * PLAYER_HIGH + FOOT + EDGE // 2
        )
        picture = QImage(WIDE, high, QImage.Format.Format_RGB32)
        with QPainter(picture) as painter:
            painter.setRenderHints(SMOOTH_HINTS | QPainter.RenderHint.TextAntialiasing)
            self._draw_ground(painter, QRectF(picture.rect()))
            self._draw_head(painter, day)
            left = (WIDE - table_size.width()) / 2
            place = QRectF(left, EDGE + HEAD, table_size.width(), table_size.height())
            self._draw_table(painter, table, place)
            top, wide = place.bottom() + GAP, most.width()
            self._draw_verdict(painter, QRectF(EDGE, top, wide, band), told)
            self._draw_players(painter, QRectF(EDGE, top + band, wide, 0), across)
            self._draw_foot(painter, high)
        return picture

    def _told(self) -> str:
        """What decided a tie, and how close it was; empty where neither is to be told."""
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
        left = box.right() + INSET + 6
        line = QRectF(left, EDGE + 14, WIDE - EDGE - left, 60)
        self._text(
            painter, line, game_title(self._kit, words.language), 44, theme.table_ink, bold=True
        )
        below = QRectF(left, line.bottom() + 2, line.width(), 34)
        self._text(
            painter, below, other_language_title(self._kit, words.language), 20, theme.table_soft
        )
        locale, long = QLocale(words.language), QLocale.FormatType.LongFormat
        date = locale.toString(local_time(day).date(), long)
        self._text(painter, line, date, 22, theme.table_soft, right=True)
        self._text(painter, below, words.heading(self._view), 20, theme.table_soft, right=True)

    def _draw_box(self, painter: QPainter) -> QRectF:
        """The front of the game's box at the top left."""
        natural = natural_size(self._context, self._kit, FRONT)
        wide = BOX_HIGH * natural.width() / natural.height()
        place = QRectF(EDGE, EDGE // 2, wide, BOX_HIGH)
        front = side_picture(self._context, self._kit, FRONT, wide, BOX_HIGH, 1.0)
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
        for seat in self._result.winners[:ACROSS]:
            place_of_badge = QRectF(left, line.y() + 4, 48, 48)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._context.theme.stock))  # on a table of any colour
            painter.drawEllipse(place_of_badge.adjusted(-RIM, -RIM, RIM, RIM))
            self._badge(painter, seat, place_of_badge)
            left += 48 + 12
        sentence = verdict(self._result, len(self._players), self._words)
        right = line.adjusted(left - line.x(), 0, 0, 0)
        self._text(painter, right, sentence, 36, theme.table_ink, bold=True)
        if told:
            below = QRectF(place.x(), line.bottom() + 6, place.width(), LINE_HIGH)
            self._text(painter, below, told, 22, theme.table_soft)

    def _draw_players(self, painter: QPainter, place: QRectF, across: int) -> None:
        theme, result = self._context.theme, self._result
        wide = (place.width() - (across - 1) * INSET) / across
        order = rank_seats(result) if result.scores else range(len(self._players))
        for number, seat in enumerate(order):
            x = place.x() + (number % across) * (wide + INSET)
            y = place.y() + (number // across) * PLAYER_HIGH
            line = QRectF(x, y, wide, PLAYER_HIGH - 12)
            won = seat in result.winners
            colour = self._context.seat_colour(self._players[seat].symbol)
            painter.setBrush(seat_background(theme, colour) if won else QColor(theme.paper))
            painter.setPen(QPen(QColor(colour if won else theme.line), 3 if won else 1.5))
            painter.drawRoundedRect(line, 14, 14)
            self._badge(painter, seat, QRectF(x + INSET, line.center().y() - 20, 40, 40))
            points = with_minus_sign(result.scores[seat]) if result.scores else ""
            inside = line.adjusted(INSET + 52, 0, -INSET, 0)
            taken = self._text(painter, inside, points, 30, theme.ink, right=True, bold=True)
            beside = inside.adjusted(0, 0, -taken - 12, 0)
            self._text(painter, beside, self._words.seat(seat), 24, theme.ink, bold=won)

    def _draw_foot(self, painter: QPainter, high: int) -> None:
        theme = self._context.table_theme(self._kit)
        line = QRectF(EDGE, high - FOOT, WIDE - 2 * EDGE, FOOT - EDGE // 3)
        credit = self._words(self._kit.box.credit)
        self._text(painter, line, credit, 18, theme.table_soft)
        ours = self._context.words("Played with Tabletop 卓")
        self._text(painter, line, ours, 18, theme.table_soft, right=True)

    def _badge(self, painter: QPainter, seat: int, place: QRectF) -> None:
        symbol = self._players[seat].symbol
        colour = self._context.seat_colour(symbol)
        badge = self._context.art.seat_badge(symbol, colour, place.width(), 2.0)
        painter.drawPixmap(place, badge, QRectF(badge.rect()))

    def _text(
        self,
        painter: QPainter,
        place: QRectF,
        text: str,
        size: int,
        colour: str,
        right: bool = False,
        bold: bool = False,
    ) -> float:
        """Print a line, shortened where it finds no room; gives its width."""
        letters = make_font(size, bold)
        metrics = QFontMetricsF(letters)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        painter.setFont(letters)
        painter.setPen(QColor(colour))
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        painter.drawText(place, side | Qt.AlignmentFlag.AlignVCenter, shown)
        return metrics.horizontalAdvance(shown)
