"""Announces the winner over the darkened table, before the score sheet opens."""

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
from tabletop.language.table_text import winner_text
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.review.close_call import shortfall_text
from ui.shell.app_context import AppContext, name_widget
from ui.style.fonts import make_font
from ui.style.theme import SMOOTH_HINTS, with_opacity
from ui.table.animation.animator import SPEED_FACTORS
from ui.table.animation.track_player import ease_in_out_cubic, ease_out_cubic
from ui.table.items.card_pixmaps import CardPixmaps
from ui.widgets.styled_widgets import scale_factor_in

DURATION_MS = 1800
"""How long the announcement lasts before fading out."""
FADE_MS = 260
"""The duration of the fade-out."""
DIMMED_LIGHT = 0.45
"""The brightness of the darkened table, from 0 to 1."""
BADGE_PX = 160.0
"""The side of the winner's badge."""
SHARED_BADGE_PX = 112.0
"""The side of each winner's badge if there are several winners."""
MAX_BADGES = 6
"""The greatest number of badges."""
NAME_FONT_PX = 44
"""The font size of the verdict, the largest of the lines."""
POINTS_FONT_PX = 26
LINE_FONT_PX = 20
SHADE_OPACITY = 0.4
"""The opacity of the dark band behind the text."""
FULL_SIZE_HEIGHT_PX = 700
"""Everything is drawn smaller if the window is lower than this."""
ORNAMENT_FRAMES = 24
"""The number of frames in the ornament's animation."""
ORNAMENT_BADGES = 3.0
"""The side of an ornament as a multiple of a badge's side."""
ORNAMENT_SPACING = 0.86
"""The distance between two ornaments as a multiple of an ornament's side."""


class ResultLines(NamedTuple):
    """The lines of an announcement, any of which may be empty."""

    verdict: str
    """The sentence that says who has won."""
    points: str
    line: str


def result_lines(result: Result, seats: int, words: Words) -> ResultLines:
    """Return the texts that announce `result` of a match with `seats` seats."""
    scores = {result.scores[seat] for seat in result.winners} if result.scores else set()
    points = ""
    if len(scores) == 1 and not words.scores_are_ranks:
        (score,) = scores
        points = words("1 point") if score == 1 else words("{n} points", n=score)
    return ResultLines(winner_text(result, seats, words), points, shortfall_text(result, words))


class VictoryOverlay(QWidget):
    """An overlay that announces the winner over `parent`. A click or key press skips it."""

    finished = Signal()
    """The announcement has ended or was skipped. `stop` doesn't emit this signal."""

    def __init__(self, context: AppContext, kit: GameKit, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._kit = kit
        self._covered_widget = parent
        self._winners: tuple[Player, ...] = ()
        self._lines = ResultLines("", "", "")
        self._clock = QVariantAnimation(self, startValue=0.0, endValue=1.0)
        self._clock.valueChanged.connect(lambda _: self.update())
        self._clock.finished.connect(self._start_fade_out)
        self._fade_out = QVariantAnimation(self, startValue=1.0, endValue=0.0)
        self._fade_out.valueChanged.connect(lambda _: self.update())
        self._fade_out.finished.connect(self.stop)
        self._final_picture = QPixmap()
        """The last frame of the announcement while it fades out, or a null pixmap before."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.hide()

    @property
    def is_running(self) -> bool:
        """Whether the winner is being announced, not counting the fade-out."""
        return not self.isHidden() and self._final_picture.isNull()

    def start(
        self, result: Result, players: Sequence[Player], words: Words, *, takes_focus: bool = True
    ) -> None:
        """Announce the winners of `result`.

        With `takes_focus`, any key skips the announcement.
        """
        self.stop()
        self._winners = tuple(players[seat] for seat in result.winners)
        self.set_result(result, len(players), words)
        self.cover_parent()
        self.show()
        self.raise_()
        if takes_focus:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._clock.setDuration(round(DURATION_MS * SPEED_FACTORS[self._context.animation_speed]))
        self._clock.start()

    def set_result(self, result: Result, seats: int, words: Words) -> None:
        """Set the texts that announce `result` of a match with `seats` seats."""
        self._lines = result_lines(result, seats, words)
        name_widget(self, self._lines.verdict, words.sentences(self._lines[1:]), words)
        self.update()

    def cover_parent(self) -> None:
        """Resize the overlay to the size of its parent."""
        self.setGeometry(self._covered_widget.rect())

    def stop(self) -> None:
        """Hide the overlay at once without emitting `finished`."""
        self._clock.stop()
        self._fade_out.stop()
        self._final_picture = QPixmap()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, on=False)
        self.hide()

    def skip(self) -> None:
        """End the announcement at once and emit `finished`."""
        if self.is_running:
            self.stop()
            self.finished.emit()

    def _start_fade_out(self) -> None:
        """Emit `finished`, then fade out the last frame over whatever is shown next."""
        if not self.is_running:
            return
        ratio = self.devicePixelRatioF()
        self._final_picture = QPixmap((self.size().toSizeF() * ratio).toSize())
        self._final_picture.setDevicePixelRatio(ratio)
        self._final_picture.fill(Qt.GlobalColor.transparent)
        with QPainter(self._final_picture) as painter:
            self._draw(painter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.finished.emit()
        self.raise_()
        self._fade_out.setDuration(round(FADE_MS * SPEED_FACTORS[self._context.animation_speed]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.accept()
        if not event.isAutoRepeat():
            self.skip()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.skip()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if self._final_picture.isNull():
                self._draw(painter)
            else:
                if self._fade_out.state() is not QVariantAnimation.State.Running:
                    self._fade_out.start()  # the widgets below are up to date now
                painter.setOpacity(float(self._fade_out.currentValue()))
                painter.drawPixmap(0, 0, self._final_picture)

    def _draw(self, painter: QPainter) -> None:
        """Draw the current frame of the announcement."""
        now = DURATION_MS * float(self._clock.currentValue() or 0.0)
        scale = min(scale_factor_in(self.size()), self.height() / FULL_SIZE_HEIGHT_PX)
        middle = QPointF(self.width() / 2, self.height() * 0.4)
        painter.setRenderHints(SMOOTH_HINTS | QPainter.RenderHint.TextAntialiasing)
        veil = QColor(0, 0, 0)
        painter.fillRect(
            self.rect(), with_opacity(veil, (1.0 - DIMMED_LIGHT) * _eased_progress(now, 0, 260))
        )
        side = self._badge_side(scale)
        if self._winners:
            self._draw_winners(painter, middle, side, now)
        top = middle.y() + (ORNAMENT_BADGES * side / 2 if self._winners else 0.0)
        lines = (
            (self._lines.verdict, NAME_FONT_PX, True, 340),
            (self._lines.points, POINTS_FONT_PX, True, 460),
            (self._lines.line, LINE_FONT_PX, False, 640),
        )
        self._draw_shade(painter, top, 170 * scale, _eased_progress(now, 200, 460))
        for text, size, bold, since in lines:
            if text:
                shown = _eased_progress(now, since, since + 220)
                top += self._draw_line(painter, top, text, size * scale, bold, shown)

    def _draw_shade(self, painter: QPainter, top: float, height: float, share: float) -> None:
        """Darken a band behind the text, with soft upper and lower edges."""
        place = QRectF(0, top - height * 0.3, self.width(), height * 1.6)
        band = QLinearGradient(place.topLeft(), place.bottomLeft())
        for at, strength in ((0.0, 0.0), (0.25, SHADE_OPACITY), (0.75, SHADE_OPACITY), (1.0, 0.0)):
            band.setColorAt(at, with_opacity(QColor(0, 0, 0), strength * share))
        painter.fillRect(place, band)

    def _badge_side(self, scale: float) -> float:
        """Return the side of a badge in pixels at which all winners' ornaments fit side by side."""
        count = max(1, len(self._winners[:MAX_BADGES]))
        room = 0.94 * self.width() / (ORNAMENT_BADGES * ORNAMENT_SPACING * count)
        return min(scale * (BADGE_PX if count == 1 else SHARED_BADGE_PX), room)

    def _draw_winners(self, painter: QPainter, middle: QPointF, side: float, now: float) -> None:
        """Draw each winner's badge, surrounded by an ornament."""
        winners = self._winners[:MAX_BADGES]
        apart = ORNAMENT_BADGES * ORNAMENT_SPACING * side
        for number, player in enumerate(winners):
            centre = middle + QPointF((number - (len(winners) - 1) / 2) * apart, 0)
            colour = self._context.seat_colour(player.symbol)
            self._draw_ornament(
                painter, centre, ORNAMENT_BADGES * side, colour, _eased_progress(now, 260, 1060)
            )
            self._draw_badge(painter, centre, side, player, _eased_progress(now, 120, 420))

    def _draw_ornament(
        self, painter: QPainter, centre: QPointF, side: float, colour: str, share: float
    ) -> None:
        context = self._context
        prints = CardPixmaps(self._kit, context.art, context.game_words(self._kit), context.theme)
        prints.ratio = self.devicePixelRatioF()
        drawn = round(share * ORNAMENT_FRAMES) / ORNAMENT_FRAMES
        if drawn > 0:
            picture = prints.ornament_pixmap(round(side), drawn, colour)
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
        """Draw a line of text, shrunk if it is too wide, and return the line's height in pixels."""
        room = self.width() * 0.9
        letters = make_font(max(11, round(size)), bold)
        while QFontMetricsF(letters).horizontalAdvance(text) > room and letters.pixelSize() > 14:
            letters.setPixelSize(letters.pixelSize() - 1)
        metrics = QFontMetricsF(letters)
        place = QRectF(0, top + 10 * (1.0 - share), self.width(), metrics.height() * 1.12)
        painter.setFont(letters)
        painter.setPen(with_opacity(QColor(self._context.theme.stock), share))
        flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, flags, text)
        return place.height()


def _eased_progress(now: float, first: float, last: float) -> float:
    share = min(1.0, max(0.0, (now - first) / (last - first)))
    return ease_in_out_cubic(share) if last - first > 400 else ease_out_cubic(share)
