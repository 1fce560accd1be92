"""Items under the cards: mats with their captions, printed places, plaques, words; and the light on
a place that a card may go to."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QGraphicsPathItem, QGraphicsPixmapItem, QGraphicsSimpleTextItem

from ui.style.art import SHADE, Art, blank_pixmap, key_of, seen_on_dark, shadows
from ui.style.team_sign import team_sign
from ui.style.theme import Theme, is_dark, make_sheer, mix
from ui.table.items.lettering import (
    LEAST_STRETCH,
    letters,
    round_pen,
    rounded_path,
    shape,
    shrink_line,
    write_line,
)
from ui.table.layout.setting import LEAST_TEXT

ROUND = 14.0
MAT_SHARE = 0.78
"""Of its colour in a mat: the table shows through the rest."""
LOWEST = 1.2
"""Two lines may be so high, in heights of their plaque: what they overlap by is leading."""
NAMES, FIGURES = (0.3, 0.27, 0.235), (0.245, 0.22, 0.195)
"""Heights of a name and of the figures below it, in heights of the plaque: the first that finds
room."""
NAMED = 0.46
"""Height of a name that has its figures beside it, in heights of the plaque."""
FIGURED = 0.62
"""Share of the room that figures beside a name may take."""

TEAM = 0.46
"""Side of a team's sign, in widths of the symbol under it."""

MARKS = {
    "far": ("connected", "good"),
    "thinking": ("dots", "accent_2"),
    "away": ("away", "warn"),
    "bot": ("bot", "ink_soft"),
}
"""The sign for each state of somebody at another computer, and its colour by name."""


MAT_EDGE = 0.12
"""Of the ink in the line around a mat."""


def _mat_edge(theme: Theme) -> QColor:
    """The line around a mat: in the contrast theme it alone shows where the mat ends."""
    if theme.name == "contrast":
        return QColor(theme.line)
    return make_sheer(theme.table_ink, MAT_EDGE)


class MatItem(QGraphicsPathItem):
    """A mat: its caption at the top left, the count of its cards at the top right."""

    def __init__(
        self,
        rect: QRectF,
        theme: Theme,
        caption: str,
        size: float,
        beside: float,
        whole: bool = False,
    ) -> None:
        """`size` is the height of letters, `beside` the room left at their right; in pixels. A
        caption that must be shown `whole` is left out where it has no room."""
        bend = max(ROUND, size * 1.1)
        super().__init__(rounded_path(rect, bend))
        self.setPen(Qt.PenStyle.NoPen)
        self.setBrush(QBrush(make_sheer(theme.mat, MAT_SHARE)))
        line = rounded_path(rect.adjusted(0.5, 0.5, -0.5, -0.5), bend - 0.5)
        shape(line, self, QPen(_mat_edge(theme), 1))
        self._rect = rect
        self._size = size
        self._edge = size * 0.9
        """Between the letters and the edge of the mat, in pixels; less where room is scarce."""
        self.count: int | None = None
        """The number of cards that it shows; None as long as it has shown none."""
        self._count = write_line("", letters(size, bold=True), theme.table_soft, self)
        if caption:
            text = write_line(caption, letters(size), theme.table_soft, self)
            room = rect.width() - beside
            for edge in NARROW_EDGES:
                if text.boundingRect().width() > room - 2 * self._edge:
                    self._edge = size * edge
            shrink_line(text, room - 2 * self._edge, round(size))
            text.setPos(rect.left() + self._edge, rect.top() + size * 0.42)
            if text.text() != caption:
                self.setToolTip(caption)
                text.setText("" if whole else text.text())

    def show_count(self, count: int) -> None:
        """Write how many cards lie here."""
        self.count = count
        self._count.setText(str(count))
        width = self._count.boundingRect().width()
        right = self._rect.right() - self._edge - width
        self._count.setPos(right, self._rect.top() + self._size * 0.42)


NARROW_EDGES = (0.5, 0.25)
"""Of a mat with little room, in heights of its letters."""


SLOT_FILL, WATERMARK = 0.45, 0.22
"""Of a printed place for a card: the share of the table's colour, and how strong its drawing is."""


def slot_item(
    rect: QRectF, art: Art, theme: Theme, ratio: float, watermark: QPixmap | None = None
) -> QGraphicsPixmapItem:
    """The printed place of a card that may lie there, with the game's own drawing in it.

    It is drawn once: outline, ground and drawing together would cost a tenth of every repaint under
    a card that is dragged over it.
    """
    # its picture begins with a whole pixel of the device: else its line would be blurred
    corner = QPointF(*(math.floor(at * ratio) / ratio for at in rect.topLeft().toTuple()))
    place, ink = rect.translated(-corner), watermark.cacheKey() if watermark is not None else 0
    picture = art.keep_pixmap(
        key_of("slot", theme.name, theme.line, theme.table, place.getRect(), ratio, ink),
        lambda: _slot_picture(place, theme, ratio, watermark),
    )
    item = QGraphicsPixmapItem(picture)
    item.setOffset(corner)
    return item


def _slot_picture(place: QRectF, theme: Theme, ratio: float, watermark: QPixmap | None) -> QPixmap:
    bare = theme.name == "contrast"
    picture = blank_pixmap(place.right(), place.bottom(), ratio)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.line), 1.5 if bare else 1))
        if not bare:
            painter.setBrush(QBrush(make_sheer(theme.table, SLOT_FILL)))
        painter.drawPath(rounded_path(place.adjusted(2, 2, -2, -2), place.width() * 0.06))
        if watermark is not None and not bare:
            painter.setOpacity(WATERMARK)
            painter.drawPixmap(place.topLeft(), watermark)
    return picture


FLAT = 0.6
"""The share of a card's shadow that a plaque casts: it is flatter."""
TURN_WASH = 0.16
"""The share of a seat's colour in the plaque of a player whose turn it is."""
LAMP, LAMP_LEAST = 0.28, 8.0
"""The width of the lamp of such a plaque, in widths of its badge, and its least in pixels."""
LAMP_IN = 0.07
"""From the badge's upper right corner to the middle of the lamp, down and to the left, in widths of
the badge: it hides nothing of the seat's sign."""


def asked_fill(theme: Theme, colour: str) -> QColor:
    """The ground of a plaque while it is the turn of the player with this colour."""
    return mix(theme.paper, colour, TURN_WASH)


OUT_OPACITY = 0.65
"""Of the plaque of a player who is out."""


BETWEEN = ("   ", "  ", " ")
"""Between two figures, the narrower the less room there is."""


def _leave_out(
    detail: QGraphicsSimpleTextItem, figures: Sequence[str], room: float, least: int
) -> bool:
    """Show the figures that have this room in pixels, the first ones: a cut one is of no use.
    Return whether any is left out."""
    font, kept = detail.font(), len(figures)
    while not _fits(detail, figures[:kept], room, least) and kept > 1:
        kept -= 1
    detail.setFont(font)
    return kept < len(figures)


def _fits(detail: QGraphicsSimpleTextItem, figures: Sequence[str], room: float, least: int) -> bool:
    """Write these figures as far apart as there is room, as narrow as they can be read; whether
    there is for all of them."""
    font = QFont(detail.font())
    font.setStretch(LEAST_STRETCH)
    for size in (font.pixelSize(), least):
        font.setPixelSize(size)
        detail.setFont(font)
        for between in BETWEEN:
            detail.setText(between.join(figures))
            if detail.boundingRect().width() <= room:
                return True
    return False


class PlaqueItem(QGraphicsPathItem):
    """A player's plaque: symbol in the seat's colour, name, and figures below it; on a low plaque
    beside it."""

    def __init__(
        self,
        rect: QRectF,
        theme: Theme,
        art: Art,
        ratio: float,
        *,
        name: str,
        figures: Sequence[str],
        symbol: str,
        colour: str,
        asked: bool,
        ready: bool = False,
        mark: str = "",
        team: int | None = None,
        out: bool = False,
        least: int = LEAST_TEXT,
    ) -> None:
        """`asked`: an answer is waited for; `ready`: it is given, and waits for those of others;
        `mark`: the state of somebody far away, one of MARKS; `team`: its number, whose sign is
        drawn over the corner of the symbol; `out`: they take no part any more; `least`: the
        smallest height of letters, in pixels."""
        afar = least / LEAST_TEXT
        bend = 12 * afar
        super().__init__(rounded_path(rect, bend))
        self.ready = ready
        self.setOpacity(OUT_OPACITY if out else 1.0)
        self._least = least
        self._theme = theme
        self.setPen(Qt.PenStyle.NoPen)
        self.setBrush(QBrush(asked_fill(theme, colour) if asked else QColor(theme.paper)))
        for below, spread, share in shadows(theme):
            around = rect.translated(0, below * FLAT)
            pen = QPen(make_sheer(SHADE, share / 2), 2 * spread * FLAT)
            shape(rounded_path(around, bend), self, pen, make_sheer(SHADE, share), behind=True)
        h = rect.height()
        band = QPainterPath()
        band.addRect(QRectF(rect.left(), rect.top(), 6 * afar, h))
        line = seen_on_dark(theme, colour)
        shape(rounded_path(rect, bend).intersected(band), self, fill=line)
        size = round(h * 0.6)
        badge = QGraphicsPixmapItem(art.seat_badge(symbol, colour, size, ratio), self)
        badge.setOffset(round(rect.left() + h * 0.26), round(rect.top() + (h - size) / 2))
        if team is not None:
            side = round(max(size * TEAM, 13.0))
            tile = QGraphicsPixmapItem(team_sign(theme, team, side, ratio), self)
            low = badge.offset() + QPointF(size, size)
            tile.setOffset(round(low.x() - side * 0.72), round(low.y() - side * 0.82))
        x = rect.left() + h * 0.26 + size + h * 0.16
        room = rect.right() - x - h * 0.12
        if asked:
            corner = badge.offset() + QPointF(size, 0)
            self._light_lamp(corner + QPointF(-LAMP_IN, LAMP_IN) * size, size, colour)
        if ready:
            named = QFontMetricsF(letters(h * NAMES[-1], True, least)).horizontalAdvance(name)
            beside = size + h * (0.48 if mark in MARKS else 0.1)
            if named > room - beside:  # it would cut the name, and is on the badge instead
                corner = badge.offset() + QPointF(size, 0)
                self._check(corner + QPointF(-LAMP_IN, LAMP_IN) * size, size * 0.28)
            else:
                room -= size + h * 0.1
                middle = QPointF(rect.right() - h * 0.12 - size / 2, rect.center().y())
                self._check(middle, size / 2)
        whole = room
        if mark in MARKS:
            icon, tone = MARKS[mark]
            side = round(max(11.0, min(h * 0.32, 22.0)))
            ink = getattr(theme, tone)
            picture = art.icon_pixmap(icon, ink, side, ratio)
            room -= side + h * 0.06
            sign = QGraphicsPixmapItem(picture, self)
            sign.setOffset(round(x + room + h * 0.06), round(rect.top() + h * 0.16))
        title = write_line(name, letters(h * NAMES[-1], True, least), theme.ink, self)
        soft = theme.ink if asked else theme.ink_soft
        detail = write_line(
            BETWEEN[0].join(figures), letters(h * FIGURES[-1], least=least), soft, self
        )
        for text, shares, width in ((title, NAMES, room), (detail, FIGURES, whole)):
            for share in shares:
                text.setFont(letters(h * share, text is title, least))
                if text.boundingRect().width() <= width:
                    break
        if title.boundingRect().height() + detail.boundingRect().height() > LOWEST * h:
            self.leaves_out = _leave_out(detail, figures, room * FIGURED, self._least)
            self._lay_figures_beside(title, detail, QRectF(x, rect.top(), room, h))
        else:
            self.leaves_out = _leave_out(detail, figures, whole, self._least)
            self._lay_figures_below(title, detail, QRectF(x, rect.top(), whole, h), room)
        self._detail, written_so = detail, detail.text()
        self._between = next((each for each in BETWEEN if each.join(figures) == written_so), None)
        """What is between its figures, where all are shown."""

    def show_figures(self, figures: Sequence[str]) -> None:
        """Show other numbers, where they are shown at all."""
        if self._between is not None:
            self._detail.setText(self._between.join(figures))

    def _lay_figures_below(
        self,
        title: QGraphicsSimpleTextItem,
        detail: QGraphicsSimpleTextItem,
        room: QRectF,
        named: float,
    ) -> None:
        """The figures below the name, which has `named` pixels: a mark is beside it."""
        shrink_line(title, named, self._least)
        shrink_line(detail, room.width(), self._least)
        heights = title.boundingRect().height() + detail.boundingRect().height()
        edge = max((room.height() - heights) / 2, -1.0)  # below 0 the leading overlaps
        title.setPos(room.left(), room.top() + edge)
        detail.setPos(room.left(), room.bottom() - edge - detail.boundingRect().height())

    def _lay_figures_beside(
        self, title: QGraphicsSimpleTextItem, detail: QGraphicsSimpleTextItem, room: QRectF
    ) -> None:
        """The figures at the right, as wide as they are; the name has the rest."""
        title.setFont(letters(room.height() * NAMED, True, self._least))
        figures = shrink_line(detail, room.width() * FIGURED, self._least)
        shrink_line(title, room.width() - figures - room.height() * 0.2, self._least)
        middle = room.center().y()
        title.setPos(room.left(), middle - title.boundingRect().height() / 2)
        detail.setPos(room.right() - figures, middle - detail.boundingRect().height() / 2)

    def _light_lamp(self, middle: QPointF, badge: float, colour: str) -> None:
        """Show that it is their turn: a lamp in the colour of the seat, at the corner of its
        badge, where it takes room from no figure."""
        ring, lamp = QPainterPath(), QPainterPath()
        radius = max(LAMP_LEAST, LAMP * badge) / 2
        ring.addEllipse(middle, radius * 1.44, radius * 1.44)
        lamp.addEllipse(middle, radius, radius)
        shape(ring, self, fill=self._theme.paper)
        edge = QPen(QColor(self._theme.ink), 1.5) if is_dark(self._theme) else None
        shape(lamp, self, edge, colour)

    def _check(self, middle: QPointF, radius: float) -> None:
        disc = QPainterPath()
        disc.addEllipse(middle, radius, radius)
        ground = shape(disc, self, fill=self._theme.good)
        tick = QPainterPath(middle + QPointF(-0.45, 0.05) * radius)
        tick.lineTo(middle + QPointF(-0.12, 0.38) * radius)
        tick.lineTo(middle + QPointF(0.48, -0.35) * radius)
        shape(tick, ground, round_pen(self._theme.paper, max(1.6, radius * 0.2)))


DASHES = (3.0, 2.2)
"""Of the outline of an empty place where something may go, in widths of the line."""


class LightItem(QGraphicsPathItem):
    """A place where the chosen card may go: outline and dot; `near` when the card is over it."""

    def __init__(
        self,
        rect: QRectF,
        theme: Theme,
        zone: str,
        radius: float = 10.0,
        invitation: str = "",
        framed: bool = True,
        quiet: bool = False,
    ) -> None:
        """With an invitation the place is empty, and filled with light. `radius` is that of its
        corners, in pixels. One that is not `framed`, or is `quiet`, shows itself only while it is
        near."""
        super().__init__(rounded_path(rect.adjusted(1.5, 1.5, -1.5, -1.5), radius))
        self.zone = zone
        self.rect = rect
        self._theme = theme
        self._empty = bool(invitation)
        self._framed = framed
        self.quiet = quiet
        self._near: bool | None = None
        around = rounded_path(rect.adjusted(-3, -3, 3, 3), radius + 3)
        self._glow = shape(around, self, behind=True)
        dot = QPainterPath()
        self._stroke = max(3.0, min(rect.width(), rect.height()) * 0.025)
        size = 2 * self._stroke
        dot.addEllipse(QPointF(rect.center().x(), rect.top() + 1.5), size, size)
        self._dot = shape(dot, self, QPen(QColor(theme.stock), 2))
        self._invitation: QGraphicsPathItem | None = None
        if invitation:
            self._draw_invitation(invitation)
        self.set_near(False)

    def _draw_invitation(self, invitation: str) -> None:
        """An arrow and a word, where there is room for them."""
        rect, accent = self.rect, QColor(self._theme.table_accent)
        text = write_line(invitation, letters(rect.width() * 0.125, bold=True), accent)
        width = shrink_line(text, rect.width() - 10)
        if width > rect.width() - 6 or rect.height() < 5 * text.boundingRect().height():
            return
        middle = rect.center()
        text.setPos(middle.x() - width / 2, middle.y() + rect.height() * 0.08)
        size = rect.width() * 0.13
        foot = QPointF(middle.x(), middle.y() - rect.height() * 0.02)
        arrow = QPainterPath(foot - QPointF(0, 2.4 * size))
        arrow.lineTo(foot)
        arrow.moveTo(foot + QPointF(-size, -size))
        arrow.lineTo(foot)
        arrow.lineTo(foot + QPointF(size, -size))
        pen = round_pen(accent, max(2.0, rect.width() * 0.03))
        self._invitation = shape(arrow, self, pen)
        text.setParentItem(self._invitation)

    def invite(self, inviting: bool) -> None:
        """Say that something may be put here, or say nothing."""
        if self._invitation is not None:
            self._invitation.setVisible(inviting)

    @property
    def inviting(self) -> bool:
        """Whether it says that something may be put here."""
        return self._invitation is not None and self._invitation.isVisible()

    def set_near(self, near: bool) -> None:
        """Light stronger, or as an ordinary target."""
        if near is self._near:
            return
        self._near = near
        accent = QColor(self._theme.table_accent)
        share = (0.34 if near else 0.13) * (1.0 if self._empty else 0.3)
        self.setBrush(QBrush(make_sheer(accent, share)))
        pen = QPen(accent, self._stroke + (1 if near else 0))
        if self._empty:
            pen.setDashPattern(DASHES)
        self.setPen(pen)
        self._glow.setPen(QPen(make_sheer(accent, 0.34 if near else 0.0), 2 * self._stroke + 1))
        self._dot.setBrush(QBrush(accent))
        if self.quiet:
            self.setOpacity(1.0 if near else 0.0)
        if not self._framed:
            self.setPen(QPen(Qt.PenStyle.NoPen))
            self.setOpacity(1.0 if near else 0.0)
            self._glow.hide()
            self._dot.hide()


class RingItem(QGraphicsPathItem):
    """The focus ring, around a card or a place."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setPen(QPen(QColor(theme.accent_2), 3))
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self._outer = shape(QPainterPath(), self, QPen(make_sheer(theme.paper, 0.9), 1.5))

    def surround(self, rect: QRectF, radius: float) -> None:
        """Surround this rectangle with corners of this radius, a little away from it; in pixels."""
        for item, out in ((self, 5.0), (self._outer, 7.2)):
            item.setPath(rounded_path(rect.adjusted(-out, -out, out, out), radius + out))


GLOW = 0.28
"""Opacity of the glow round zones that light up."""


class FlashItem(QGraphicsPathItem):
    """Zones that light up together in one colour, with a line through those that are joined, which
    may be drawn from the first to the last."""

    def __init__(
        self, rects: Sequence[QRectF], colour: str, theme: Theme, joined: bool = True
    ) -> None:
        super().__init__()
        frames, halos = QPainterPath(), QPainterPath()
        for rect in rects:  # outside, where they cover no letters
            frames.addPath(rounded_path(rect.adjusted(-2, -2, 2, 2), 12))
            halos.addPath(rounded_path(rect.adjusted(-7, -7, 7, 7), 16))
        self._joined = [rect.center() for rect in rects] if joined else []
        self._lines = []
        shape(halos, self, round_pen(make_sheer(colour, GLOW), 8))
        for tint, framing, joining in ((theme.stock, 8, 13), (colour, 4, 7)):
            shape(frames, self, round_pen(tint, framing))
            self._lines.append(shape(QPainterPath(), self, round_pen(tint, joining)))
        self.reach(1.0)

    def reach(self, share: float) -> None:
        """Draw the line as far as this share of its way."""
        line, left = QPainterPath(), share * (len(self._joined) - 1)
        for number, point in enumerate(self._joined):
            if not number:
                line.moveTo(point)
            elif left > 0:
                before = self._joined[number - 1]
                line.lineTo(before + (point - before) * min(1.0, left))
                left -= 1
        for item in self._lines:
            item.setPath(line)


class GlintItem(QGraphicsPathItem):
    """Cards that light up together: each one's outline, and whether it is a bright one.

    Nothing lies over the cards, for their colours may be what scored.
    The others have a broken line, so that the two do not differ by strength alone.
    """

    def __init__(
        self, cards: Sequence[tuple[QPainterPath, bool]], colour: str, theme: Theme
    ) -> None:
        super().__init__()
        tint, pale = QColor(colour), QColor(theme.stock)
        for outline, bright in cards:
            line = QPen(tint, 4 if bright else 3)
            if not bright:
                line.setDashPattern([2.2, 1.6])
            line.setCapStyle(Qt.PenCapStyle.FlatCap)
            for pen in (QPen(pale, 7), line):
                shape(outline, self, pen)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)


class SoftItem(QGraphicsPathItem):
    """A soft light around a zone."""

    def __init__(self, rect: QRectF, colour: str) -> None:
        super().__init__(rounded_path(rect, 10))
        self.setPen(QPen(make_sheer(colour, 0.5), 4))
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
