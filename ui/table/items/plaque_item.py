"""A player's plaque: symbol, name and figures at their seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsPathItem, QGraphicsPixmapItem, QGraphicsSimpleTextItem

from ui.style.shadows import SHADOW_INK, shadow_layers
from ui.style.team_sign import make_team_sign
from ui.style.theme import contrast_on_dark, is_dark, seat_background, with_opacity
from ui.table.items.card_pixmaps import CardPixmaps, SeatStyle
from ui.table.items.lettering import (
    MIN_STRETCH,
    add_shape,
    fit_line,
    make_text_item,
    round_pen,
    rounded_path,
    table_font,
)
from ui.table.layout.placed_table import MIN_TEXT_PX

MAX_TEXT_HEIGHT = 1.2
"""Two lines may be so high, in heights of their plaque: what they overlap by is leading."""
NAME_HEIGHTS, FIGURE_HEIGHTS = (0.3, 0.27, 0.235), (0.245, 0.22, 0.195)
"""Heights of a name and of the figures below it, in heights of the plaque: the first that finds
room."""
SIDE_NAME_HEIGHT = 0.46
"""Height of a name that has its figures beside it, in heights of the plaque."""
MAX_FIGURES_SHARE = 0.62
"""Share of the room that figures beside a name may take."""

TEAM_SIGN_SIZE = 0.46
"""Side of a team's sign, in widths of the symbol under it."""

MARKS = {
    "far": ("connected", "good"),
    "thinking": ("dots", "accent_2"),
    "away": ("away", "warn"),
    "bot": ("bot", "ink_soft"),
}
"""The sign for each state of somebody at another computer, and its colour by name."""


SHADOW_SHARE = 0.6
"""The share of a card's shadow that a plaque casts: it is flatter."""
LAMP_SIZE, MIN_LAMP_PX = 0.28, 8.0
"""The width of the lamp of such a plaque, in widths of its badge, and its least in pixels."""
LAMP_INSET = 0.07
"""From the badge's upper right corner to the middle of the lamp, down and to the left, in widths of
the badge: it hides nothing of the seat's sign."""


OUT_OPACITY = 0.65
"""The opacity of the plaque of a player who is out."""


FIGURE_SEPARATORS = ("   ", "  ", " ")
"""Between two figures, the narrower the less room there is."""


def _drop_figures(
    detail: QGraphicsSimpleTextItem, figures: Sequence[str], room: float, least: int
) -> bool:
    """Show the figures that have this room in pixels, the first ones: a cut one is of no use.
    Return whether any is left out."""
    font, kept = detail.font(), len(figures)
    while not _fit_figures(detail, figures[:kept], room, least) and kept > 1:
        kept -= 1
    detail.setFont(font)
    return kept < len(figures)


def _fit_figures(
    detail: QGraphicsSimpleTextItem, figures: Sequence[str], room: float, least: int
) -> bool:
    """Write these figures as far apart as there is room, as narrow as they can be read; return
    whether there is for all of them."""
    font = QFont(detail.font())
    font.setStretch(MIN_STRETCH)
    for size in (font.pixelSize(), least):
        font.setPixelSize(size)
        detail.setFont(font)
        for between in FIGURE_SEPARATORS:
            detail.setText(between.join(figures))
            if detail.boundingRect().width() <= room:
                return True
    return False


class PlaqueContent(NamedTuple):
    """What a plaque says of a player."""

    style: SeatStyle
    figures: Sequence[str]
    asked: bool = False
    """Whether an answer is waited for."""
    ready: bool = False
    """Whether an answer is given, and waits for those of others."""
    mark: str = ""
    """The state of somebody far away, one of MARKS."""
    team: int | None = None
    """The number of the team, whose sign is drawn over the corner of the symbol."""
    out: bool = False
    """Whether they take no part any more."""


class PlaqueItem(QGraphicsPathItem):
    """A player's plaque: symbol in the seat's colour, name, and figures below it; on a low plaque
    beside it."""

    def __init__(
        self, rect: QRectF, content: PlaqueContent, prints: CardPixmaps, least: int = MIN_TEXT_PX
    ) -> None:
        """`least`: the smallest height of letters, in pixels."""
        super().__init__()
        style, figures, asked, ready, mark, team, out = content
        name, colour = style.name, style.colour
        self.ready = ready
        self.setOpacity(OUT_OPACITY if out else 1.0)
        self._rect = rect
        self._prints = prints
        self._theme = theme = prints.theme
        self._least = least
        self._draw_sheet(colour, asked)
        h = rect.height()
        size = round(h * 0.6)
        badge = QGraphicsPixmapItem(
            prints.art.seat_badge(style.symbol, colour, size, prints.ratio), self
        )
        badge.setOffset(round(rect.left() + h * 0.26), round(rect.top() + (h - size) / 2))
        corner = badge.offset() + QPointF(size, 0) + QPointF(-LAMP_INSET, LAMP_INSET) * size
        if team is not None:
            self._draw_team(team, badge.offset() + QPointF(size, size), size)
        if asked:
            self._light_lamp(corner, size, colour)
        x = rect.left() + h * 0.26 + size + h * 0.16
        whole = rect.right() - x - h * 0.12
        if ready:
            named = QFontMetricsF(table_font(h * NAME_HEIGHTS[-1], True, least)).horizontalAdvance(
                name
            )
            beside = size + h * (0.48 if mark in MARKS else 0.1)
            if named > whole - beside:  # the check would cut the name, so it goes on the badge
                self._check(corner, size * 0.28)
            else:
                whole -= size + h * 0.1
                middle = QPointF(rect.right() - h * 0.12 - size / 2, rect.center().y())
                self._check(middle, size / 2)
        room = whole
        if mark in MARKS:
            room -= self._draw_mark(mark, x + whole)
        title = make_text_item(name, table_font(h * NAME_HEIGHTS[-1], True, least), theme.ink, self)
        soft = theme.ink if asked else theme.ink_soft
        detail = make_text_item(
            FIGURE_SEPARATORS[0].join(figures),
            table_font(h * FIGURE_HEIGHTS[-1], least=least),
            soft,
            self,
        )
        for text, shares, width in ((title, NAME_HEIGHTS, room), (detail, FIGURE_HEIGHTS, whole)):
            for share in shares:
                text.setFont(table_font(h * share, text is title, least))
                if text.boundingRect().width() <= width:
                    break
        if title.boundingRect().height() + detail.boundingRect().height() > MAX_TEXT_HEIGHT * h:
            self.leaves_out = _drop_figures(detail, figures, room * MAX_FIGURES_SHARE, least)
            self._lay_figures_beside(title, detail, QRectF(x, rect.top(), room, h))
        else:
            self.leaves_out = _drop_figures(detail, figures, whole, least)
            self._lay_figures_below(title, detail, QRectF(x, rect.top(), whole, h), room)
        self._detail, written_so = detail, detail.text()
        self._between = next(
            (each for each in FIGURE_SEPARATORS if each.join(figures) == written_so), None
        )
        """What is between its figures, where all are shown."""

    def _draw_sheet(self, colour: str, asked: bool) -> None:
        """The sheet with its shadow, and the band in the colour of the seat."""
        rect, theme = self._rect, self._theme
        afar = self._least / MIN_TEXT_PX
        bend = 12 * afar
        self.setPath(rounded_path(rect, bend))
        self.setPen(Qt.PenStyle.NoPen)
        self.setBrush(QBrush(seat_background(theme, colour) if asked else QColor(theme.paper)))
        for below, spread, share in shadow_layers(theme):
            around = rect.translated(0, below * SHADOW_SHARE)
            pen = QPen(with_opacity(SHADOW_INK, share / 2), 2 * spread * SHADOW_SHARE)
            add_shape(
                rounded_path(around, bend), self, pen, with_opacity(SHADOW_INK, share), behind=True
            )
        band = QPainterPath()
        band.addRect(QRectF(rect.left(), rect.top(), 6 * afar, rect.height()))
        line = contrast_on_dark(theme, colour)
        add_shape(rounded_path(rect, bend).intersected(band), self, fill=line)

    def _draw_team(self, team: int, low: QPointF, badge: int) -> None:
        """The sign of a team over the badge's lower right corner, `low`."""
        side = round(max(badge * TEAM_SIGN_SIZE, 13.0))
        tile = QGraphicsPixmapItem(
            make_team_sign(self._theme, team, side, self._prints.ratio), self
        )
        tile.setOffset(round(low.x() - side * 0.72), round(low.y() - side * 0.82))

    def _draw_mark(self, mark: str, right: float) -> float:
        """The sign for the state of somebody far away, left of `right`; return the width it takes,
        in pixels."""
        h = self._rect.height()
        prints, (icon, tone) = self._prints, MARKS[mark]
        side = round(max(11.0, min(h * 0.32, 22.0)))
        ink = getattr(self._theme, tone)
        sign = QGraphicsPixmapItem(prints.art.icon_pixmap(icon, ink, side, prints.ratio), self)
        sign.setOffset(round(right - side), round(self._rect.top() + h * 0.16))
        return side + h * 0.06

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
        fit_line(title, named, self._least)
        fit_line(detail, room.width(), self._least)
        heights = title.boundingRect().height() + detail.boundingRect().height()
        # below 0, the leading of the two lines overlaps
        edge = max((room.height() - heights) / 2, -1.0)
        title.setPos(room.left(), room.top() + edge)
        detail.setPos(room.left(), room.bottom() - edge - detail.boundingRect().height())

    def _lay_figures_beside(
        self, title: QGraphicsSimpleTextItem, detail: QGraphicsSimpleTextItem, room: QRectF
    ) -> None:
        """The figures at the right, as wide as they are; the name has the rest."""
        title.setFont(table_font(room.height() * SIDE_NAME_HEIGHT, True, self._least))
        figures = fit_line(detail, room.width() * MAX_FIGURES_SHARE, self._least)
        fit_line(title, room.width() - figures - room.height() * 0.2, self._least)
        middle = room.center().y()
        title.setPos(room.left(), middle - title.boundingRect().height() / 2)
        detail.setPos(room.right() - figures, middle - detail.boundingRect().height() / 2)

    def _light_lamp(self, middle: QPointF, badge: float, colour: str) -> None:
        """Show that it is their turn: a lamp in the colour of the seat, at the corner of its
        badge, where it takes room from no figure."""
        ring, lamp = QPainterPath(), QPainterPath()
        radius = max(MIN_LAMP_PX, LAMP_SIZE * badge) / 2
        ring.addEllipse(middle, radius * 1.44, radius * 1.44)
        lamp.addEllipse(middle, radius, radius)
        add_shape(ring, self, fill=self._theme.paper)
        edge = QPen(QColor(self._theme.ink), 1.5) if is_dark(self._theme) else None
        add_shape(lamp, self, edge, colour)

    def _check(self, middle: QPointF, radius: float) -> None:
        disc = QPainterPath()
        disc.addEllipse(middle, radius, radius)
        ground = add_shape(disc, self, fill=self._theme.good)
        tick = QPainterPath(middle + QPointF(-0.45, 0.05) * radius)
        tick.lineTo(middle + QPointF(-0.12, 0.38) * radius)
        tick.lineTo(middle + QPointF(0.48, -0.35) * radius)
        add_shape(tick, ground, round_pen(self._theme.paper, max(1.6, radius * 0.2)))
