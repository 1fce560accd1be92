"""The graphics item of a player's plaque: the symbol, the name and texts such as the score."""

from __future__ import annotations

import math
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
"""Maximum height of two lines to be placed below each other, in plaque heights; they overlap only
by their leading.
"""
NAME_HEIGHTS, FIGURE_HEIGHTS = (0.3, 0.27, 0.235), (0.245, 0.22, 0.195)
"""Text heights to try for the name and for the texts below it, in plaque heights; the largest that
fits is used.
"""
SIDE_NAME_HEIGHT = 0.46
"""Text height of a name with texts beside it, in plaque heights."""
SIDE_GAP_HEIGHT = 0.2
"""The gap between a name and the texts beside it, in plaque heights."""
MAX_FIGURES_SHARE = 0.62
"""Maximum share of the width for texts beside a name."""

TEAM_SIGN_SIZE = 0.46
"""Side of a team sign, in widths of the seat's badge."""

MARKS = {
    "far": ("connected", "good"),
    "thinking": ("dots", "accent_2"),
    "away": ("away", "warn"),
    "bot": ("bot", "ink_soft"),
}
"""The icon and theme colour for each state of a remote player."""


SHADOW_SHARE = 0.6
"""Strength of a plaque's shadow, relative to a card's."""
LAMP_SIZE, MIN_LAMP_PX = 0.28, 8.0
"""Width of the lamp in badge widths, and its minimum width in pixels."""
LAMP_INSET = 0.07
"""Distance of the lamp from the badge's top right corner, in badge widths."""


OUT_OPACITY = 0.65
"""Opacity of the plaque of a player who is out of the game."""


FIGURE_SEPARATORS = ("   ", "  ", " ")
"""The separators between texts to try; the widest that fits is used."""


def _drop_figures(
    detail: QGraphicsSimpleTextItem, figures: Sequence[str], room: float, min_text_px: int
) -> bool:
    """Show as many of the texts `figures` as fit into
    `room` pixels. Return whether any is omitted.
    """
    font, kept = detail.font(), len(figures)
    while not _fit_figures(detail, figures[:kept], room, min_text_px) and kept > 1:
        kept -= 1
    detail.setFont(font)
    return kept < len(figures)


def _fit_figures(
    detail: QGraphicsSimpleTextItem, figures: Sequence[str], room: float, min_text_px: int
) -> bool:
    """Show all texts `figures`, as large and widely spaced as fits into `room` pixels. Return
    whether they fit.
    """
    font = QFont(detail.font())
    font.setStretch(MIN_STRETCH)
    for size in (font.pixelSize(), min_text_px):
        font.setPixelSize(size)
        detail.setFont(font)
        for between in FIGURE_SEPARATORS:
            detail.setText(between.join(figures))
            if detail.boundingRect().width() <= room:
                return True
    return False


class PlaqueContent(NamedTuple):
    """The content of a player's plaque."""

    style: SeatStyle
    figures: Sequence[str]
    is_asked: bool = False
    """Whether the player must answer."""
    is_ready: bool = False
    """Whether the player has answered and is waiting for others."""
    status: str = ""
    """The state of a remote player, a key of `MARKS`."""
    team: int | None = None
    """The number of the team whose sign is drawn on the badge; None for no sign."""
    is_out: bool = False
    """Whether the player is out of the game."""


class PlaqueItem(QGraphicsPathItem):
    """A player's plaque: the seat's symbol, the name, and texts such as the score below the name,
    or beside it on a low plaque.
    """

    def __init__(
        self,
        rect: QRectF,
        content: PlaqueContent,
        pixmaps: CardPixmaps,
        min_text_px: int = MIN_TEXT_PX,
    ) -> None:
        """`min_text_px`: the smallest text height, in pixels."""
        super().__init__()
        style, figures, asked, ready, mark, team, out = content
        name, colour = style.name, style.colour
        self.is_ready = ready
        self.setOpacity(OUT_OPACITY if out else 1.0)
        self._rect = rect
        self._first_figure = next(iter(figures), "")
        self._prints = pixmaps
        self._theme = theme = pixmaps.theme
        self._least = min_text_px
        self._draw_sheet(colour, asked)
        h = rect.height()
        size = round(h * 0.6)
        badge = QGraphicsPixmapItem(
            pixmaps.art.seat_badge(style.symbol, colour, size, pixmaps.ratio), self
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
            named = QFontMetricsF(
                table_font(h * NAME_HEIGHTS[-1], True, min_text_px)
            ).horizontalAdvance(name)
            beside = size + h * (0.48 if mark in MARKS else 0.1)
            if named > whole - beside:  # no space beside the name, so use the badge
                self._draw_check(corner, size * 0.28)
            else:
                whole -= size + h * 0.1
                middle = QPointF(rect.right() - h * 0.12 - size / 2, rect.center().y())
                self._draw_check(middle, size / 2)
        room = whole
        if mark in MARKS:
            room -= self._draw_mark(mark, x + whole)
        title = make_text_item(
            name, table_font(h * NAME_HEIGHTS[-1], True, min_text_px), theme.ink, self
        )
        soft = theme.ink if asked else theme.ink_soft
        detail = make_text_item(
            FIGURE_SEPARATORS[0].join(figures),
            table_font(h * FIGURE_HEIGHTS[-1], min_px=min_text_px),
            soft,
            self,
        )
        for text, shares, width in ((title, NAME_HEIGHTS, room), (detail, FIGURE_HEIGHTS, whole)):
            for share in shares:
                text.setFont(table_font(h * share, text is title, min_text_px))
                if text.boundingRect().width() <= width:
                    break
        if title.boundingRect().height() + detail.boundingRect().height() > MAX_TEXT_HEIGHT * h:
            beside = self._room_beside_name(title, room)
            self.omits_figures = _drop_figures(detail, figures, beside, min_text_px)
            self._lay_figures_beside(title, detail, QRectF(x, rect.top(), room, h))
        else:
            self.omits_figures = _drop_figures(detail, figures, whole, min_text_px)
            self._lay_figures_below(title, detail, QRectF(x, rect.top(), whole, h), room)
        self._detail, written_so = detail, detail.text()
        self._separator = next(
            (each for each in FIGURE_SEPARATORS if each.join(figures) == written_so), None
        )
        """The separator between the displayed texts; None if some are omitted."""

    def _draw_sheet(self, colour: str, asked: bool) -> None:
        """Draw the paper with its shadow and the band in the seat's colour."""
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
        """Draw the sign of `team` over the badge's bottom right corner, `low`."""
        side = round(max(badge * TEAM_SIGN_SIZE, 13.0))
        tile = QGraphicsPixmapItem(
            make_team_sign(self._theme, team, side, self._prints.ratio), self
        )
        tile.setOffset(round(low.x() - side * 0.72), round(low.y() - side * 0.82))

    def _draw_mark(self, mark: str, right: float) -> float:
        """Draw the icon of a remote player's state so that it ends at `right`. Return the width
        used, in pixels.
        """
        h = self._rect.height()
        pixmaps, (icon, tone) = self._prints, MARKS[mark]
        side = round(max(11.0, min(h * 0.32, 22.0)))
        ink = getattr(self._theme, tone)
        sign = QGraphicsPixmapItem(pixmaps.art.icon_pixmap(icon, ink, side, pixmaps.ratio), self)
        sign.setOffset(round(right - side), round(self._rect.top() + h * 0.16))
        return side + h * 0.06

    def show_figures(self, figures: Sequence[str]) -> None:
        """Replace the displayed texts by `figures`, unless some texts are omitted."""
        if self._separator is not None:
            self._detail.setText(self._separator.join(figures))

    def _lay_figures_below(
        self,
        title: QGraphicsSimpleTextItem,
        detail: QGraphicsSimpleTextItem,
        room: QRectF,
        named: float,
    ) -> None:
        """Place the texts below the name, which may be
        `named` pixels wide because of a status icon.
        """
        fit_line(title, named, self._least)
        fit_line(detail, room.width(), self._least)
        heights = title.boundingRect().height() + detail.boundingRect().height()
        # below 0 only the leading of the two lines overlaps
        edge = max((room.height() - heights) / 2, -1.0)
        title.setPos(room.left(), room.top() + edge)
        detail.setPos(room.left(), room.bottom() - edge - detail.boundingRect().height())

    def _lay_figures_beside(
        self, title: QGraphicsSimpleTextItem, detail: QGraphicsSimpleTextItem, room: QRectF
    ) -> None:
        """Place the texts to the right of the name."""
        title.setFont(table_font(room.height() * SIDE_NAME_HEIGHT, True, self._least))
        figures = fit_line(detail, self._room_beside_name(title, room.width()), self._least)
        fit_line(title, room.width() - figures - room.height() * SIDE_GAP_HEIGHT, self._least)
        middle = room.center().y()
        title.setPos(room.left(), middle - title.boundingRect().height() / 2)
        detail.setPos(room.right() - figures, middle - detail.boundingRect().height() / 2)

    def _room_beside_name(self, title: QGraphicsSimpleTextItem, room: float) -> float:
        """Return the width for the texts beside the name, so that a short name isn't cut.

        The first text is kept at the expense of the name.
        """
        font = QFont(title.font())
        font.setPixelSize(self._least)
        font.setStretch(MIN_STRETCH)
        width_of = QFontMetricsF(font).horizontalAdvance  # the name's bold font is the wider one
        named = math.ceil(width_of(title.text()) + self._rect.height() * SIDE_GAP_HEIGHT) + 1
        most = MAX_FIGURES_SHARE * room
        return max(min(most, room - named), min(most, width_of(self._first_figure)))

    def _light_lamp(self, middle: QPointF, badge: float, colour: str) -> None:
        """Draw a lamp in the seat's colour at the badge's
        corner, which shows that the player must answer.
        """
        ring, lamp = QPainterPath(), QPainterPath()
        radius = max(MIN_LAMP_PX, LAMP_SIZE * badge) / 2
        ring.addEllipse(middle, radius * 1.44, radius * 1.44)
        lamp.addEllipse(middle, radius, radius)
        add_shape(ring, self, fill=self._theme.paper)
        edge = QPen(QColor(self._theme.ink), 1.5) if is_dark(self._theme) else None
        add_shape(lamp, self, edge, colour)

    def _draw_check(self, middle: QPointF, radius: float) -> None:
        disc = QPainterPath()
        disc.addEllipse(middle, radius, radius)
        ground = add_shape(disc, self, fill=self._theme.good)
        tick = QPainterPath(middle + QPointF(-0.45, 0.05) * radius)
        tick.lineTo(middle + QPointF(-0.12, 0.38) * radius)
        tick.lineTo(middle + QPointF(0.48, -0.35) * radius)
        add_shape(tick, ground, round_pen(self._theme.paper, max(1.6, radius * 0.2)))
