"""A list of choices on a sheet of paper: what each is, and what would come of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem, QGraphicsTextItem

from tabletop.engine.model import Move, Preview
from ui.style.theme import Theme
from ui.table.items.lettering import letters, rounded

PAD = 0.75
GAP = 0.45
"""Between rows; both in letter heights."""


class MoveRow(NamedTuple):
    """One choice: the move, what it is called, what it brings, and where a piece would look."""

    move: Move
    label: str
    effects: tuple[str, ...]
    outcome: str
    preview: Preview | None
    angle: float | None


class RowsItem(QGraphicsPathItem):
    """One row for each option, the pointed one stronger, its outcome below."""

    def __init__(
        self,
        options: Sequence[MoveRow],
        theme: Theme,
        title: str,
        place: QRectF,
        size: float,
        room: QRectF,
    ) -> None:
        """Fills the width of `place` and stands at its foot (or where it is too small, grows
        upwards), inside `room`; `size` is the height of letters, in pixels."""
        super().__init__()
        self._theme = theme
        self._options = options
        self._size = size
        self._pad, gap = PAD * size, GAP * size
        self._width = place.width()
        self._frames: list[QGraphicsPathItem] = []
        self._signs: list[tuple[QGraphicsPathItem, QGraphicsPathItem]] = []
        self._effects: list[QGraphicsTextItem] = []
        self._texts: list[QGraphicsTextItem] = []  # a parent does not keep them alive in Python
        y = self._pad
        head = self._text(title, QPointF(self._pad, y), self._width - 2 * self._pad, bold=True)
        y += head.boundingRect().height() + gap
        self._rows: list[QRectF] = []
        for number, option in enumerate(options):
            y = self._row(number, option, y) + gap
        self._outcome = self._text("", QPointF(self._pad, y), self._width - 2 * self._pad)
        tallest = 0.0
        for option in options:
            self._outcome.setPlainText(option.outcome)
            shown = self._outcome.boundingRect().height() if option.outcome else 0.0
            tallest = max(tallest, shown)
        self._outcome.setPlainText("")
        height = y + (tallest + gap if tallest else 0.0) + self._pad - gap
        top = min(place.top(), place.bottom() - height)
        top = max(room.top(), min(top, room.bottom() - height))
        self.setPos(round(place.left()), round(top))
        self.setPath(rounded(QRectF(0, 0, self._width, height), 14))
        self.setPen(QPen(QColor(theme.line), 1))
        self.setBrush(QBrush(QColor(theme.paper)))
        self.point(None)

    def _row(self, number: int, option: MoveRow, y: float) -> float:
        x = self._pad + 4
        sign = self._size * 0.85
        left = x + 2 * sign + 8 if option.angle is not None else x + 4
        label = self._text(
            option.label, QPointF(left, y + 4), self._width - left - self._pad, soft=True
        )
        below = y + 4 + label.boundingRect().height()
        effects = " ".join(option.effects)
        counts = bool(option.preview and any(note.zones for note in option.preview.notes))
        room = self._width - left - self._pad
        effect = self._text(effects, QPointF(left, below - 2), room, bold=counts)
        self._effects.append(effect)
        bottom = below + (effect.boundingRect().height() - 2 if effects else 0) + 4
        row = QRectF(self._pad / 2, y, self._width - self._pad, max(bottom - y, 2 * sign + 8))
        frame = QGraphicsPathItem(rounded(row, 10), self)
        frame.setFlag(QGraphicsItem.GraphicsItemFlag.ItemStacksBehindParent, False)
        frame.setZValue(-1)
        self._frames.append(frame)
        self._rows.append(row)
        if option.angle is not None:
            middle = QPointF(x + sign, row.center().y())
            self._signs.append(arrow_sign(middle, sign, option.angle, self._theme, self))
        return row.bottom()

    def _text(
        self, text: str, at: QPointF, width: float, *, bold: bool = False, soft: bool = False
    ) -> QGraphicsTextItem:
        item = QGraphicsTextItem(self)
        item.document().setDocumentMargin(0)
        item.setFont(letters(self._size, bold))
        item.setDefaultTextColor(QColor(self._theme.ink_soft if soft else self._theme.ink))
        item.setTextWidth(max(width, 20))
        item.setPlainText(text)
        item.setPos(at)
        self._texts.append(item)
        return item

    def point(self, number: int | None) -> None:
        """Show this row as the one being weighed."""
        theme = self._theme
        for i, frame in enumerate(self._frames):
            chosen = i == number
            frame.setPen(QPen(QColor(theme.accent if chosen else theme.line), 2 if chosen else 1))
            ground = QColor(theme.accent)
            ground.setAlphaF(0.10 if chosen else 0.0)
            frame.setBrush(QBrush(ground))
            self._effects[i].setDefaultTextColor(QColor(theme.accent if chosen else theme.ink))
        for i, sign in enumerate(self._signs):
            point_sign(sign, i == number, theme)
        outcome = self._options[number].outcome if number is not None else ""
        self._outcome.setPlainText(outcome)

    def at(self, point: QPointF) -> int | None:
        """The row at this point of the scene."""
        here = self.mapFromScene(point)
        return next((i for i, row in enumerate(self._rows) if row.contains(here)), None)

    def covers(self, point: QPointF) -> bool:
        """Whether this point of the scene lies on the sheet."""
        return self.path().contains(self.mapFromScene(point))


def arrow_sign(
    middle: QPointF, radius: float, angle: float, theme: Theme, parent: QGraphicsItem
) -> tuple[QGraphicsPathItem, QGraphicsPathItem]:
    """A disc with an arrow that looks `angle` degrees from up."""
    disc = QPainterPath()
    disc.addEllipse(middle, radius, radius)
    outline = QGraphicsPathItem(disc, parent)
    arrow = QPainterPath()
    points = ((0.66, 0.0), (0.56, 140.0), (0.2, 180.0), (0.56, -140.0))
    for i, (reach, off) in enumerate(points):
        turn = math.radians(angle + off)
        at = middle + QPointF(math.sin(turn), -math.cos(turn)) * radius * reach
        if i:
            arrow.lineTo(at)
        else:
            arrow.moveTo(at)
    arrow.closeSubpath()
    head = QGraphicsPathItem(arrow, outline)
    head.setPen(Qt.PenStyle.NoPen)
    sign = (outline, head)
    point_sign(sign, False, theme)
    return sign


def point_sign(
    sign: tuple[QGraphicsPathItem, QGraphicsPathItem], chosen: bool, theme: Theme
) -> None:
    """Show a sign as the one being weighed, or as any other."""
    outline, head = sign
    outline.setPen(QPen(QColor(theme.accent), 2.2))
    outline.setBrush(QBrush(QColor(theme.accent if chosen else theme.paper)))
    head.setBrush(QBrush(QColor(theme.on_accent if chosen else theme.accent)))
