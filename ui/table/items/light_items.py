"""Lights on the table: places a card may go to, zones and cards that light up, the focus ring."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsPathItem

from ui.style.theme import Theme, with_opacity
from ui.table.items.lettering import (
    add_shape,
    fit_line,
    make_text_item,
    round_pen,
    rounded_path,
    table_font,
)

DASH_PATTERN = (3.0, 2.2)
"""Of the outline of an empty place where something may go, in widths of the line."""


class TargetLightItem(QGraphicsPathItem):
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
        self._glow = add_shape(around, self, behind=True)
        dot = QPainterPath()
        self._stroke = max(3.0, min(rect.width(), rect.height()) * 0.025)
        size = 2 * self._stroke
        dot.addEllipse(QPointF(rect.center().x(), rect.top() + 1.5), size, size)
        self._dot = add_shape(dot, self, QPen(QColor(theme.stock), 2))
        self._invitation: QGraphicsPathItem | None = None
        if invitation:
            self._draw_invitation(invitation)
        self.set_near(False)

    def _draw_invitation(self, invitation: str) -> None:
        """An arrow and a word, where there is room for them."""
        rect, accent = self.rect, QColor(self._theme.table_accent)
        text = make_text_item(invitation, table_font(rect.width() * 0.125, bold=True), accent)
        width = fit_line(text, rect.width() - 10)
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
        self._invitation = add_shape(arrow, self, pen)
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
        self.setBrush(QBrush(with_opacity(accent, share)))
        pen = QPen(accent, self._stroke + (1 if near else 0))
        if self._empty:
            pen.setDashPattern(DASH_PATTERN)
        self.setPen(pen)
        self._glow.setPen(QPen(with_opacity(accent, 0.34 if near else 0.0), 2 * self._stroke + 1))
        self._dot.setBrush(QBrush(accent))
        if self.quiet:
            self.setOpacity(1.0 if near else 0.0)
        if not self._framed:
            self.setPen(QPen(Qt.PenStyle.NoPen))
            self.setOpacity(1.0 if near else 0.0)
            self._glow.hide()
            self._dot.hide()


class FocusRingItem(QGraphicsPathItem):
    """The focus ring, around a card or a place."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setPen(QPen(QColor(theme.accent_2), 3))
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self._outer = add_shape(QPainterPath(), self, QPen(with_opacity(theme.paper, 0.9), 1.5))

    def surround(self, rect: QRectF, radius: float) -> None:
        """Surround this rectangle with corners of this radius, a little away from it; in pixels."""
        for item, out in ((self, 5.0), (self._outer, 7.2)):
            item.setPath(rounded_path(rect.adjusted(-out, -out, out, out), radius + out))


GLOW_OPACITY = 0.28
"""Opacity of the glow round zones that light up."""


class ZoneFlashItem(QGraphicsPathItem):
    """Zones that light up together in one colour, with a line through those that are joined, which
    may be drawn from the first to the last."""

    def __init__(
        self, rects: Sequence[QRectF], colour: str, theme: Theme, joined: bool = True
    ) -> None:
        super().__init__()
        frames, halos = QPainterPath(), QPainterPath()
        for rect in rects:  # drawn outside, where they cover no letters
            frames.addPath(rounded_path(rect.adjusted(-2, -2, 2, 2), 12))
            halos.addPath(rounded_path(rect.adjusted(-7, -7, 7, 7), 16))
        self._joined = [rect.center() for rect in rects] if joined else []
        self._lines = []
        add_shape(halos, self, round_pen(with_opacity(colour, GLOW_OPACITY), 8))
        for tint, framing, joining in ((theme.stock, 8, 13), (colour, 4, 7)):
            add_shape(frames, self, round_pen(tint, framing))
            self._lines.append(add_shape(QPainterPath(), self, round_pen(tint, joining)))
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


class CardGlintItem(QGraphicsPathItem):
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
                add_shape(outline, self, pen)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)


class SoftGlowItem(QGraphicsPathItem):
    """A soft light around a zone."""

    def __init__(self, rect: QRectF, colour: str) -> None:
        super().__init__(rounded_path(rect, 10))
        self.setPen(QPen(with_opacity(colour, 0.5), 4))
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
