"""Highlights on the table: targets of a card, flashing zones and cards, and the focus ring."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsPathItem

from ui.style.theme import Theme, mix, with_opacity
from ui.table.items.lettering import (
    add_shape,
    fit_line,
    make_text_item,
    round_pen,
    rounded_path,
    table_font,
)

AIMED_FILL_OPACITY = 0.34
"""Opacity of the fill of an empty target that is aimed at."""
DASH_PATTERN = (3.0, 2.2)
"""Lengths of dash and gap in the outline of an empty target, in line widths."""


class TargetLightItem(QGraphicsPathItem):
    """The highlight of a target: an outline and a dot, stronger while the target is aimed at."""

    def __init__(
        self,
        rect: QRectF,
        theme: Theme,
        zone: str,
        radius: float = 10.0,
        invitation: str = "",
        framed: bool = True,
        quiet: bool = False,
        dot_below: bool = False,
    ) -> None:
        """`invitation`: the text for an empty zone, which is then filled. The text is visible while
        the target is aimed at. `radius`: the corner radius in pixels.

        `dot_below`: whether the dot is at the bottom edge, because something covers the top edge.
        If `quiet`, or if not `framed`, the highlight is visible only while the target is aimed at.
        """
        super().__init__(rounded_path(rect.adjusted(1.5, 1.5, -1.5, -1.5), radius))
        self.zone = zone
        self.rect = rect
        self._theme = theme
        self._empty = bool(invitation)
        self._framed = framed
        self.is_quiet = quiet
        self._shown: tuple[bool, bool] | None = None
        """The latest arguments of `set_highlighted`."""
        self._crossed = False
        around = rounded_path(rect.adjusted(-3, -3, 3, 3), radius + 3)
        self._glow = add_shape(around, self, behind=True)
        dot = QPainterPath()
        self._stroke = max(3.0, min(rect.width(), rect.height()) * 0.025)
        size = 2 * self._stroke
        edge = rect.bottom() - 1.5 if dot_below else rect.top() + 1.5
        dot.addEllipse(QPointF(rect.center().x(), edge), size, size)
        self._dot = add_shape(dot, self, QPen(QColor(theme.stock), 2))
        self._invitation: QGraphicsPathItem | None = None
        if invitation:
            self._draw_invitation(invitation)
        self.set_highlighted(False)

    def _draw_invitation(self, invitation: str) -> None:
        """Draw an arrow and the invitation, if they fit, over the drawing of the empty slot."""
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
        inner = rounded_path(rect.adjusted(3, 3, -3, -3), 8)
        ground = mix(self._theme.mat, self._theme.table_accent, AIMED_FILL_OPACITY)
        self._invitation = add_shape(inner, self, QPen(Qt.PenStyle.NoPen), ground)
        add_shape(arrow, self._invitation, pen)
        text.setParentItem(self._invitation)

    def set_crossed(self, crossed: bool) -> None:
        """Set whether something else is drawn across the zone, which hides the invitation."""
        self._crossed = crossed
        self._update_invitation()

    def _update_invitation(self) -> None:
        if self._invitation is not None:
            self._invitation.setVisible(self._shown == (True, False) and not self._crossed)

    @property
    def is_inviting(self) -> bool:
        """Whether the invitation is visible."""
        return self._invitation is not None and self._invitation.isVisible()

    def set_highlighted(self, near: bool, covered: bool = False) -> None:
        """Draw the target as aimed at (`near`) or not.

        If a dragged card covers the target (`covered`), its frame lies on the card, without a fill.
        """
        if (near, covered) == self._shown:
            return
        self._shown = near, covered
        self._update_invitation()
        accent = QColor(self._theme.table_accent)
        share = AIMED_FILL_OPACITY if near else 0.13
        share *= 0.0 if near and covered else 1.0 if self._empty else 0.3
        self.setBrush(QBrush(with_opacity(accent, share)))
        pen = QPen(accent, self._stroke + (1 if near else 0))
        if self._empty:
            pen.setDashPattern(DASH_PATTERN)
        self.setPen(pen)
        self._glow.setPen(QPen(with_opacity(accent, 0.34 if near else 0.0), 2 * self._stroke + 1))
        self._dot.setBrush(QBrush(accent))
        if self.is_quiet:
            self.setOpacity(1.0 if near else 0.0)
        if not self._framed:
            self.setPen(QPen(Qt.PenStyle.NoPen))
            self.setOpacity(1.0 if near else 0.0)
            self._glow.hide()
            self._dot.hide()


class FocusRingItem(QGraphicsPathItem):
    """The focus ring around a card or zone."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setPen(QPen(QColor(theme.table_accent_2), 3))
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self._outer = add_shape(QPainterPath(), self, QPen(with_opacity(theme.paper, 0.9), 1.5))

    def surround(self, rect: QRectF, radius: float) -> None:
        """Draw the ring around `rect`, whose corners have `radius` pixels."""
        for item, out in ((self, 5.0), (self._outer, 7.2)):
            item.setPath(rounded_path(rect.adjusted(-out, -out, out, out), radius + out))


GLOW_OPACITY = 0.28
"""Opacity of the glow around flashing zones."""


class ZoneFlashItem(QGraphicsPathItem):
    """A flash of one or more zones in one colour, with a line through zones that are joined."""

    def __init__(
        self, rects: Sequence[QRectF], colour: str, theme: Theme, joined: bool = True
    ) -> None:
        super().__init__()
        frames, halos = QPainterPath(), QPainterPath()
        for rect in rects:  # drawn outside so that no text is covered
            frames.addPath(rounded_path(rect.adjusted(-2, -2, 2, 2), 12))
            halos.addPath(rounded_path(rect.adjusted(-7, -7, 7, 7), 16))
        self._joined = [rect.center() for rect in rects] if joined else []
        self._lines = []
        add_shape(halos, self, round_pen(with_opacity(colour, GLOW_OPACITY), 8))
        for tint, framing, joining in ((theme.stock, 8, 13), (colour, 4, 7)):
            add_shape(frames, self, round_pen(tint, framing))
            self._lines.append(add_shape(QPainterPath(), self, round_pen(tint, joining)))
        self.draw_line(1.0)

    def draw_line(self, share: float) -> None:
        """Draw the line up to `share` of its length."""
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
    """A flash of cards, each given by its outline, whether it is bright, and its colour.

    It doesn't cover the cards, because their colours may be what scored. Cards that aren't bright
    have a dashed outline, so that brightness isn't the only difference.
    """

    def __init__(self, cards: Sequence[tuple[QPainterPath, bool, str]], theme: Theme) -> None:
        super().__init__()
        pale = QColor(theme.stock)
        for outline, bright, colour in cards:
            line = QPen(QColor(colour), 4 if bright else 3)
            if not bright:
                line.setDashPattern([2.2, 1.6])
            line.setCapStyle(Qt.PenCapStyle.FlatCap)
            for pen in (QPen(pale, 7), line):
                add_shape(outline, self, pen)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)


class SoftGlowItem(QGraphicsPathItem):
    """A soft glow around a zone."""

    def __init__(self, rect: QRectF, colour: str) -> None:
        super().__init__(rounded_path(rect, 10))
        self.setPen(QPen(with_opacity(colour, 0.5), 4))
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
