"""A victory: the table dims, and the winner is shown over it with the game's own ornament, before
the score sheet comes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
)
from PySide6.QtWidgets import QWidget

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Result
from tabletop.language.table_text import verdict
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.review.close_call import shortfall_text
from ui.shell.app_context import AppContext, name_widget
from ui.style.fonts import font_of_size
from ui.style.theme import SMOOTH, make_sheer
from ui.table.animation.animator import FACTORS
from ui.table.animation.film import ease_in_out_cubic, ease_out_cubic
from ui.table.items.card_pixmaps import CardPixmaps
from ui.widgets.styled_widgets import scale_factor_in

LENGTH, FADES = 1800, 260
"""Milliseconds until it is over, and those in which it then goes."""
DIM = 0.45
"""The light that is left of everything else."""
BADGE, TOGETHER, MOST_BADGES = 160.0, 112.0, 6
"""Side of the badge of one winner, and of several; and how many are shown at most."""
NAME, POINTS, LINE = 44, 26, 20
"""Sizes of letters, in pixels."""
SHADE = 0.4
"""Opacity of what is behind the words, over what is dim already."""
HIGH = 700
"""Height of the window, in pixels, below which everything is smaller; in large ones it grows."""
FRAMES = 24
"""The number of pictures that are drawn of the ornament."""
TAKES, APART = 3.0, 0.86
"""Side of an ornament, in badges; and the way from one to the next, in ornaments."""


class ResultLines(NamedTuple):
    """What is told of a result: the winner, the score, and the line about the others."""

    verdict: str
    points: str
    line: str


def result_lines(result: Result, seats: int, words: Words) -> ResultLines:
    """Return what is told of a result."""
    scores = {result.scores[seat] for seat in result.winners} if result.scores else set()
    points = ""
    if len(scores) == 1 and not words.scores_are_ranks:
        (score,) = scores
        points = words("1 point") if score == 1 else words("{n} points", n=score)
    return ResultLines(verdict(result, seats, words), points, shortfall_text(result, words))


class Victory(QWidget):
    """Covers its parent for a while; a press or a key is done with it. `over` comes once."""

    over = Signal()

    def __init__(self, context: AppContext, kit: GameKit, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._kit = kit
        self._over = parent
        self._winners: tuple[Player, ...] = ()
        self._told = ResultLines("", "", "")
        self._clock = QVariantAnimation(self, startValue=0.0, endValue=1.0)
        self._clock.valueChanged.connect(lambda _: self.update())
        self._clock.finished.connect(self._end)
        self._going = QVariantAnimation(self, startValue=1.0, endValue=0.0)
        self._going.valueChanged.connect(lambda _: self.update())
        self._going.finished.connect(self.stop)
        self._last = QPixmap()
        """Its last picture, which goes out; empty before."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.hide()

    @property
    def running(self) -> bool:
        """Whether it is shown now, and is not only going out."""
        return not self.isHidden() and self._last.isNull()

    def begin(self, result: Result, players: Sequence[Player], words: Words) -> None:
        """Show who has won."""
        self.stop()
        self._winners = tuple(players[seat] for seat in result.winners)
        self.tell(result, len(players), words)
        self.fit()
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._clock.setDuration(round(LENGTH * FACTORS[self._context.speed]))
        self._clock.start()

    def tell(self, result: Result, seats: int, words: Words) -> None:
        """Tell it in these words."""
        self._told = result_lines(result, seats, words)
        name_widget(self, self._told.verdict, words.sentences(self._told[1:]), words)
        self.update()

    def fit(self) -> None:
        """Cover the parent in the size it has now."""
        self.setGeometry(self._over.rect())

    def stop(self) -> None:
        """Be gone without a word: what it tells is not true any more, or its table is left."""
        self._clock.stop()
        self._going.stop()
        self._last = QPixmap()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, on=False)
        self.hide()

    def skip(self) -> None:
        """Be done with it at once."""
        if self.running:
            self.stop()
            self.over.emit()

    def _end(self) -> None:
        """All has been told: go out softly, over what comes now."""
        if not self.running:
            return
        ratio = self.devicePixelRatioF()
        self._last = QPixmap((self.size().toSizeF() * ratio).toSize())
        self._last.setDevicePixelRatio(ratio)
        self._last.fill(Qt.GlobalColor.transparent)
        with QPainter(self._last) as painter:
            self._draw(painter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.over.emit()
        self.raise_()
        self._going.setDuration(round(FADES * FACTORS[self._context.speed]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.accept()
        if not event.isAutoRepeat():
            self.skip()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.skip()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if self._last.isNull():
                self._draw(painter)
            else:
                if self._going.state() is not QVariantAnimation.State.Running:
                    self._going.start()  # what is below has been drawn as it is now
                painter.setOpacity(float(self._going.currentValue()))
                painter.drawPixmap(0, 0, self._last)

    def _draw(self, painter: QPainter) -> None:
        """Draw all of it as it is now."""
        now = LENGTH * float(self._clock.currentValue() or 0.0)
        scale = min(scale_factor_in(self.size()), self.height() / HIGH)
        middle = QPointF(self.width() / 2, self.height() * 0.4)
        painter.setRenderHints(SMOOTH | QPainter.RenderHint.TextAntialiasing)
        veil = QColor(0, 0, 0)
        painter.fillRect(self.rect(), make_sheer(veil, (1.0 - DIM) * _eased_progress(now, 0, 260)))
        side = self._badge_side(scale)
        if self._winners:
            self._draw_winners(painter, middle, side, now)
        top = middle.y() + (TAKES * side / 2 if self._winners else 0.0)
        lines = (
            (self._told.verdict, NAME, True, 340),
            (self._told.points, POINTS, True, 460),
            (self._told.line, LINE, False, 640),
        )
        self._draw_shade(painter, top, 170 * scale, _eased_progress(now, 200, 460))
        for text, size, bold, since in lines:
            if text:
                shown = _eased_progress(now, since, since + 220)
                top += self._draw_line(painter, top, text, size * scale, bold, shown)

    def _draw_shade(self, painter: QPainter, top: float, high: float, share: float) -> None:
        """Darken what is behind the words a little more, softly at its edges."""
        place = QRectF(0, top - high * 0.3, self.width(), high * 1.6)
        band = QLinearGradient(place.topLeft(), place.bottomLeft())
        for at, strength in ((0.0, 0.0), (0.25, SHADE), (0.75, SHADE), (1.0, 0.0)):
            band.setColorAt(at, make_sheer(QColor(0, 0, 0), strength * share))
        painter.fillRect(place, band)

    def _badge_side(self, scale: float) -> float:
        """The side of each badge, in pixels: so that all find room beside each other."""
        count = max(1, len(self._winners[:MOST_BADGES]))
        room = 0.94 * self.width() / (TAKES * APART * count)
        return min(scale * (BADGE if count == 1 else TOGETHER), room)

    def _draw_winners(self, painter: QPainter, middle: QPointF, side: float, now: float) -> None:
        """Draw the badges of who has won, each in an ornament."""
        winners = self._winners[:MOST_BADGES]
        apart = TAKES * APART * side
        for number, player in enumerate(winners):
            centre = middle + QPointF((number - (len(winners) - 1) / 2) * apart, 0)
            colour = self._context.seat_colour(player.symbol)
            self._draw_ornament(
                painter, centre, TAKES * side, colour, _eased_progress(now, 260, 1060)
            )
            self._draw_badge(painter, centre, side, player, _eased_progress(now, 120, 420))

    def _draw_ornament(
        self, painter: QPainter, centre: QPointF, side: float, colour: str, share: float
    ) -> None:
        context = self._context
        prints = CardPixmaps(self._kit, context.art, context.words_of(self._kit), context.theme)
        prints.ratio = self.devicePixelRatioF()
        drawn = round(share * FRAMES) / FRAMES
        if drawn > 0:
            picture = prints.ornament(round(side), drawn, colour)
            painter.drawPixmap(centre - QPointF(side / 2, side / 2), picture)

    def _draw_badge(
        self, painter: QPainter, centre: QPointF, side: float, player: Player, share: float
    ) -> None:
        colour, ratio = self._context.seat_colour(player.symbol), self.devicePixelRatioF()
        badge = self._context.art.seat_badge(player.symbol, colour, side, ratio)
        shown = side * (0.6 + 0.4 * share)
        place = QRectF(0, 0, shown, shown)
        place.moveCenter(centre)
        painter.setOpacity(min(1.0, 2 * share))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._context.theme.stock))
        painter.drawEllipse(place.adjusted(-4, -4, 4, 4))
        painter.drawPixmap(place, badge, QRectF(badge.rect()))
        painter.setOpacity(1.0)

    def _draw_line(
        self, painter: QPainter, top: float, text: str, size: float, bold: bool, share: float
    ) -> float:
        """Print a line, smaller where it finds no room; gives its height."""
        room = self.width() * 0.9
        letters = font_of_size(max(11, round(size)), bold)
        while QFontMetricsF(letters).horizontalAdvance(text) > room and letters.pixelSize() > 14:
            letters.setPixelSize(letters.pixelSize() - 1)
        metrics = QFontMetricsF(letters)
        place = QRectF(0, top + 10 * (1.0 - share), self.width(), metrics.height() * 1.12)
        painter.setFont(letters)
        painter.setPen(make_sheer(QColor(self._context.theme.stock), share))
        flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, flags, text)
        return place.height()


def _eased_progress(now: float, first: float, last: float) -> float:
    share = min(1.0, max(0.0, (now - first) / (last - first)))
    return ease_in_out_cubic(share) if last - first > 400 else ease_out_cubic(share)
